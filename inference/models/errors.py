"""The one exception of this package."""


class ModelError(Exception):
    """No model for this profile. `code` is for programs, the message says what to do about it.

    Codes: unknown-profile, bad-profile, no-recipe, package-missing, source-damaged,
    adapter-damaged, disk.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
