"""What the texts of a terminal are, asked of the engine itself: which patterns it takes, whether
there is any text, whether one can hold a character or repeat it without end."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from llguidance import LLMatcher, LLTokenizer

from .errors import Problem
from .forbidden import ANYTHING, ANYTHING_LINE
from .limits import LIMITS
from .patterns import outline
from .terminals import quoted, terminal_text
from .tree import (
    Definition,
    Grammar,
    Pattern,
    Place,
    walk,
)
from .workbench import Workbench


@cache
def byte_tokenizer() -> LLTokenizer:
    return LLTokenizer("byte")


class Terminals:
    """The terminals of a grammar, without the table of forbidden terms."""

    def __init__(self, definitions: Mapping[str, Definition]) -> None:
        self.definitions = {n: d for n, d in definitions.items() if d.is_terminal}
        self.texts = {n: terminal_text(d.node) for n, d in self.definitions.items()}

    def closure(self, text: str) -> str:
        """The lines that an expression needs."""
        names: dict[str, None] = {}
        queue = [text]
        for expression in queue:
            for name in re.findall(r"_?[A-Z][_A-Z0-9]*", _UNQUOTED.sub("", expression)):
                if name in self.texts and name not in names:
                    names[name] = None
                    queue.append(self.texts[name])
        lines = [f"{name}: {self.texts[name]}" for name in names]
        return "\n".join([*lines, ANYTHING_LINE])

    def matcher(self, text: str) -> LLMatcher:
        """A matcher for one expression. It may be in error."""
        lark = f"start: ASKED__\nASKED__: {text}\n{self.closure(text)}\n"
        return LLMatcher(byte_tokenizer(), LLMatcher.grammar_from_lark(lark), log_level=0)

    def is_empty(self, text: str) -> bool:
        """Whether no text at all matches; False where the engine does not take the expression."""
        running = self.matcher(text)
        if running.is_error() or running.is_accepting():
            return False
        mask = running.compute_bitmask()
        return not any(mask[:32])

    def can_hold(self, text: str, character: str) -> bool:
        """Whether a text of the expression can hold the character; True where in doubt."""
        return not self.is_empty(f"({text}) & ({ANYTHING} {quoted(character)} {ANYTHING})")

    def endless_run(self, text: str, characters: Iterator[str] | tuple[str, ...]) -> str:
        """The first of the characters that may stand LIMITS.run times in a row, at the start or
        where what is forced has been written."""
        start = self.matcher(text)
        starts = [start]
        if forced := start.compute_ff_tokens():
            starts.append(start.deep_copy())
            starts[1].consume_tokens(forced)
        for character in characters:
            data = list((character * LIMITS.run).encode())
            if any(place.deep_copy().try_consume_tokens(data) == len(data) for place in starts):
                return character
        return ""

    def takes(self, text: str, character: str) -> bool:
        """Whether the character alone is a text of the expression."""
        running = self.matcher(text)
        taken = running.try_consume_tokens(list(character.encode()))
        return taken == len(character.encode()) and bool(running.is_accepting())


_UNQUOTED = re.compile(r'"(?:\\.|[^"\\])*"|/(?:\\.|[^/\\])+/')


class LanguageChecks(Workbench):
    def __init__(self, grammar: Grammar) -> None:
        super().__init__(grammar)
        self.terminals = Terminals(self.definitions)

    def patterns(self) -> Iterator[Problem]:
        for definition in self.grammar.definitions:
            for node in walk(definition.node):
                if isinstance(node, Pattern):
                    yield from self._pattern(node)

    def _pattern(self, node: Pattern) -> Iterator[Problem]:
        found = outline(node.source).found
        for item in found:
            zh, en, hint_zh, hint_en = _SAID[item.code]
            place = Place(node.place.line, node.place.column + 1 + item.offset)
            yield self.problem(item.code, place, zh, en, hint_zh, hint_en)
        if found:
            return
        running = self.terminals.matcher(f"/{node.source}/")
        if running.is_error():
            said = re.findall(r"error: ([^\n]+)", running.get_error()) or ["it cannot be read"]
            yield self.problem(
                "bad-pattern",
                node.place,
                f"引擎不能识别这个正则表达式：{said[-1]}。",
                f"The engine cannot read this expression: {said[-1]}.",
            )

    def empty(self) -> Iterator[Problem]:
        for name, definition in self.terminals.definitions.items():
            if self.terminals.matcher(name).is_error():
                yield self.problem(
                    "engine-limit",
                    definition.place,
                    f"“{name}”超出了引擎的限度。",
                    f"“{name}” is more than the engine can carry.",
                    "请减少用“&”连接的条件或重复次数。",
                    "Use fewer conditions joined by “&”, or smaller counts.",
                )
            elif self.terminals.is_empty(name):
                yield self.problem(
                    "accepts-nothing",
                    definition.place,
                    f"没有任何文字符合“{name}”。",
                    f"No text at all matches “{name}”.",
                    "“&”两边的条件互相排斥，请检查。",
                    "What “&” joins excludes each other.",
                )


_SAID = {
    "look-around": (
        "引擎不支持前后查看（?= ?! ?<= ?<!）。",
        "The engine has no look-around.",
        f'写成条件，例如 /[a-z]+/ & ~({ANYTHING} "x" {ANYTHING})。',
        f'Write a condition, as in /[a-z]+/ & ~({ANYTHING} "x" {ANYTHING}).',
    ),
    "lazy-repetition": (
        "引擎没有非贪婪重复（*? +? ??）。",
        "The engine has no lazy repetition.",
        "用不含结束符的字符类代替，例如 /[^。]+。/。",
        "Use a class without the closing mark, as in /[^。]+。/.",
    ),
    "possessive-repetition": (
        "引擎没有占有重复（*+ ++）。",
        "The engine has no possessive repetition.",
        "删去第二个加号。",
        "Remove the second plus.",
    ),
    "backreference": (
        "引擎不支持反向引用。",
        "The engine has no back-references.",
        "把可能的文字逐一列出。",
        "List the texts that are possible.",
    ),
    "anchor": (
        "终结符总是整体匹配，不能使用 ^ $ \\b 等位置标记。",
        "A terminal always matches as a whole; ^ $ \\b have no place in it.",
        "删去它。",
        "Remove it.",
    ),
}
