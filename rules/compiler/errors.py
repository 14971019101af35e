"""What the compiler says to a rule author.

PackError                one or more problems; nothing was compiled
  .problems              tuple[Problem, ...], in the order of their places
  .code                  the first problem's code
StateError               the pack is fine, the claim's state is not (unknown subject, …)
"""

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Problem:
    """One finding about a pack. `line` and `column` count from 1 in the Lark text; 0 where the
    problem is in pack.json, and `excerpt` then names the place there."""

    code: str
    line: int
    column: int
    excerpt: str
    message_zh: str
    message_en: str
    hint_zh: str = ""
    hint_en: str = ""

    def as_dict(self) -> dict[str, str | int]:
        return asdict(self)

    def __str__(self) -> str:
        place = f"{self.line}:{self.column}: " if self.line else ""
        hint = f"\n  {self.hint_en}" if self.hint_en else ""
        return f"{place}{self.message_en} [{self.code}]\n{self.excerpt}{hint}"


class PackError(Exception):
    """The pack cannot be compiled. Carries every problem that was found, not only the first."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems
        self.code = problems[0].code


class StateError(Exception):
    """A claim's state contradicts itself or the pack, so no grammar can be made for this claim."""

    def __init__(self, code: str, message_zh: str, message_en: str) -> None:
        super().__init__(message_en)
        self.code = code
        self.message_zh = message_zh
        self.message_en = message_en


_SHOWN = 120
"""Characters of a long line that an excerpt shows before and behind the place."""


def caret(source: str, line: int, column: int) -> str:
    """The line of `source` with a caret under the column; wide characters count double, so the
    caret stands right in a terminal."""
    lines = source.split("\n")
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    start = max(0, column - 1 - _SHOWN)
    before = text[start : column - 1]
    width = sum(2 if ord(character) > 0x2E7F else 1 for character in before)
    return f"{text[start : column - 1 + _SHOWN]}\n{' ' * width}^"
