"""Whether a finished text may stand as a claim, and if not, why it is written again. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from console.drafting.duplicates import body, says_nothing_new
from console.drafting.events import RetryReason
from console.drafting.families import ReadClaim, family_of
from console.drafting.phrases import BREAKS_OFF, OF_ITSELF, RUNS_ON
from console.drafting.plan import PlannedClaim
from rules.linter import Claim, Finding, LintSettings, lint_claims


def problem_of(
    text: str,
    planned: PlannedClaim,
    claims: Sequence[ReadClaim],
    number: int,
    settings: LintSettings,
    enforced: Iterable[str],
) -> RetryReason | None:
    """Why `text` cannot be claim `number` among `claims`; None when it can."""
    if not text.strip("。 \n"):
        return "empty"
    if not text.endswith("。"):
        return "too_long"
    if RUNS_ON.search(text) or broken_rules(text, claims, number, settings, enforced):
        return "violation"
    if BREAKS_OFF.search(text) or OF_ITSELF.search(text) or text.count("其特征") > 1:
        return "junk"
    if planned.kind == "dependent" and "权利要求" in body(text):
        return "junk"
    return "duplicate" if _repeats(text, planned, claims, number) else None


def broken_rules(
    text: str,
    claims: Sequence[ReadClaim],
    number: int,
    settings: LintSettings,
    enforced: Iterable[str],
) -> set[str]:
    """The enforced rules that this claim breaks at error level, with the other claims around it."""
    others = [Claim(claim.number, claim.text) for claim in claims if claim.number != number]
    document = sorted([*others, Claim(number, text)], key=lambda claim: claim.number)
    found: list[Finding] = lint_claims(document, settings)
    rules = set(enforced)
    return {
        finding.rule
        for finding in found
        if finding.claim == number and finding.severity == "error" and finding.rule in rules
    }


def _repeats(text: str, planned: PlannedClaim, claims: Sequence[ReadClaim], number: int) -> bool:
    if planned.kind == "independent":
        return any(claim.text == text for claim in claims if claim.number != number)
    family = [claim for claim in family_of(claims, planned) if claim.number != number]
    siblings = [claim.text for claim in family if claim.kind == "dependent"]
    parents = [claim.text for claim in family if claim.kind == "independent"]
    return says_nothing_new(text, siblings, parents)


def enforced_rules(document: Mapping[str, Any]) -> tuple[str, ...]:
    """The rules that a pack's grammar claims to enforce, from its document."""
    return tuple(document.get("enforces", ()))
