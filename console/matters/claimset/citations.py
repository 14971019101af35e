"""Rewrites the claim numbers that a claim text cites, and keeps the way they are written. Pure.

权利要求1至3中任一项 stays a range while its claims still follow one another; otherwise it becomes
a list (1、3或4中任一项). Full-width digits, Chinese numerals, 权利要求 before every number, also
where it is misspelt, the separators and the joining word stay as the author wrote them.
前述权利要求 names no number and stays as it is; the linter tells the agent (D01).
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

from console.matters.claimset.numerals import references, written_like
from rules.linter.references import Reference

_RANGE_SIGN = re.compile(r"[至到~～\-‐‑–—―－−]+")
_JOINING_WORD = re.compile(r"或者|或是|或|以及|及|和|与")
_WORD = re.compile(r"权[利力]要求")
_LIST_SIGN = re.compile(r"[、,，/]")
# A shorter run of neighbours reads better one by one.
_SHORTEST_RANGE = 3

Renumber = Callable[[int], int]


@dataclass(frozen=True)
class _Element:
    """One written number, or a written range of them; `gap` stands before it in the text."""

    low: int
    high: int
    low_span: tuple[int, int]
    high_span: tuple[int, int]
    gap: str

    @property
    def is_range(self) -> bool:
        return self.low_span != self.high_span

    def mapped(self, renumber: Renumber) -> tuple[int, int] | None:
        """Its new ends, or None where its claims no longer follow one another."""
        if self.low > self.high:
            return renumber(self.low), renumber(self.high)
        numbers = {renumber(number) for number in range(self.low, self.high + 1)}
        low, high = min(numbers), max(numbers)
        whole = len(numbers) == high - low + 1 == self.high - self.low + 1
        return (low, high) if whole else None


def cited_numbers(text: str) -> set[int]:
    """Every claim number that the text cites."""
    return {number for reference in references(text) for number in reference.numbers}


def rewrite(text: str, renumber: Renumber) -> str:
    """The text with every cited number n written as renumber(n)."""
    parts: list[str] = []
    done = 0
    for reference in references(text):
        if all(renumber(number) == number for number in reference.numbers):
            continue
        elements = _elements(text, reference)
        start, end = elements[0].low_span[0], elements[-1].high_span[1]
        parts.append(text[done:start])
        in_place = _in_place(text, elements, renumber)
        if in_place is not None:
            parts.append(in_place)
        else:
            numbers = sorted({renumber(number) for number in reference.numbers})
            parts.append(_written_anew(text, elements, numbers))
            if len(numbers) == 1 and _says_any_one(text[end : reference.end]):
                end = reference.end
        done = end
    return "".join([*parts, text[done:]])


def _says_any_one(tail: str) -> bool:
    """中任一项, 之一: meaningless once a single number is left."""
    return "任" in tail or "之一" in tail


def _elements(text: str, reference: Reference) -> list[_Element]:
    elements: list[_Element] = []
    before = reference.start
    for number, span in zip(reference.written, reference.spans, strict=True):
        gap = text[before : span[0]]
        if elements and not elements[-1].is_range and _RANGE_SIGN.search(gap):
            low = elements.pop()
            elements.append(_Element(low.low, number, low.low_span, span, low.gap))
        else:
            elements.append(_Element(number, number, span, span, gap))
        before = span[1]
    return elements


def _in_place(text: str, elements: list[_Element], renumber: Renumber) -> str | None:
    """Only the digits change; None where that would leave a broken range, a disorder, or a range
    beside its own continuation (1至2或3至5)."""
    ends = [element.mapped(renumber) for element in elements]
    known = [pair for pair in ends if pair is not None]
    if len(known) < len(ends):
        return None
    was_ordered = _ordered((element.low, element.high) for element in elements)
    singles = [pair[0] for pair in known]
    if len(set(singles)) < len(singles) or (was_ordered and not _ordered(known)):
        return None
    if any(element.is_range for element in elements) and _touching(known) > _touching(
        [(element.low, element.high) for element in elements]
    ):
        return None
    parts: list[str] = []
    done = elements[0].low_span[0]
    for element, (low, high) in zip(elements, known, strict=True):
        for span, number in {element.low_span: low, element.high_span: high}.items():
            parts += [text[done : span[0]], written_like(number, text[span[0]])]
            done = span[1]
    return "".join(parts)


def _ordered(pairs: Iterable[tuple[int, int]]) -> bool:
    flat = list(pairs)
    return all(before[1] < after[0] for before, after in pairwise(flat))


def _touching(pairs: list[tuple[int, int]]) -> int:
    return sum(before[1] + 1 == after[0] for before, after in pairwise(pairs))


def _written_anew(text: str, elements: list[_Element], numbers: list[int]) -> str:
    """The numbers as a list in the manner of the old wording, runs as ranges where it had any."""
    first = text[elements[0].low_span[0]]
    gaps = [element.gap for element in elements[1:]]
    ranges = [element for element in elements if element.is_range]
    range_sign = text[ranges[0].low_span[1] : ranges[0].high_span[0]] if ranges else ""
    repeated = next((m[0] for gap in gaps if (m := _WORD.search(gap))), "")
    separator = next((m[0] for gap in gaps if (m := _LIST_SIGN.search(gap))), "、")
    word = next((m[0] for gap in reversed(gaps) if (m := _JOINING_WORD.search(gap))), "")
    if not word:
        # 1至3 and 1、2、3: without a word of their own, only what was a single range needs one.
        word = "或" if not gaps else separator
    runs = [
        written_like(low, first)
        if low == high
        else f"{written_like(low, first)}{range_sign}{written_like(high, first)}"
        for low, high in _runs(numbers, shortest=_SHORTEST_RANGE if ranges else len(numbers) + 1)
    ]
    head = f"{separator}{repeated}".join(runs[:-1])
    return f"{head}{word}{repeated}{runs[-1]}" if head else runs[-1]


def _runs(numbers: list[int], shortest: int) -> list[tuple[int, int]]:
    """Neighbours joined to (low, high) where at least `shortest` follow one another."""
    groups: list[list[int]] = []
    for number in numbers:
        if groups and groups[-1][-1] == number - 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    runs: list[tuple[int, int]] = []
    for group in groups:
        if len(group) >= shortest:
            runs.append((group[0], group[-1]))
        else:
            runs += [(number, number) for number in group]
    return runs
