"""Passwords that the console makes itself."""

import secrets

# No letters or digits that are mistaken for one another when read from a screen.
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
GROUPS, GROUP_LENGTH = 4, 4


def generated() -> str:
    """Like "h4kq-…": about 79 bits."""
    groups = range(GROUPS)
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(GROUP_LENGTH)) for _ in groups)
