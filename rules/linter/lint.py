"""The order of the checks over a whole claim set; each check is its own module."""

from collections.abc import Sequence

from rules.linter.dependencies import check_dependencies
from rules.linter.findings import Claim, Finding
from rules.linter.phrasing import check_phrasing
from rules.linter.reading import ClaimInfo, read_set
from rules.linter.settings import LintSettings
from rules.linter.structure import check_structure
from rules.linter.words import check_words


def lint_claims(
    claims: Sequence[Claim], settings: LintSettings, *, title: str = ""
) -> list[Finding]:
    """All findings of the set, in the order of the claims and of the places in them.

    Offsets are into each claim's own text. Never raises on any text; the same input gives the
    same list. `title` is the invention's name: a first claim that opens with it as a heading line
    is reported under C03.
    """
    readings = read_set(claims)
    found = [*check_structure(readings, settings), *check_dependencies(readings, settings)]
    for reading in readings:
        found.extend(check_phrasing(reading))
        found.extend(check_words(reading.number, reading.folded, settings.terms))
    kept = (item for item in dict.fromkeys(found) if item.rule not in settings.off)
    order = {claim.number: place for place, claim in reversed(list(enumerate(claims)))}
    return sorted(kept, key=lambda f: (order.get(f.claim, 0), f.start, f.end, f.rule))


def analyse(claims: Sequence[Claim], settings: LintSettings | None = None) -> list[ClaimInfo]:
    """What each claim is: its kind, subject, citations. The settings do not change the answer."""
    return [reading.info for reading in read_set(claims)]
