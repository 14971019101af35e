"""How large a grammar is when everything that it counts and names is written out.

Asked before anything walks down references: nested counts and terminals that double each other grow
without bound on little paper.
"""

from collections.abc import Iterator
from itertools import islice

from .errors import Problem
from .limits import LIMITS
from .patterns import outline
from .recursion import components, mentions
from .tree import Definition, Literal_, Node, Pattern, Place, Reference, Repeat, children, walk
from .workbench import Workbench


class SizeChecks(Workbench):
    def sizes(self) -> Iterator[Problem]:
        if len(self.grammar.definitions) > LIMITS.definitions:
            place = self.grammar.definitions[LIMITS.definitions].place
            yield self._too_large(place, "规则和终结符", "rules and terminals", LIMITS.definitions)
            return
        parts = [
            problem
            for definition in self.grammar.definitions
            for node in walk(definition.node)
            for problem in self._part(node)
        ]
        yield from parts or islice(self._written_out(), 1)

    def _part(self, node: Node) -> Iterator[Problem]:
        match node:
            case Literal_() if len(node.text) > LIMITS.literal:
                yield self._too_large(
                    node.place, "字符串的字符数", "characters of a string", LIMITS.literal
                )
            case Pattern() if len(node.source) > LIMITS.pattern:
                yield self._too_large(
                    node.place, "正则表达式的字符数", "characters of an expression", LIMITS.pattern
                )
            case Pattern() if outline(node.source).depth > LIMITS.nesting:
                yield self._too_large(
                    node.place, "括号的层数", "brackets within brackets", LIMITS.nesting
                )
            case Pattern() if outline(node.source).most > LIMITS.repetition:
                yield self._too_large(node.place, "重复次数", "repetitions", LIMITS.repetition)
            case Repeat() if max(node.low, node.high or 0) > LIMITS.repetition:
                yield self._too_large(node.place, "重复次数", "repetitions", LIMITS.repetition)

    def _written_out(self) -> Iterator[Problem]:
        """Terminals with all that they name, rules by themselves; what is named comes first."""
        sizes: dict[str, int] = {}
        depths: dict[str, int] = {}
        graph = mentions(self.definitions)
        for component in components(graph):
            for name in component:
                definition = self.definitions[name]
                below = [depths.get(other, 0) for other in graph[name]]
                depths[name] = 1 + max(below, default=0) if definition.is_terminal else 0
                size = self._size(definition.node, sizes if definition.is_terminal else {})
                sizes[name] = min(size, LIMITS.terminal_size + 1)
                yield from self._definition(definition, size, depths[name])

    def _definition(self, definition: Definition, size: int, depth: int) -> Iterator[Problem]:
        if depth > LIMITS.nesting:
            yield self._too_large(
                definition.place, "终结符的层数", "terminals within terminals", LIMITS.nesting
            )
        limit = LIMITS.terminal_size if definition.is_terminal else LIMITS.rule_size
        if size > limit:
            yield self._too_large(
                definition.place,
                f"“{definition.name}”展开后的大小",
                f"parts of “{definition.name}” written out",
                limit,
            )

    def _size(self, node: Node, sizes: dict[str, int]) -> int:
        match node:
            case Literal_():
                return len(node.text)
            case Pattern():
                return outline(node.source).size
            case Reference():
                return sizes.get(node.name, 1)
            case Repeat():
                times = node.low if node.high is None else node.high
                return self._size(node.item, sizes) * max(times, 1)
            case _:
                return 1 + sum(self._size(child, sizes) for child in children(node))

    def _too_large(self, place: Place, zh: str, en: str, limit: int) -> Problem:
        return self.problem(
            "too-large",
            place,
            f"{zh}超过上限{limit}。",
            f"There are more than {limit} {en}.",
            "请拆开或简化。",
            "Take it apart or make it simpler.",
        )
