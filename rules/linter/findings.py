"""What the linter takes and gives: a claim, a finding, and what is known of each rule."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Severity = Literal["error", "warning", "info"]
Consequence = Literal["formal", "rejection", "fee", "style"]


@dataclass(frozen=True)
class Claim:
    """One claim as it stands in the document: its number, and its text without the number."""

    number: int
    text: str


@dataclass(frozen=True)
class Finding:
    """One breach of one rule at one place; `start` and `end` are offsets into the claim's text.

    `claim` is 0 where the finding concerns what stands before the first claim; its offsets are
    then offsets into the document that was read.
    """

    claim: int
    rule: str
    severity: Severity
    article: str
    start: int
    end: int
    message: str
    message_en: str
    consequence: Consequence


@dataclass(frozen=True)
class Rule:
    """Where a rule stands in the law and what its breach leads to.

    "formal" is mended by a correction (补正); "rejection" stands in the list of 细则59 or falls
    under 法26.4; "fee" costs money and is no defect; "style" is practice, not law.
    """

    article: str
    consequence: Consequence


def _rules() -> dict[str, Rule]:
    clarity = "法26.4；指南P2C2§3.2.2"
    words = "法26.4；指南P2C2§3.3"
    multiple = "细则25.2；指南P2C2§3.3.2"
    return {
        "C01": Rule("细则22.2；指南P1C1§4.4", "formal"),
        "C02": Rule("指南P1C1§4.4", "formal"),
        "C03": Rule("指南P1C2§7.4", "formal"),
        "C04": Rule("指南P2C2§3.3", "formal"),
        "C05": Rule("指南P1C2§7.4", "formal"),
        "C07": Rule("细则23.1", "formal"),
        "C08": Rule("细则24.3；指南P2C2§3.3.1", "formal"),
        "C09": Rule("指南P2C2§3.3.2", "formal"),
        "C10": Rule("法26.4；指南P2C2§3.2.3", "rejection"),
        "C11": Rule("细则110", "fee"),
        "I01": Rule("细则24.1；指南P2C2§3.3.1", "formal"),
        "I02": Rule(clarity, "rejection"),
        "D01": Rule("细则25.1；指南P2C2§3.3.2", "formal"),
        "D02": Rule("细则25.1；指南P2C2§3.3.2", "formal"),
        "D03": Rule("细则25.2；指南P2C2§3.3.2", "formal"),
        "D04": Rule("细则25.1；指南P2C2§3.3.2", "formal"),
        "D05": Rule(multiple, "formal"),
        "D06": Rule(multiple, "formal"),
        "D07": Rule("指南P2C2§3.3.2", "style"),
        "W01": Rule(clarity, "rejection"),
        "W02": Rule(clarity, "rejection"),
        "W03": Rule(clarity, "rejection"),
        "W04": Rule(clarity, "rejection"),
        "W05": Rule("细则22.3；指南P2C2§3.3", "formal"),
        "W11": Rule("法26.4；指南P2C2§3.2.3", "rejection"),
        "W12": Rule(words, "rejection"),
        "W15": Rule("撰写惯例", "style"),
        "W16": Rule("撰写惯例", "style"),
        "W17": Rule("撰写惯例", "style"),
        "W18": Rule("撰写惯例（参见法26.4）", "style"),
    }


RULES: Mapping[str, Rule] = MappingProxyType(_rules())
UNLISTED = Rule("规则包自定义", "style")


def finding(
    claim: int,
    rule: str,
    severity: Severity,
    span: tuple[int, int],
    message: str,
    message_en: str,
    *,
    article: str = "",
) -> Finding:
    """A finding whose article and consequence come from the catalogue of rules."""
    known = RULES.get(rule, UNLISTED)
    return Finding(
        claim=claim,
        rule=rule,
        severity=severity,
        article=article or known.article,
        start=span[0],
        end=span[1],
        message=message,
        message_en=message_en,
        consequence=known.consequence,
    )
