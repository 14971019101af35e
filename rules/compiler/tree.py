"""The syntax tree of a pack's grammar. Every node knows its place in the Lark text."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

ParameterType = Literal["entry", "text", "texts", "number", "numbers", "claims"]


@dataclass(frozen=True)
class Place:
    line: int
    column: int


@dataclass(frozen=True)
class Literal_:
    """A quoted string, unescaped."""

    text: str
    place: Place


@dataclass(frozen=True)
class Pattern:
    """A regular expression as it stands between the slashes."""

    source: str
    place: Place


@dataclass(frozen=True)
class Reference:
    name: str
    place: Place


@dataclass(frozen=True)
class Call:
    """ONE{set}, ANY_OF{set, …}, TEXT{value} or NUMBER{value}: a part that the state fills in."""

    name: str
    arguments: tuple[str, ...]
    place: Place


@dataclass(frozen=True)
class Sequence_:
    items: tuple["Node", ...]
    place: Place


@dataclass(frozen=True)
class Choice:
    items: tuple["Node", ...]
    place: Place


@dataclass(frozen=True)
class Both:
    """A & B: texts that every part matches. Terminals only."""

    items: tuple["Node", ...]
    place: Place


@dataclass(frozen=True)
class Not:
    """~A: texts that the part does not match. Terminals only."""

    item: "Node"
    place: Place


@dataclass(frozen=True)
class Repeat:
    """`high` is None where there is no upper bound."""

    item: "Node"
    low: int
    high: int | None
    place: Place


Node = Literal_ | Pattern | Reference | Call | Sequence_ | Choice | Both | Not | Repeat


@dataclass(frozen=True)
class Definition:
    """A rule (lower case) or a terminal (upper case). `each` is (variable, set) for a rule that
    has a copy for every member of the set: any one of the copies may stand there, or, `in_a_row`,
    all of them do, in order."""

    name: str
    node: Node
    place: Place
    each: tuple[str, str] | None = None
    in_a_row: bool = False
    span: tuple[int, int] = (0, 0)

    @property
    def is_terminal(self) -> bool:
        return self.name.lstrip("_")[:1].isupper()


@dataclass(frozen=True)
class Parameter:
    """`entries` are the rules a text may start with, for the type entry. `span`, as of definitions,
    is where the text of the declaration begins and ends, in characters."""

    name: str
    type: ParameterType
    entries: tuple[str, ...]
    place: Place
    span: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Grammar:
    source: str
    parameters: tuple[Parameter, ...]
    forbidding: tuple[Reference, ...]
    definitions: tuple[Definition, ...]


def children(node: Node) -> tuple[Node, ...]:
    match node:
        case Sequence_() | Choice() | Both():
            return node.items
        case Not() | Repeat():
            return (node.item,)
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, outside in."""
    yield node
    for child in children(node):
        yield from walk(child)
