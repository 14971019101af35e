"""Citations of earlier claims: which numbers may stand after 权利要求, as grammar rules.

ONE{set} is a single number. ANY_OF{set, comma, or, through, any} is an alternative over several
claims: numbers and ranges in ascending order, joined by the rules `comma` and `or`, ranges with
`through`, closed by the rule `any` (中任一项…) unless an `or` before a last single number already
makes it an alternative.
A range never reaches over a number that may not be cited. The rules are linear in the number of
claims: each names one claim and points at the rule of the next one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

_KINDS = ("first", "more", "last", "end", "final")


@dataclass(frozen=True)
class Joiners:
    """The names of the author's rules that join the numbers."""

    comma: str
    or_: str
    through: str
    any_: str


def one_of(name: str, numbers: Sequence[int]) -> str:
    """The rule `name`: exactly one of the numbers."""
    return f"{name}: " + " | ".join(f'"{number}"' for number in numbers)


def any_of(name: str, numbers: Sequence[int], join: Joiners) -> str:
    """The rule `name`: an alternative over at least two of the ascending `numbers`.

    Generated rules carry the index of the claim they may start at:
    first (nothing chosen yet), more (a further item), stop (an alternative stands), last (the item
    after `or`), end (the end of a range), final (the end of the range after `or`).
    """
    lines = [f"{name}: {name}__first0"]
    last = len(numbers) - 1
    for index, number in enumerate(numbers):
        rules: dict[str, list[str]] = {
            kind: [] for kind in ("first", "more", "last", "end", "final")
        }
        stop = [join.any_]
        if index < last:
            here = index + 1
            onward = [f"{join.comma} {name}__more{here}", f"{join.or_} {name}__last{here}"]
            rules["first"].append(f'"{number}" ({" | ".join(onward)})')
            stop = onward + stop
            for kind in ("more", "last") if here == last else ("first", "more", "last"):
                rules[kind].append(f"{name}__{kind}{here}")
            if numbers[here] == number + 1:
                for kind, end in (("first", "end"), ("more", "end"), ("last", "final")):
                    rules[kind].append(f'"{number}" {join.through} {name}__{end}{here}')
                rules["end"].append(f"{name}__end{here}")
                rules["final"].append(f"{name}__final{here}")
        for kind in ("more", "end"):
            rules[kind].append(f'"{number}" {name}__stop{index}')
        rules["last"].append(f'"{number}" {join.any_}?')
        if index < last:
            rules["last"].append(f'"{number}" {join.or_} {name}__last{index + 1}')
        rules["final"].append(f'"{number}" {join.any_}')
        rules["stop"] = stop
        lines += [
            f"{name}__{kind}{index}: " + " | ".join(options)
            for kind, options in rules.items()
            if options
        ]
    return "\n".join(lines)
