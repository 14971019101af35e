"""Checks of how rules and terminals are built: what could not be finished, reached or run."""

import re
from collections.abc import Iterator

from .errors import Problem
from .forbidden import ANYTHING
from .limits import LIMITS
from .patterns import outline
from .recursion import components, mentions
from .tree import (
    Both,
    Call,
    Choice,
    Literal_,
    Node,
    Not,
    Pattern,
    Reference,
    Repeat,
    Sequence_,
    walk,
)
from .workbench import Workbench

_ANY_CHARACTERS = re.compile(r"^(\(\?s:\.\*\)|\.\*)|(?<!\\)(\(\?s:\.\*\)|\.\*)$")
_TAIL = re.compile(r"(\[(?:\\.|[^\]\\])*\]|\\.|[^\\])(?:[+*?]|\{[0-9]+,[0-9]*\})$")


def open_ended(pattern: str) -> bool:
    """Whether a regular expression ends with an optional or repeated part that is not plain
    ASCII."""
    tail = _TAIL.search(pattern)
    if tail is None:
        return False
    atom = tail[1]
    return atom == "." or atom == ")" or atom.startswith("[^") or not atom.isascii()


class ShapeChecks(Workbench):
    def terminals(self) -> Iterator[Problem]:
        for definition in self.grammar.definitions:
            for node in walk(definition.node):
                if definition.is_terminal and isinstance(node, Call):
                    yield self.problem(
                        "call-in-terminal",
                        node.place,
                        "终结符中不能使用参数，请写在规则里。",
                        "A terminal cannot use parameters; write this in a rule.",
                    )
                elif definition.is_terminal and isinstance(node, Reference):
                    if (
                        node.name in self.definitions
                        and not self.definitions[node.name].is_terminal
                    ):
                        yield self.problem(
                            "rule-in-terminal",
                            node.place,
                            f"终结符中不能引用规则“{node.name}”。",
                            f"A terminal cannot refer to the rule “{node.name}”.",
                        )
                elif not definition.is_terminal and isinstance(node, Both | Not):
                    yield self.problem(
                        "operator-in-rule",
                        node.place,
                        "“&”和“~”只能用于终结符。",
                        "“&” and “~” work on terminals only.",
                    )
        for reference in self.grammar.forbidding:
            target = self.definitions.get(reference.name)
            if target and any(isinstance(node, Call) for node in walk(target.node)):
                yield self.problem(
                    "call-in-terminal",
                    reference.place,
                    f"“{reference.name}”含有参数。",
                    f"“{reference.name}” uses parameters.",
                )

    def engine_traps(self) -> Iterator[Problem]:
        """What parses but would not work in the engine, however right it looks."""
        for definition in self.grammar.definitions:
            for node in walk(definition.node):
                if isinstance(node, Pattern) and _ANY_CHARACTERS.search(node.source):
                    yield self.problem(
                        "any-characters",
                        node.place,
                        "以“.*”开头或结尾的正则表达式会使引擎无休止地搜索。",
                        "An expression that begins or ends with “.*” sends the engine searching.",
                        f'请使用 {ANYTHING}，例如：{ANYTHING} "权利要求" {ANYTHING}',
                        f'Use {ANYTHING}, as in: {ANYTHING} "权利要求" {ANYTHING}',
                    )
                if definition.is_terminal or not self.is_open(node):
                    continue
                yield self.problem(
                    "open-terminal",
                    node.place,
                    "这里的结尾引擎看不出来：中文字符的首字节相同，引擎只向前看一个字节。",
                    "The engine cannot see where this ends: it looks one byte ahead, and Chinese "
                    "characters share their first bytes.",
                    '把结束标点写进终结符，例如：PROSE "。"',
                    'Put the closing mark inside the terminal, as in: PROSE "。"',
                )

    def is_open(self, node: Node, seen: tuple[str, ...] = ()) -> bool:
        """Whether a terminal used in a rule may go on with other than ASCII where it could end."""
        match node:
            case Pattern():
                return open_ended(node.source)
            case Reference():
                definition = self.definitions.get(node.name)
                if definition is None or not definition.is_terminal or node.name in seen:
                    return False
                return self._open_tail(definition.node, (*seen, node.name))
            case _:
                return False

    def _open_tail(self, node: Node, seen: tuple[str, ...]) -> bool:
        match node:
            case Sequence_():
                return self._open_tail(node.items[-1], seen)
            case Choice():
                return any(self._open_tail(item, seen) for item in node.items)
            case Both():
                return all(self._open_tail(item, seen) for item in node.items)
            case Repeat():
                varies = node.high is None or node.high > node.low
                ascii_only = isinstance(node.item, Literal_) and node.item.text.isascii()
                return (varies and not ascii_only) or self._open_tail(node.item, seen)
            case Not():
                return True
            case _:
                return self.is_open(node, seen)

    def slow(self, terms: int) -> Iterator[Problem]:
        """Counts over Chinese text under a table of `terms` forbidden terms."""
        if terms <= LIMITS.guarded_terms:
            return
        seen: set[str] = set()
        queue = [reference.name for reference in self.grammar.forbidding]
        for name in queue:
            definition = self.definitions.get(name)
            if definition is None or name in seen:
                continue
            seen.add(name)
            for node in walk(definition.node):
                if isinstance(node, Reference):
                    queue.append(node.name)
                elif self._counted(node) > LIMITS.guarded_repetition:
                    yield self.problem(
                        "slow-repetition",
                        node.place,
                        f"在{terms}个禁用词语之下限定次数会使生成变慢。",
                        f"A count under {terms} forbidden terms makes writing slow.",
                        "改用 +，或者把词语减少到"
                        f"{LIMITS.guarded_terms}个以内，或者次数不超过{LIMITS.guarded_repetition}。",
                        f"Use +, or at most {LIMITS.guarded_terms} terms, or a count of at most "
                        f"{LIMITS.guarded_repetition}.",
                    )

    def _counted(self, node: Node) -> int:
        match node:
            case Pattern():
                return outline(node.source).most_wide
            case Repeat():
                return max(node.low, node.high or 0) if self._wide(node.item) else 0
            case _:
                return 0

    def _wide(self, node: Node, seen: frozenset[str] = frozenset()) -> bool:
        """Whether the part of a terminal can hold other than ASCII."""
        for part in walk(node):
            match part:
                case Literal_() if not part.text.isascii():
                    return True
                case Pattern() if not part.source.isascii() or "\\u" in part.source:
                    return True
                case Reference() if part.name in self.definitions and part.name not in seen:
                    if self._wide(self.definitions[part.name].node, seen | {part.name}):
                        return True
        return False

    def endless(self) -> Iterator[Problem]:
        """Rules and terminals that can never be finished."""
        order = [name for group in components(mentions(self.definitions)) for name in group]
        done: set[str] = set()
        grown = True
        while grown:
            grown = False
            for name in order:
                if name not in done and self._finishes(self.definitions[name].node, done):
                    done.add(name)
                    grown = True
        for name, definition in self.definitions.items():
            if name not in done:
                yield self.problem(
                    "unproductive",
                    definition.place,
                    f"“{name}”永远无法写完。",
                    f"“{name}” can never be finished.",
                    "每个递归都需要一个不再递归的选项。",
                    "Every recursion needs an alternative that does not recurse.",
                )

    def _finishes(self, node: Node, done: set[str]) -> bool:
        match node:
            case Literal_() | Pattern() | Call():
                return True
            case Reference():
                return node.name in done or node.name not in self.definitions
            case Choice():
                return any(self._finishes(item, done) for item in node.items)
            case Repeat():
                return node.low == 0 or self._finishes(node.item, done)
            case Not():
                return self._finishes(node.item, done)
            case Sequence_() | Both():
                return all(self._finishes(item, done) for item in node.items)
