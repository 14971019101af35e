"""Terminals whose end the engine could not see, closed where that is certain.

In `PROSE "。"` the engine, which looks one byte ahead, would not see PROSE end: 。 shares its first
byte with 、 and others. Where no text of PROSE can hold the closing character, the two become one
terminal, which ends visibly and means the same.
"""

from dataclasses import replace

from .language import Terminals
from .shape import ShapeChecks
from .terminals import terminal_text
from .tree import (
    Both,
    Choice,
    Definition,
    Grammar,
    Literal_,
    Node,
    Not,
    Reference,
    Repeat,
    Sequence_,
)


def repair(grammar: Grammar) -> Grammar:
    """The grammar with closing characters drawn into the terminals before them."""
    return _Repairer(grammar).grammar()


class _Repairer:
    def __init__(self, grammar: Grammar) -> None:
        self.source = grammar
        self.shapes = ShapeChecks(grammar)
        self.terminals = Terminals(self.shapes.definitions)
        self.closed: dict[str, Definition] = {}

    def grammar(self) -> Grammar:
        definitions = [
            definition if definition.is_terminal else self._repaired(definition)
            for definition in self.source.definitions
        ]
        return replace(self.source, definitions=(*definitions, *self.closed.values()))

    def _repaired(self, definition: Definition) -> Definition:
        return replace(definition, node=self._node(definition.node))

    def _node(self, node: Node) -> Node:
        match node:
            case Sequence_():
                return replace(node, items=tuple(self._items(node.items)))
            case Choice() | Both():
                return replace(node, items=tuple(self._node(item) for item in node.items))
            case Repeat() | Not():
                return replace(node, item=self._node(node.item))
            case _:
                return node

    def _items(self, items: tuple[Node, ...]) -> list[Node]:
        left: list[Node] = []
        for item in items:
            open_ = left[-1] if left else None
            if (
                open_ is not None
                and isinstance(item, Literal_)
                and self.shapes.is_open(open_)
                and self._ends(open_, item.text)
            ):
                left[-1] = self._closed(open_, item)
            else:
                left.append(self._node(item))
        return left

    def _ends(self, open_: Node, closing: str) -> bool:
        """Whether the closing text's last character stands nowhere before it."""
        last = closing[-1:]
        if not last or last in closing[:-1]:
            return False
        return not self.terminals.can_hold(terminal_text(open_), last)

    def _closed(self, open_: Node, closing: Literal_) -> Reference:
        body = Sequence_((open_, closing), open_.place)
        text = terminal_text(body)
        if text not in self.closed:
            name = f"CLOSED__{len(self.closed)}"
            self.closed[text] = Definition(name, body, open_.place)
        return Reference(self.closed[text].name, open_.place)
