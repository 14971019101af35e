"""Findings as people read them in a terminal: place, rule, law, sentence, excerpt with a caret."""

import unicodedata
from collections.abc import Iterator, Mapping

from rules.linter.findings import Consequence, Finding, Severity

_SEVERITIES: Mapping[Severity, str] = {"error": "错误", "warning": "警告", "info": "提示"}
_CONSEQUENCES: Mapping[Consequence, str] = {
    "formal": "形式缺陷，可补正",
    "rejection": "可能导致驳回",
    "fee": "费用",
    "style": "写法",
}
_AROUND = 16


def lines(found: Finding, text: str) -> Iterator[str]:
    """The lines that show one finding of a claim with this text."""
    place = f"权利要求{found.claim}" if found.claim else "文首"
    yield (
        f"{place}  {_SEVERITIES[found.severity]} {found.rule}  {found.message}"
        f"  [{found.article}；{_CONSEQUENCES[found.consequence]}]"
    )
    if found.start < found.end <= len(text):
        yield from excerpt(text, found.start, found.end)


def excerpt(text: str, start: int, end: int) -> tuple[str, str]:
    """Two lines: the text around start:end, and carets under it (wide characters count as two)."""
    left, right = max(0, start - _AROUND), min(len(text), end + _AROUND)
    shown_end = min(end, start + 2 * _AROUND)
    right = min(right, shown_end + _AROUND)
    before, marked, after = text[left:start], text[start:shown_end], text[shown_end:right]
    head = "    " + ("…" if left else "") + _flat(before)
    line = head + _flat(marked) + _flat(after) + ("…" if right < len(text) else "")
    return line, " " * _width(head) + "^" * max(1, _width(_flat(marked)))


def _flat(text: str) -> str:
    return "".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in text)


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WFA" else 1 for char in text)
