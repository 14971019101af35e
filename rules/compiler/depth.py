"""Recursion, unrolled as deep as the pack's max_depth says: nothing recursive reaches the engine.

Each rule of a cycle is copied for every depth at which it may stand; where a rule would stand
deeper than it may, the alternative that needs it is left out. check.py has made sure that every
cycle passes a rule with a depth and that every rule can be finished; the shortest way to finish one
never passes a rule twice, so any depth leaves one.
"""

from collections.abc import Mapping
from dataclasses import replace

from .errors import PackError, Problem, caret
from .limits import LIMITS
from .recursion import mentions, recursive
from .tree import Both, Choice, Definition, Grammar, Node, Not, Reference, Repeat, Sequence_

Depths = tuple[tuple[str, int], ...]
"""How deep each rule of max_depth stands, within one cycle."""


def unroll(grammar: Grammar, max_depth: Mapping[str, int]) -> Grammar:
    """The grammar without recursion. Raises PackError: too-large."""
    if not max_depth:
        return grammar
    return _Unroller(grammar, max_depth).grammar()


class _Unroller:
    def __init__(self, grammar: Grammar, max_depth: Mapping[str, int]) -> None:
        self.source = grammar
        self.max_depth = max_depth
        self.definitions = {definition.name: definition for definition in grammar.definitions}
        self.recursive = recursive(mentions(self.definitions))
        self.copies: dict[tuple[str, Depths], str | None] = {}
        self.made: dict[str, Definition] = {}

    def grammar(self) -> Grammar:
        for definition in self.source.definitions:
            if definition.name in self.recursive:
                self._copy(definition.name, ())
            else:
                node = self._node(definition.node, "", ()) or definition.node
                self.made[definition.name] = replace(definition, node=node)
        return replace(self.source, definitions=tuple(self.made.values()))

    def _copy(self, name: str, depths: Depths) -> str | None:
        """The name of the copy of a rule that stands inside others of its cycle `depths` deep."""
        inside = dict(depths)
        if name in self.max_depth:
            inside[name] = inside.get(name, 0) + 1
            if inside[name] > self.max_depth[name]:
                return None
        key = (name, tuple(sorted(inside.items())))
        if key not in self.copies:
            if len(self.copies) >= LIMITS.unrolled:
                raise PackError((self._too_large(self.definitions[name]),))
            outermost = not depths
            copy = name if outermost else f"{name}__d{len(self.copies)}"
            self.copies[key] = copy
            definition = self.definitions[name]
            node = self._node(definition.node, name, key[1])
            if node is None:
                self.copies[key] = None
            else:
                self.made[copy] = replace(definition, name=copy, node=node)
        return self.copies[key]

    def _node(self, node: Node, inside: str, depths: Depths) -> Node | None:
        """The node with references to copies; None where it cannot be written this deep."""
        match node:
            case Reference():
                if node.name not in self.recursive:
                    return node
                shared = self.recursive.get(inside) == self.recursive[node.name]
                copy = self._copy(node.name, depths if shared else ())
                return replace(node, name=copy) if copy else None
            case Choice():
                items = [self._node(item, inside, depths) for item in node.items]
                left = tuple(item for item in items if item is not None)
                return replace(node, items=left) if left else None
            case Sequence_() | Both():
                items = [self._node(item, inside, depths) for item in node.items]
                whole = tuple(item for item in items if item is not None)
                return replace(node, items=whole) if len(whole) == len(items) else None
            case Repeat():
                item = self._node(node.item, inside, depths)
                if item is None:
                    return Sequence_((), node.place) if node.low == 0 else None
                return replace(node, item=item)
            case Not():
                item = self._node(node.item, inside, depths)
                return replace(node, item=item) if item else None
            case _:
                return node

    def _too_large(self, definition: Definition) -> Problem:
        place = definition.place
        return Problem(
            "too-large",
            place.line,
            place.column,
            caret(self.source.source, place.line, place.column),
            f"按 max_depth 展开“{definition.name}”超过{LIMITS.unrolled}条规则。",
            f"Unrolled as max_depth says, “{definition.name}” makes more than "
            f"{LIMITS.unrolled} rules.",
            "请减小层数。",
            "Give smaller depths.",
        )
