"""What a rule pack tells the linter: the table of terms and the switches of the office."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rules.linter.findings import Severity

Only = Literal["", "before_number", "after_number", "without_quantity"]

# Words that are a fault only beside (or without) a figure, wherever a pack does not say otherwise.
USUAL_ONLY: Mapping[str, Only] = {
    "约": "before_number",
    "接近": "before_number",
    "左右": "after_number",
    "高温": "without_quantity",
    "低温": "without_quantity",
    "高压": "without_quantity",
    "低压": "without_quantity",
}


@dataclass(frozen=True)
class TermRule:
    """One row of a pack's table of words.

    An occurrence of `term` is a breach unless it lies inside an occurrence of one of `allowed_in`.
    `only` narrows it to occurrences right before a number, right after one, or in a clause that
    gives no temperature or pressure. A `whole_word` counts in any case, and not inside a longer
    word. Empty messages are filled in from the rule.
    """

    term: str
    rule: str
    severity: Severity
    allowed_in: tuple[str, ...] = ()
    replacement: str = ""
    article: str = ""
    message_zh: str = ""
    message_en: str = ""
    only: Only = ""
    whole_word: bool = False

    def __post_init__(self) -> None:
        if not self.term:
            raise ValueError("a term rule needs a term")
        if self.severity not in ("error", "warning", "info"):
            raise ValueError(f"severity of {self.term!r} is {self.severity!r}")

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "TermRule":
        message = row.get("message") or {}
        term = str(row["term"])
        return cls(
            term=term,
            rule=str(row["rule"]),
            severity=row["severity"],
            allowed_in=tuple(row.get("allowed_in") or ()),
            replacement=str(row.get("replacement") or ""),
            article=str(row.get("article") or ""),
            message_zh=str(message.get("zh") or ""),
            message_en=str(message.get("en") or ""),
            only=row["only"] if "only" in row else USUAL_ONLY.get(term, ""),
            whole_word=bool(row.get("whole_word")),
        )


@dataclass(frozen=True)
class LintSettings:
    """terms: the table of words. free_claims: how many claims the filing fee covers.
    off: ids of rules that this office or client does not want to see."""

    terms: tuple[TermRule, ...] = ()
    free_claims: int = 10
    multi_on_multi: Literal["forbid", "forbid_indirect", "allow"] = "forbid"
    off: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def from_pack(cls, document: Mapping[str, Any]) -> "LintSettings":
        """Settings out of a pack document: its `forbidden` rows and its `linter` object."""
        rows: Sequence[Mapping[str, Any]] = document.get("forbidden") or ()
        options: Mapping[str, Any] = document.get("linter") or {}
        return cls(
            terms=tuple(TermRule.from_row(row) for row in rows),
            free_claims=int(options.get("free_claims", cls.free_claims)),
            multi_on_multi=options.get("multi_on_multi", cls.multi_on_multi),
            off=frozenset(options.get("off") or ()),
        )
