"""Rules of citing and of dependent claims (D01-D07)."""

import re
from collections.abc import Iterator, Mapping, Sequence

from rules.linter.findings import Finding, finding
from rules.linter.reading import Reading
from rules.linter.references import Reference
from rules.linter.settings import LintSettings
from rules.linter.subjects import Relation

_EARLIER = "(?:前述|上述|前面|以上|在前)的?"
_ANY = "任(?:意|何)?一(?:项|个)?"
_COLLECTIVE = re.compile(rf"(?:{_EARLIER}(?:{_ANY})?|{_ANY}{_EARLIER})权利要求(?!书|第?\d)")


def check_dependencies(readings: Sequence[Reading], settings: LintSettings) -> Iterator[Finding]:
    by_number: dict[int, Reading] = {}
    for reading in readings:
        by_number.setdefault(reading.number, reading)
    last = max(by_number, default=0)
    for reading in readings:
        yield from _targets(reading, last)
        yield from _spelling(reading)
        yield from _unnumbered(reading)
        if reading.dependent:
            yield from _restated_subject(reading)
            yield from _alternative(reading)
            yield from _multiple(reading, by_number, settings)


def _numbers(numbers: Sequence[int]) -> str:
    return "、".join(map(str, numbers))


def _targets(reading: Reading, last: int) -> Iterator[Finding]:
    for reference in _all_references(reading):
        for number, span in zip(reference.written, reference.spans, strict=True):
            if number > last or number < 1:
                yield finding(
                    reading.number,
                    "D04",
                    "error",
                    reading.folded.span(*span),
                    f"引用的权利要求{number}不存在（共{last}项）",
                    f"claim {number} does not exist (the last is {last})",
                )
            elif number >= reading.number:
                zh = "不得引用自身" if number == reading.number else "只能引用在前的权利要求"
                yield finding(
                    reading.number,
                    "D03",
                    "error" if reading.dependent else "warning",
                    reading.folded.span(*span),
                    f"{zh}（引用了权利要求{number}）",
                    f"only earlier claims may be cited (cites claim {number})",
                )


def _all_references(reading: Reading) -> Iterator[Reference]:
    if reading.head.misspelt and reading.head.citation:
        yield reading.head.citation
    yield from reading.references


def _spelling(reading: Reading) -> Iterator[Finding]:
    if reading.head.misspelt:
        start, end = reading.head.misspelt
        yield finding(
            reading.number,
            "D07",
            "error",
            reading.folded.span(start, end),
            f"「{reading.folded.text[start:end]}」应为「权利要求」",
            "the word 权利要求 is misspelt in the citation",
            article="细则25.1；指南P2C2§3.3.2",
        )
    for reference in reading.references:
        for first, final in reference.ranges:
            if first >= final:
                yield finding(
                    reading.number,
                    "D07",
                    "warning",
                    reading.folded.span(reference.start, reference.end),
                    f"引用范围「{first}至{final}」的次序颠倒或者重复",
                    f"the range {first} to {final} does not ascend",
                )


def _unnumbered(reading: Reading) -> Iterator[Finding]:
    for named in _COLLECTIVE.finditer(reading.folded.text):
        yield finding(
            reading.number,
            "D01",
            "warning",
            reading.folded.span(*named.span()),
            f"「{named[0]}」没有写明编号，增删权利要求后其所指会随之改变，应当写明所引用的编号",
            "no claim number is given: what this cites changes when claims are added or removed",
        )


def _restated_subject(reading: Reading) -> Iterator[Finding]:
    head = reading.head
    if not head.subject:
        yield finding(
            reading.number,
            "D01",
            "error",
            reading.folded.span(*head.cite_span),
            "引用部分应当在编号之后写明所引用权利要求的主题名称",
            "after the number the cited claim's subject name is restated",
        )
        return
    span = reading.folded.span(*head.subject_span)
    differing = reading.mismatched
    found = set(reading.relations.values())
    if differing:
        hint = f"；是否应引用权利要求{reading.meant}？" if reading.meant else ""
        hint_en = f"; was claim {reading.meant} meant?" if reading.meant else ""
        yield finding(
            reading.number,
            "D02",
            "warning" if head.collective else "error",
            span,
            f"主题名称「{head.subject}」与权利要求{_numbers(differing)}的主题名称不一致；"
            f"如果要求保护另一主题，应当写成独立权利要求{hint}",
            f"the subject differs from that of claim {_numbers(differing)}; another subject "
            f"needs an independent claim{hint_en}",
        )
    elif Relation.NEAR in found:
        yield finding(
            reading.number,
            "D02",
            "warning",
            span,
            f"主题名称「{head.subject}」与所引用权利要求的主题名称不完全一致，疑似笔误",
            "the subject is not quite that of the cited claim; a slip of the pen?",
        )
    elif found == {Relation.SHORTENED} or (found and Relation.SAME not in found):
        yield finding(
            reading.number,
            "D02",
            "warning",
            span,
            f"主题名称「{head.subject}」是所引用权利要求主题名称的简称，应当写成一致",
            "the subject is a shortened form of the cited claim's subject",
        )


def _alternative(reading: Reading) -> Iterator[Finding]:
    citation = reading.head.citation
    if citation and citation.multiple and not citation.alternative:
        yield finding(
            reading.number,
            "D05",
            "error",
            reading.folded.span(citation.start, citation.end),
            f"多项从属权利要求只能以择一方式引用，应当写明「或」或者「任一项」"
            f"（引用了权利要求{_numbers(citation.numbers)}）",
            "a multiple dependent claim cites in the alternative only (或, 任一项)",
        )


def _multiple(
    reading: Reading, by_number: Mapping[int, Reading], settings: LintSettings
) -> Iterator[Finding]:
    if not reading.info.multiple or settings.multi_on_multi == "allow":
        return
    earlier = [n for n in reading.info.cites if n < reading.number and n in by_number]
    direct = [number for number in earlier if by_number[number].info.multiple]
    span = reading.folded.span(*reading.head.cite_span)
    if direct:
        yield finding(
            reading.number,
            "D06",
            "error",
            span,
            f"多项从属权利要求不得引用另一项多项从属权利要求（权利要求{_numbers(direct)}）",
            f"a multiple dependent claim cites a multiple dependent claim ({_numbers(direct)})",
        )
        return
    indirect = [n for n in earlier if _rests_on_multiple(by_number[n], by_number)]
    if indirect:
        forbidden = settings.multi_on_multi == "forbid_indirect"
        yield finding(
            reading.number,
            "D06",
            "error" if forbidden else "warning",
            span,
            f"引用的权利要求{_numbers(indirect)}间接以多项从属权利要求为基础，请确认是否允许",
            f"claim {_numbers(indirect)} rests on a multiple dependent claim indirectly",
        )


def _rests_on_multiple(reading: Reading, by_number: Mapping[int, Reading]) -> bool:
    """Follows single dependencies down; an independent claim ends the chain."""
    seen: set[int] = set()
    while reading.dependent and reading.number not in seen:
        if reading.info.multiple:
            return True
        seen.add(reading.number)
        parent = next((n for n in reading.info.cites if n < reading.number), None)
        if parent is None or parent not in by_number:
            return False
        reading = by_number[parent]
    return False
