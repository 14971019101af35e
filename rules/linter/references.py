"""The syntax of citations: every 权利要求N in a text, with the place of each written number.

citation  := "权利要求" item { joiner ["权利要求"] item } [alternative]
item      := number [range number] [alternative]
range     := 至 | 到 | - | ~ (any width, repeated)
joiner    := 、 | ， | 或 | 或者 | 和 | 与 | 及 | 以及 | 和/或 | "、或" …
alternative := [中][的] 任(意|何)?一(项|权利要求) | [之]任一项 | 之一
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rules.linter.folding import Folded, fold

_WORD = re.compile(r"权利要求(?!书)第?(?:的|中)?")
_NUMBER = re.compile(r"(?:第)?(\d{1,3})(?!\d)(?:项)?")
_RANGE = re.compile(r"(?:至|到|[-~]+)(?:权利要求)?(?=第?\d)")
_JOINER = re.compile(
    r"(?:[、，,]?(?:和/或|及/或|或者|或是|或|以及|和|与|及)|[、，,/])(?:权利要求)?(?=第?\d)"
)
_ALTERNATIVE = re.compile(
    r"(?:之|中|里)?的?任(?:意|何)?(?:一|1)?(?:个|项权利要求|权利要求|项|条)?|(?:中的)?之一"
)
# After a comma a number may begin the next clause: 根据权利要求1，2个…; after 或 it may count.
_COUNTS = re.compile(r"\d+(?!\d)(?:\.|[个种级层次倍段根片条台组只块件名步号]|[a-zA-Zμ%℃])")
_AFTER_LISTED = re.compile(
    r"第?\d{1,3}(?!\d)项?(?:[、，,/;；。：:）的所中之任述其]|或|和|与|及|以及|至|到|[-~]\d|权利要求|$)"
)
CITING = "根据|如同|如|按照|依据|依照|参照|按|基于|根椐|跟据|据"
_HEAD = re.compile(
    r"^(?:本发明(?:为|涉及|是)?)?(?:所述的?)?(?:一种|一个)?"
    rf"(?:{CITING}|由)?(?:前述|上述|所述|前面|前)?的?"
    r"(?:从属于权利要求[\d、或至~-]+时?的?)?$"
)
_AND = ("和", "与", "及")


@dataclass(frozen=True)
class Reference:
    """One citation. `start`/`end` cover it from 权利要求 to its last word (…中任一项).

    numbers: the claims it cites, in the order written, ranges written out.
    written/spans: each number as it is written, and where it stands.
    ranges: the (first, last) pairs among them, as written.
    alternative: one of several is cited (或, 任一项, 之一); a single number is alternative too.
    in_preamble: it is what the claim depends on or is built on, at the head of the claim.
    """

    start: int
    end: int
    numbers: tuple[int, ...]
    written: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    ranges: tuple[tuple[int, int], ...]
    alternative: bool
    in_preamble: bool

    @property
    def multiple(self) -> bool:
        return len(set(self.numbers)) > 1


def find_references(text: str) -> list[Reference]:
    """Every mention of 权利要求N in `text`, in order; offsets are offsets into `text`."""
    folded = fold(text)
    return [in_original(folded, found) for found in scan(folded)]


def scan(folded: Folded) -> list[Reference]:
    """The same over a folded text, with offsets into the folded text."""
    found: list[Reference] = []
    place = 0
    while word := _WORD.search(folded.text, place):
        reference = read_from(folded.text, word)
        place = reference.end if reference else word.end()
        if reference:
            found.append(reference)
    return found


def in_original(folded: Folded, reference: Reference) -> Reference:
    start, end = folded.span(reference.start, reference.end)
    return Reference(
        start=start,
        end=end,
        numbers=reference.numbers,
        written=reference.written,
        spans=tuple(folded.span(*span) for span in reference.spans),
        ranges=reference.ranges,
        alternative=reference.alternative,
        in_preamble=reference.in_preamble,
    )


def render_numbers(numbers: Iterable[int]) -> str:
    """The official way to write a citation of these claims, without the word 权利要求.

    1 → "1"; 1, 2 → "1或2"; 2, 4, 6 → "2、4或6"; 4 to 9 → "4至9中任一项".
    """
    ordered = sorted(set(numbers))
    if not ordered:
        raise ValueError("a citation needs at least one claim number")
    if len(ordered) > 2 and ordered[-1] - ordered[0] == len(ordered) - 1:
        return f"{ordered[0]}至{ordered[-1]}中任一项"
    if len(ordered) == 1:
        return str(ordered[0])
    return f"{'、'.join(map(str, ordered[:-1]))}或{ordered[-1]}"


def _goes_on(text: str, joiner: re.Match[str]) -> bool:
    if joiner[0] in ("、", "，", ",", "/"):
        return bool(_AFTER_LISTED.match(text, joiner.end()))
    return not _COUNTS.match(text, joiner.end())


def read_from(text: str, word: re.Match[str]) -> Reference | None:
    """The citation whose word (权利要求) is the match `word`; None where no number follows."""
    number = _NUMBER.match(text, word.end())
    if number is None:
        return None
    written: list[int] = []
    spans: list[tuple[int, int]] = []
    numbers: list[int] = []
    ranges: list[tuple[int, int]] = []
    joined_by_or = said_any = joined_by_and = False
    place = word.end()
    while number:
        first = int(number[1])
        written.append(first)
        spans.append(number.span(1))
        place = number.end()
        last = first
        to = _RANGE.match(text, place)
        upper = _NUMBER.match(text, to.end()) if to else None
        if upper:
            last = int(upper[1])
            written.append(last)
            spans.append(upper.span(1))
            place = upper.end()
            ranges.append((first, last))
        numbers.extend(range(first, last + 1) if first <= last else range(first, last - 1, -1))
        any_of = _ALTERNATIVE.match(text, place)
        if any_of:
            said_any = True
            place = any_of.end()
        joiner = _JOINER.match(text, place)
        if joiner is None or not _goes_on(text, joiner):
            break
        joined_by_or |= "或" in joiner[0] and "/" not in joiner[0]
        joined_by_and |= any(word in joiner[0] for word in _AND)
        number = _NUMBER.match(text, joiner.end())
    single = len(set(numbers)) == 1
    return Reference(
        start=word.start(),
        end=place,
        numbers=tuple(dict.fromkeys(numbers)),
        written=tuple(written),
        spans=tuple(spans),
        ranges=tuple(ranges),
        alternative=single or said_any or (joined_by_or and not joined_by_and),
        in_preamble=bool(_HEAD.match(text[: word.start()])),
    )
