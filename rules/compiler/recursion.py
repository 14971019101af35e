"""Rules that contain themselves: which do, on which way round, and whether they come first."""

from collections.abc import Iterator, Mapping

from .errors import Problem
from .tree import (
    Both,
    Call,
    Choice,
    Definition,
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

Graph = dict[str, tuple[str, ...]]


def mentions(definitions: Mapping[str, Definition]) -> Graph:
    """For each rule or terminal those that it mentions, in order."""
    return {
        name: tuple(
            dict.fromkeys(
                found
                for node in walk(definition.node)
                for found in (
                    (node.name,)
                    if isinstance(node, Reference)
                    else node.arguments[1:]
                    if isinstance(node, Call)
                    else ()
                )
                if found in definitions
            )
        )
        for name, definition in definitions.items()
    }


def cycle_from(name: str, graph: Graph, avoided: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The shortest way from a name back to itself, both ends included; empty where there is none.
    `avoided` names are not passed."""
    if name in avoided:
        return ()
    came: dict[str, str] = {}
    queue = [name]
    for here in queue:
        for there in graph[here]:
            if there == name:
                way = [name]
                while here != name:
                    way.append(here)
                    here = came[here]
                return (name, *reversed(way))
            if there not in came and there not in avoided:
                came[there] = here
                queue.append(there)
    return ()


def components(graph: Graph) -> list[tuple[str, ...]]:
    """The names in groups that reach each other, each group behind those that it mentions."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    open_: list[str] = []
    is_open: set[str] = set()
    found: list[tuple[str, ...]] = []
    for root in graph:
        work = [] if root in index else [(root, iter(graph[root]))]
        while work:
            name, rest = work[-1]
            if name not in index:
                index[name] = low[name] = len(index)
                open_.append(name)
                is_open.add(name)
            for there in rest:
                if there not in index:
                    work.append((there, iter(graph[there])))
                    break
                if there in is_open:
                    low[name] = min(low[name], index[there])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == index[name]:
                    cut = open_.index(name)
                    found.append(tuple(open_[cut:]))
                    is_open.difference_update(open_[cut:])
                    del open_[cut:]
    return found


def recursive(graph: Graph) -> dict[str, int]:
    """The names that contain themselves, each with the number of its group."""
    return {
        name: number
        for number, group in enumerate(components(graph))
        for name in group
        if len(group) > 1 or name in graph[name]
    }


def nullable(definitions: Mapping[str, Definition]) -> frozenset[str]:
    """The rules that may stand for nothing. Terminals are taken to stand for something."""
    known: set[str] = set()

    def empty(node: Node) -> bool:
        match node:
            case Literal_():
                return not node.text
            case Pattern() | Call() | Both() | Not():
                return False
            case Reference():
                return node.name in known
            case Choice():
                return any(empty(item) for item in node.items)
            case Sequence_():
                return all(empty(item) for item in node.items)
            case Repeat():
                return node.low == 0 or empty(node.item)

    grown = True
    while grown:
        fresh = {
            name
            for name, definition in definitions.items()
            if not definition.is_terminal and name not in known and empty(definition.node)
        }
        known |= fresh
        grown = bool(fresh)
    return frozenset(known)


def beginnings(definitions: Mapping[str, Definition]) -> Graph:
    """For each rule those that it may begin with."""
    absent = nullable(definitions)

    def skippable(node: Node) -> bool:
        match node:
            case Reference():
                return node.name in absent
            case Repeat():
                return node.low == 0 or skippable(node.item)
            case Choice():
                return any(skippable(item) for item in node.items)
            case Sequence_():
                return all(skippable(item) for item in node.items)
            case _:
                return False

    def first(node: Node) -> Iterator[str]:
        match node:
            case Reference():
                if node.name in definitions:
                    yield node.name
            case Repeat():
                yield from first(node.item)
            case Choice():
                for item in node.items:
                    yield from first(item)
            case Sequence_():
                for item in node.items:
                    yield from first(item)
                    if not skippable(item):
                        return

    return {
        name: () if definition.is_terminal else tuple(dict.fromkeys(first(definition.node)))
        for name, definition in definitions.items()
    }


class RecursionChecks(Workbench):
    """`max_depth` is the pack's table of how deep rules may contain themselves."""

    def recursion(self, max_depth: Mapping[str, int]) -> Iterator[Problem]:
        graph, starts = mentions(self.definitions), beginnings(self.definitions)
        bounded = frozenset(max_depth)
        told: set[str] = set()
        looping = recursive(graph)
        for name, definition in self.definitions.items():
            if name in told or name not in looping:
                continue
            if way := cycle_from(name, starts):
                told.update(way)
                yield self._left(definition, way)
            elif way := cycle_from(name, graph, bounded):
                told.update(way)
                yield self._endless(definition, way)
        for name in max_depth:
            definition_ = self.definitions.get(name)
            if definition_ is None or name not in looping:
                yield Problem(
                    "depth-without-recursion",
                    definition_.place.line if definition_ else 0,
                    definition_.place.column if definition_ else 0,
                    f"max_depth/{name}",
                    f"max_depth 中的“{name}”不是包含自身的规则。",
                    f"“{name}” in max_depth is no rule that contains itself.",
                    "从 max_depth 中删除它。",
                    "Remove it from max_depth.",
                )

    def _left(self, definition: Definition, way: tuple[str, ...]) -> Problem:
        cycle = " → ".join(way)
        direct = len(way) == 2
        return self.problem(
            "left-recursion" if direct else "indirect-left-recursion",
            definition.place,
            f"“{definition.name}”以自身开头：{cycle}。",
            f"“{definition.name}” begins with itself: {cycle}.",
            "把递归放到后面，或者改用重复：item+。",
            "Let the recursion come later, or use a repetition: item+.",
        )

    def _endless(self, definition: Definition, way: tuple[str, ...]) -> Problem:
        cycle = " → ".join(way)
        if definition.is_terminal:
            return self.problem(
                "terminal-recursion",
                definition.place,
                f"终结符“{definition.name}”包含自身：{cycle}。",
                f"The terminal “{definition.name}” contains itself: {cycle}.",
                "递归只能写在规则（小写）里。",
                "Only rules, in lower case, may contain themselves.",
            )
        return self.problem(
            "recursion-without-depth",
            definition.place,
            f"“{definition.name}”包含自身而没有规定层数：{cycle}。",
            f"“{definition.name}” contains itself without a depth: {cycle}.",
            f'在规则包的 max_depth 中写明层数，例如 "{definition.name}": 3。',
            f'Give a depth in max_depth of the pack, as in "{definition.name}": 3.',
        )
