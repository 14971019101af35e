"""Stage 3: the checked grammar becomes flat rules, with holes that a claim's state fills.

* Groups, options and repetitions move into rules of their own, so that an alternative that the
  state empties can be dropped alone.
* Literals in rules are spelled one character at a time. llguidance's lexer is greedy, looks one
  byte ahead and never goes back; "任一" beside "任一项", or a subject that shares its first UTF-8
  byte with the word before it, would refuse lawful text. One character cannot be extended.
* Terminals that `%forbidden` names are intersected with the complement of the forbidden terms.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from .forbidden import ANYTHING, ANYTHING_LINE, conditions
from .terminals import quoted, terminal_text
from .terms import Term
from .tree import (
    Call,
    Choice,
    Definition,
    Grammar,
    Literal_,
    Node,
    Pattern,
    Reference,
    Repeat,
    Sequence_,
    walk,
)


@dataclass(frozen=True)
class Item:
    """One symbol of an alternative: fixed Lark text, a rule, or a call that the state fills in.

    `local` rules belong to the same %each group copy as the alternative they stand in.
    """

    text: str = ""
    rule: str = ""
    call: Call | None = None
    low: int = 1
    high: int | None = 1
    local: bool = False
    terminal: str = ""


Alternative = tuple[Item, ...]


@dataclass(frozen=True)
class Rule:
    """`each` is (variable, set) where the rule has a copy per member of the set, any one of which
    may stand there or, `in_a_row`, all of them in order."""

    name: str
    alternatives: tuple[Alternative, ...]
    each: tuple[str, str] | None = None
    in_a_row: bool = False


@dataclass(frozen=True)
class Lowered:
    """`terminals` maps a name to its Lark line, `needs` a terminal to those its line mentions."""

    entries: tuple[str, ...]
    rules: dict[str, Rule]
    terminals: dict[str, str]
    needs: dict[str, tuple[str, ...]]


def lower(grammar: Grammar, terms: Sequence[Term]) -> Lowered:
    flat = _Flattener()
    terminals: dict[str, str] = {}
    needs: dict[str, tuple[str, ...]] = {}
    guarded = {reference.name for reference in grammar.forbidding}
    lawful = conditions(terms)
    names = (*lawful.lines, ANYTHING)
    terminals.update(lawful.lines)
    terminals[ANYTHING] = ANYTHING_LINE
    needs.update(dict.fromkeys(names, ()))
    for definition in grammar.definitions:
        if not definition.is_terminal:
            flat.add(definition)
            continue
        text = terminal_text(definition.node)
        mentioned = tuple(
            node.name for node in walk(definition.node) if isinstance(node, Reference)
        )
        if definition.name in guarded:
            text = " & ".join((f"({text})", *lawful.conjuncts))
            mentioned += names
        terminals[definition.name] = f"{definition.name}: {text}"
        needs[definition.name] = mentioned
    entries = next(p.entries for p in grammar.parameters if p.type == "entry")
    return Lowered(entries, flat.rules, terminals, needs)


def spelled(text: str) -> str:
    """The text as one literal per character."""
    return " ".join(quoted(character) for character in text)


@dataclass
class _Flattener:
    rules: dict[str, Rule] = field(default_factory=dict)

    def add(self, definition: Definition) -> None:
        known = set(self.rules)
        self._rule(definition.name, definition.node, definition.each, definition.name)
        if definition.in_a_row:
            # The groups in parentheses are copied for the same members as their rule.
            for name in self.rules.keys() - known:
                self.rules[name] = replace(self.rules[name], in_a_row=True)

    def _rule(self, name: str, node: Node, each: tuple[str, str] | None, root: str) -> None:
        options = node.items if isinstance(node, Choice) else (node,)
        self.rules[name] = Rule(name, (), each)  # holds the place, so rules keep their order
        alternatives = []
        for option in options:
            items = option.items if isinstance(option, Sequence_) else (option,)
            alternatives.append(tuple(self._item(item, each, root) for item in items))
        self.rules[name] = Rule(name, tuple(alternatives), each)

    def _item(self, node: Node, each: tuple[str, str] | None, root: str) -> Item:
        match node:
            case Literal_():
                return Item(text=spelled(node.text))
            case Pattern():
                return Item(text=f"/{node.source}/")
            case Call():
                return Item(call=node)
            case Reference():
                if node.name.lstrip("_")[:1].isupper():
                    return Item(text=node.name, terminal=node.name)
                return Item(rule=node.name)
            case Repeat():
                inner = node.item
                if isinstance(inner, Reference):
                    item = self._item(inner, each, root)
                    return replace(item, low=node.low, high=node.high)
                return self._aside(inner, each, root, node.low, node.high)
            case _:
                return self._aside(node, each, root, 1, 1)

    def _aside(
        self, node: Node, each: tuple[str, str] | None, root: str, low: int, high: int | None
    ) -> Item:
        name = f"{root}__{len(self.rules)}"
        self._rule(name, node, each, root)
        return Item(rule=name, low=low, high=high, local=each is not None)
