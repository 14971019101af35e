"""The one exception of this package's building code."""


class BuildError(Exception):
    """A model could not be built. `code` is for programs, the message tells an operator what to do.

    Codes: package-missing, source-damaged, adapter-damaged, no-recipe, no-space.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
