"""Rules of the claim set as a whole (C01-C11)."""

import re
from collections.abc import Iterator, Sequence

from rules.linter.findings import Finding, finding
from rules.linter.reading import Reading
from rules.linter.settings import LintSettings
from rules.linter.subjects import bare

_WORD_BEFORE_NUMBER = re.compile(
    r"(?:权利要求|权项|请求项)第?\d{1,3}项?[.、：，](?=.)|(?:权项|请求项)\d"
)
_IN_FORMULA = re.compile(
    r"[0-9A-Za-z)）₀-₉]。(?:[(（][A-Z][a-z]?[^一-鿿()（）。]+[)）]|[≥≤≈=<>＝+×]|[大小]于)"
)
_CHINESE = re.compile(r"[一-鿿]")
_TRIVIAL = re.compile(r"[\s，；：。、,;:.()（）的地得\-~]|所述|该|一种")


def check_structure(readings: Sequence[Reading], settings: LintSettings) -> Iterator[Finding]:
    yield from _numbering(readings)
    for reading in readings:
        yield from _word_before_number(reading)
        yield from _full_stops(reading)
        yield from _line_breaks(reading)
    yield from _independents(readings)
    yield from _order(readings)
    yield from _duplicates(readings)
    yield from _fee(readings, settings)


def check_title(readings: Sequence[Reading], title: str) -> Iterator[Finding]:
    """C03 where the first claim opens with the invention's title, or 权利要求书, as a heading."""
    if not readings:
        return
    line, broken, _ = readings[0].claim.text.partition("\n")
    heading = line.strip()
    if broken and heading and (heading == "权利要求书" or bare(heading) == bare(title)):
        start = line.index(heading)
        yield finding(
            readings[0].number,
            "C03",
            "error",
            (start, start + len(heading)),
            f"权利要求书中不写标题（「{heading[:20]}」）",
            "the claims document carries no title",
        )


def _numbering(readings: Sequence[Reading]) -> Iterator[Finding]:
    for expected, reading in enumerate(readings, start=1):
        if reading.number != expected:
            yield finding(
                reading.number,
                "C01",
                "error",
                (0, 0),
                f"权利要求应当从1开始连续编号，此处应为{expected}，写的是{reading.number}",
                f"claims are numbered from 1 without gaps: expected {expected}, "
                f"found {reading.number}",
            )
            return  # every later number would be reported for the same slip


def _word_before_number(reading: Reading) -> Iterator[Finding]:
    if word := _WORD_BEFORE_NUMBER.match(reading.folded.text):
        yield finding(
            reading.number,
            "C02",
            "error",
            reading.folded.span(*word.span()),
            "编号前不得冠以「权利要求」或「权项」等词",
            "no word such as 权利要求 or 权项 stands before the number",
        )


def _full_stops(reading: Reading) -> Iterator[Finding]:
    text = reading.folded.text.rstrip()
    size = len(text)
    if not text:
        yield finding(reading.number, "C04", "error", (0, 0), "权利要求没有内容", "empty claim")
        return
    for stop in re.finditer("。+", text):
        if _IN_FORMULA.match(text, max(stop.start() - 1, 0)):
            continue  # a subscript that OCR read as a full stop
        if stop.end() < size and not _at_line_end(reading, stop.end()):
            yield finding(
                reading.number,
                "C04",
                "error",
                reading.folded.span(*stop.span()),
                "权利要求中只允许在结尾处使用句号",
                "a full stop stands only at the end of a claim",
            )
        elif stop.end() == size and len(stop[0]) > 1:
            yield finding(
                reading.number,
                "C04",
                "error",
                reading.folded.span(*stop.span()),
                "结尾处只能有一个句号",
                "exactly one full stop ends the claim",
            )
    if not text.endswith(("。", ".")):
        yield finding(
            reading.number,
            "C04",
            "error",
            reading.folded.span(size - 1, size),
            "权利要求应当以句号结尾",
            "a claim ends with a full stop (。)",
        )


def _at_line_end(reading: Reading, end: int) -> bool:
    """True where the original goes to a new line right after folded offset `end`."""
    start, after = reading.folded.span(end - 1, end)[1], reading.folded.span(end, end)[0]
    return "\n" in reading.claim.text[start:after]


def _line_breaks(reading: Reading) -> Iterator[Finding]:
    text = reading.folded.text
    places = reading.folded.places
    for at in range(1, len(text)):
        if places[at] - places[at - 1] == 1:
            continue
        if "\n" not in reading.claim.text[places[at - 1] : places[at]]:
            continue
        last = text[at - 1]
        if last == "。":
            yield finding(
                reading.number,
                "C05",
                "error",
                reading.folded.span(at - 1, at),
                "权利要求分行处只能用分号或逗号，不得用句号",
                "a line inside a claim ends with ； or ，, never with 。",
            )
        elif _CHINESE.match(last) and _CHINESE.match(text[at]):
            yield finding(
                reading.number,
                "C05",
                "warning",
                reading.folded.span(at - 1, at),
                "权利要求分行处应当用分号或逗号",
                "a line inside a claim ends with ； or ，",
            )


def _independents(readings: Sequence[Reading]) -> Iterator[Finding]:
    independents = [reading for reading in readings if not reading.dependent]
    if readings and not independents:
        first = readings[0]
        yield finding(
            first.number,
            "C07",
            "error",
            first.folded.span(*first.head.cite_span),
            "权利要求书应当有独立权利要求",
            "a claim set has at least one independent claim",
        )
    seen: dict[str, Reading] = {}
    for reading in independents:
        name = bare(reading.head.subject)
        earlier = seen.setdefault(name, reading)
        if earlier is reading or not name or reading.info.cites != earlier.info.cites:
            continue
        yield finding(
            reading.number,
            "C08",
            "warning",
            reading.folded.span(*reading.head.subject_span),
            f"与独立权利要求{earlier.number}主题相同；一项发明应当只有一个独立权利要求，"
            "请确认二者是不同的发明且具有单一性",
            f"same subject as independent claim {earlier.number}: one invention has one "
            "independent claim; make sure these are two inventions with unity",
        )


def _order(readings: Sequence[Reading]) -> Iterator[Finding]:
    newest: Reading | None = None
    for reading in readings:
        if not reading.dependent:
            newest = reading
        elif newest and reading.roots and newest.number not in reading.roots:
            if reading.mismatched:
                continue  # it cites the wrong claim, which D02 reports
            root = max(reading.roots)
            yield finding(
                reading.number,
                "C09",
                "error",
                reading.folded.span(*reading.head.cite_span),
                f"从属于权利要求{root}的从属权利要求应当写在独立权利要求{newest.number}之前",
                f"a claim that depends on claim {root} stands before the next independent "
                f"claim ({newest.number})",
            )


def _duplicates(readings: Sequence[Reading]) -> Iterator[Finding]:
    seen: dict[tuple[tuple[int, ...], str], Reading] = {}
    for reading in readings:
        body = _TRIVIAL.sub("", reading.folded.text[reading.head.subject_span[1] :])
        if not body:
            continue
        subject = "" if reading.dependent else bare(reading.head.subject)
        cites = tuple(sorted(reading.info.cites)) if reading.dependent else ()
        earlier = seen.setdefault((cites, subject + "|" + body), reading)
        if earlier is not reading:
            yield finding(
                reading.number,
                "C10",
                "warning",
                reading.folded.span(reading.head.subject_span[1], len(reading.folded.text)),
                f"与权利要求{earlier.number}的保护范围实质相同",
                f"substantially the same scope as claim {earlier.number}",
            )


def _fee(readings: Sequence[Reading], settings: LintSettings) -> Iterator[Finding]:
    extra = len(readings) - settings.free_claims
    if extra > 0:
        yield finding(
            readings[settings.free_claims].number,
            "C11",
            "info",
            (0, 0),
            f"共{len(readings)}项权利要求，从第{settings.free_claims + 1}项起每项缴纳申请附加费"
            f"（共{extra}项）",
            f"{len(readings)} claims: an additional fee is due for each beyond "
            f"{settings.free_claims} ({extra} claims)",
        )
