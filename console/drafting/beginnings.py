"""The first words of a dependent claim, given when the model by itself only repeats what is there.

A small model is drawn to the sentence that it wrote before, whatever the note says. With the words
up to the noted element given, it writes about that element; the rest of the claim is its own, under
the same grammar. It cites the claim that introduces the element, so that 所述 has its basis. Pure.
"""

import re
from collections.abc import Sequence

from console.drafting.families import ReadClaim
from console.drafting.phrases import COUNTED, NAMED_PARTS, PART, SAID_BEFORE, SAYS, UNFINISHED

_LONGEST_TERM = 16


def beginning(family: Sequence[ReadClaim], hint: str) -> str:
    """How a claim of this family that is about `hint` begins; "" without a note or a family."""
    if not hint or not family:
        return ""
    subject = family[0].subject
    for length in range(min(_LONGEST_TERM, len(hint)), 1, -1):
        term = UNFINISHED.sub("", hint[:length])
        parent = _introducing(family, term) if len(term) > 1 else None
        if parent is not None:
            return f"根据权利要求{parent.number}所述的{subject}，其特征在于，所述{term}"
    named = UNFINISHED.sub("", SAYS.split(hint, maxsplit=1)[0])[:_LONGEST_TERM]
    return f"根据权利要求{family[0].number}所述的{subject}，其特征在于，{named}"


def whole(family: Sequence[ReadClaim], hint: str) -> str:
    """A claim of this family up to the end of its note, in the words of the disclosure."""
    start = beginning(family, hint)
    if not start:
        return ""
    said = start.rsplit("，", 1)[1].removeprefix("所述")
    return start + hint[len(said) :] if hint.startswith(said) else ""


def about_a_part(family: Sequence[ReadClaim], turn: int) -> str:
    """How a claim begins that says more about some part, another one at each turn.

    For when no note is left: without it the model only repeats the likeliest sentence.
    """
    parts = _parts(family)
    if not parts:
        return ""
    term = parts[turn % len(parts)]
    parent = _introducing(family, term) or family[0]
    return f"根据权利要求{parent.number}所述的{family[0].subject}，其特征在于，所述{term}"


def _parts(family: Sequence[ReadClaim]) -> list[str]:
    """The parts that the claims of a family name, the least described first."""
    text = SAID_BEFORE.sub("", "\n".join(claim.text for claim in family))
    names: dict[str, int] = {}
    for found in NAMED_PARTS.findall(text):
        for item in re.split("[、和与及]", found):
            name = COUNTED.sub("", item.rsplit("的", 1)[-1])
            if PART.fullmatch(name):
                names[name] = text.count(name)
    return sorted(names, key=lambda name: names[name])


def _introducing(family: Sequence[ReadClaim], term: str) -> ReadClaim | None:
    """The first claim that speaks of the term; a multiple dependent one is no good basis."""
    for claim in family:
        if term in SAID_BEFORE.sub("", claim.text) and not claim.multiple:
            return claim
    return None
