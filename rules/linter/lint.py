"""The order of the checks over a whole claim set; each check is its own module."""

from collections.abc import Iterable, Sequence

from rules.linter.dependencies import check_dependencies
from rules.linter.findings import Claim, Finding
from rules.linter.phrasing import check_phrasing
from rules.linter.reading import ClaimInfo, read_set
from rules.linter.settings import LintSettings
from rules.linter.structure import check_structure, check_title
from rules.linter.words import check_words


def lint_claims(
    claims: Sequence[Claim], settings: LintSettings, *, title: str = ""
) -> list[Finding]:
    """All findings of the set, in the order of the claims and of the places in them.

    Offsets are into each claim's own text. Never raises on any text; the same input gives the
    same list. `title` is the invention's name: where the first claim opens with it as a line of
    its own, that line is reported under C03.
    """
    readings = read_set(claims)
    found = [
        *check_title(readings, title),
        *check_structure(readings, settings),
        *check_dependencies(readings, settings),
    ]
    for reading in readings:
        phrases = list(check_phrasing(reading))
        found.extend(phrases)
        found.extend(_beside(check_words(reading, settings.terms), phrases))
    kept = (item for item in dict.fromkeys(found) if item.rule not in settings.off)
    order = {claim.number: place for place, claim in reversed(list(enumerate(claims)))}
    return sorted(kept, key=lambda f: (order.get(f.claim, 0), f.start, f.end, f.rule))


def analyse(claims: Sequence[Claim], settings: LintSettings | None = None) -> list[ClaimInfo]:
    """What each claim is: its kind, subject, citations. The settings do not change the answer."""
    return [reading.info for reading in read_set(claims)]


def _beside(words: Iterable[Finding], phrases: Sequence[Finding]) -> Iterable[Finding]:
    """Words whose rule has not already reported a whole phrase around them."""
    return (
        word
        for word in words
        if not any(
            word.rule == phrase.rule and word.start < phrase.end and phrase.start < word.end
            for phrase in phrases
        )
    )
