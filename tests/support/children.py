"""What a test hands on to the programs that it starts."""

import os
from collections.abc import Mapping

# Playwright needs it in the test's own process. In a child it would hide real mistakes.
ASYNC_UNSAFE = "DJANGO_ALLOW_ASYNC_UNSAFE"


def environment(changes: Mapping[str, str]) -> dict[str, str]:
    """The test's own environment with these changes, as a child process gets it."""
    return {name: value for name, value in os.environ.items() if name != ASYNC_UNSAFE} | changes
