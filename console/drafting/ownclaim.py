"""The agent's own claim 1, as it comes out of a file or a letter. Pure."""

from rules.linter.document import read_claim_set


def own_claim(text: str) -> str | None:
    """The one claim of the text, without its number; None for several, for none, or a later one."""
    claims = read_claim_set(text)
    return claims[0].text if len(claims) == 1 and claims[0].number == 1 else None
