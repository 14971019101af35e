"""Short ways to write a claim set and to ask what the linter says of it."""

from rules.linter import Claim, Finding, LintSettings, TermRule, lint_claims

TERMS = (
    TermRule("例如", "W01", "error", ("比例如",)),
    TermRule("优选", "W02", "warning", ("择优选",)),
    TermRule("优选为", "W02", "warning"),
    TermRule("约", "W03", "warning", ("节约", "预约", "约束"), only="before_number"),
    TermRule("左右", "W03", "warning", only="after_number"),
    TermRule("等", "W03", "warning", ("等于", "相等", "等离子")),
    TermRule("薄", "W04", "warning", ("薄膜",)),
    TermRule("高温", "W04", "warning", ("高温合金",), only="without_quantity"),
    TermRule("可以", "W18", "warning"),
    TermRule("请求项", "W16", "warning", replacement="权利要求"),
)
SETTINGS = LintSettings(terms=TERMS)


def claims(*texts: str) -> list[Claim]:
    return [Claim(number, text) for number, text in enumerate(texts, start=1)]


def lint(*texts: str, settings: LintSettings = SETTINGS, title: str = "") -> list[Finding]:
    return lint_claims(claims(*texts), settings, title=title)


def rules(*texts: str, settings: LintSettings = SETTINGS) -> list[tuple[int, str, str]]:
    """(claim, rule, severity) of every finding."""
    return [(f.claim, f.rule, f.severity) for f in lint(*texts, settings=settings)]


def only(rule: str, *texts: str, settings: LintSettings = SETTINGS) -> list[Finding]:
    return [found for found in lint(*texts, settings=settings) if found.rule == rule]


def marked(found: Finding, *texts: str) -> str:
    """The words that a finding points at."""
    return texts[found.claim - 1][found.start : found.end]
