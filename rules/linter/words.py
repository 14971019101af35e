"""The table of words against one claim: longest term first, one finding per place."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rules.linter.findings import RULES, UNLISTED, Finding, Severity, finding
from rules.linter.folding import fold
from rules.linter.reading import Reading
from rules.linter.settings import TermRule

_NUMBER_AFTER = re.compile(
    r"[为是在等于有]{0,2}(?:[±+\-]?[\d.]|[零一二两三四五六七八九十百千万半数][^者种个侧端类致定般项旦半]|[φΦ∅])"
)
_NUMBER_BEFORE = re.compile(
    r"(?:\d|[%‰°℃])(?:[A-Za-zμµΩ/·²³%℃°\d]{0,8}|[^，；。、\d]{0,4})$"
    r"|[一二两三四五六七八九十百千万半](?:分钟|小时|毫米|厘米|[个次倍天米度成份秒圈转层周年根片滴])?$"
)
_QUANTITY = re.compile(
    r"\d(?:[^，；。]{0,12})(?:℃|°C|°|摄氏度|度|K|[kMG]?Pa|帕|[Bb]ar|巴|atm|大气压|[kK]?V|伏|psi)"
)
_NARROWER = re.compile(r"优选(?:地|的)?[，：]?[^，；。\d]{0,12}[\d.]")
_STEP = re.compile(r"步骤S?[(（]?\d+[)）]?|[(（]\d+[)）]|(?<![A-Za-z])S\d+")
_CLAUSE = "，；。"
_NEAR = 200  # characters, within which a clause and its neighbours are looked for
_REASONS = {
    "W01": ("「{0}」会在同一权利要求中限定出不同的保护范围", "“{0}” gives one claim two scopes"),
    "W02": (
        "「{0}」在上位概念后又提出较窄的范围，保护范围不清楚",
        "“{0}” names a narrower range beside a broader one",
    ),
    "W03": (
        "「{0}」通常会使权利要求的范围不清楚，一般不得使用",
        "“{0}” usually makes the scope unclear",
    ),
    "W04": (
        "「{0}」含义不确定，除非在该领域有公认的确切含义",
        "“{0}” has no definite meaning unless the field gives it one",
    ),
    "W11": (
        "「{0}」属于商业性宣传或者非技术用语",
        "“{0}” is commercial or non-technical wording",
    ),
    "W16": ("「{0}」不是大陆申请文件的用语", "“{0}” is not the wording of mainland filings"),
    "W18": (
        "「{0}」可能使保护范围不清楚，建议改写",
        "“{0}” may make the scope unclear; consider rewording",
    ),
}
_ANY_REASON = ("规则包禁用「{0}」", "the rule pack forbids “{0}”")


def check_words(reading: Reading, terms: Sequence[TermRule]) -> Iterator[Finding]:
    """Findings of the pack's table in one claim, in the order of their places."""
    folded = reading.folded
    text = folded.text
    for start, end, term in sorted(_breaches(text, tuple(terms)), key=lambda b: b[:2]):
        zh, en = _messages(term)
        yield finding(
            reading.number,
            term.rule,
            _severity(text, start, term, reading.head.subject_span[1]),
            folded.span(start, end),
            zh,
            en,
            article=term.article or RULES.get(term.rule, UNLISTED).article,
        )


@dataclass(frozen=True)
class _Row:
    rule: TermRule
    text: str
    contexts: tuple[tuple[str, int], ...]  # a literal that contains the term, and where
    form: re.Pattern[str]


def _breaches(text: str, terms: tuple[TermRule, ...]) -> Iterator[tuple[int, int, TermRule]]:
    matcher, rows = _matcher(terms)
    place = 0
    while matcher and (hit := matcher.search(text, place)):
        start = hit.start()
        place = start + 1
        # Longest first; a shorter term may still count where the longer one is allowed.
        for row in rows[text[start].lower()]:
            end = start + len(row.text)
            if not row.form.match(text, start) or _allowed(text, start, row):
                continue
            if _applies(text, start, end, row.rule):
                yield start, end, row.rule
                place = end
                break


@lru_cache(maxsize=16)
def _matcher(
    terms: tuple[TermRule, ...],
) -> tuple[re.Pattern[str] | None, dict[str, list[_Row]]]:
    rows: dict[str, list[_Row]] = {}
    for rule in sorted(terms, key=lambda rule: -len(rule.term)):
        if term := fold(rule.term).text:
            contexts = tuple(
                (context, at.start())
                for context in (fold(written).text for written in rule.allowed_in)
                for at in re.finditer(f"(?={re.escape(term)})", context)
            )
            form = re.compile(_form(term, whole_word=rule.whole_word))
            rows.setdefault(term[0].lower(), []).append(_Row(rule, term, contexts, form))
    forms = [row.form.pattern for group in rows.values() for row in group]
    return (re.compile("|".join(forms)) if forms else None), rows


def _form(term: str, *, whole_word: bool) -> str:
    """The term as a pattern: literally, or as an English word in upper or lower case."""
    literal = re.escape(term)
    return f"(?<![A-Za-z])(?i:{literal})(?![A-Za-z])" if whole_word else literal


def _allowed(text: str, start: int, row: _Row) -> bool:
    return any(start >= at and text.startswith(context, start - at) for context, at in row.contexts)


def _applies(text: str, start: int, end: int, term: TermRule) -> bool:
    if term.only == "before_number":
        return bool(_NUMBER_AFTER.match(text, end))
    if term.only == "after_number":
        return bool(_NUMBER_BEFORE.search(text, max(start - 14, 0), start))
    if term.only == "without_quantity":
        named_before = text[max(0, start - 3) : start].endswith(("所述", "所述的", "该"))
        return not named_before and not _QUANTITY.search(_clause_and_neighbours(text, start, end))
    return True


def _clause_and_neighbours(text: str, start: int, end: int) -> str:
    """The clause around start:end with the one before and the one after it, where a figure for
    it may stand."""
    before = re.split(f"[{_CLAUSE}]", text[max(0, start - _NEAR) : start])
    after = re.split(f"[{_CLAUSE}]", text[end : end + _NEAR])
    return "，".join(before[-2:]) + text[start:end] + "，".join(after[:2])


def _severity(text: str, start: int, term: TermRule, body: int) -> Severity:
    """优选 before a number, after a broader range in the same sentence, leaves two ranges."""
    if term.rule != "W02" or term.severity == "error":
        return term.severity
    at = text.find("优选", start, start + len(term.term) + 2)
    if at < 0 or not _NARROWER.match(text, at):
        return term.severity
    begin = max(body, *(text.rfind(mark, 0, start) + 1 for mark in "；。"))
    sentence = text[begin:start]
    return "error" if re.search(r"\d", _STEP.sub("", sentence)) else term.severity


def _messages(term: TermRule) -> tuple[str, str]:
    zh, en = _REASONS.get(term.rule, _ANY_REASON)
    zh, en = term.message_zh or zh.format(term.term), term.message_en or en.format(term.term)
    if term.replacement and not term.message_zh:
        zh = f"{zh}；可改为「{term.replacement}」"
    if term.replacement and not term.message_en:
        en = f"{en}; write “{term.replacement}”"
    return zh, en
