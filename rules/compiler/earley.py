"""Whether a text belongs to a state's grammar, by an Earley parse with lark: the second opinion
that verify.py compares with the engine's.

The rules are those that the engine gets. The terminals are not: lark is only told where each of
them can end (spans.py), for every possible end, so that nothing depends on a lexer's choice.
"""

import re
from dataclasses import dataclass
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF

from .compiled import CompiledPack
from .spans import Ends, Spans
from .tree import Node, Pattern, Place, Reference

_TOKEN = re.compile(
    r'(?P<string>"(?:\\.|[^"\\])*")|(?P<pattern>/(?:\\.|[^/\\])+/)|(?P<terminal>_?[A-Z][_A-Z0-9]*)'
    r"|\{(?P<low>[0-9]+),?(?P<high>[0-9]*)\}|(?P<rest>[^\"/A-Z{]+|.)"
)


class Earley:
    """Judges texts of one grammar, as CompiledPack.instantiate made it."""

    def __init__(self, pack: CompiledPack, grammar: str) -> None:
        self.pack = pack
        self.nodes: dict[str, Node] = {}
        lines = [self._line(line) for line in grammar.splitlines() if not line[:1].isupper()]
        declared = [f"{name}: /\\x00{name}/" for name in self.nodes]
        self.lark = Lark(
            "\n".join([*lines, *declared]),
            parser="earley",
            lexer="dynamic_complete",
            ambiguity="forest",
        )
        front: Any = self.lark.parser
        self.literals = front.parser.term_matcher
        front.parser.term_matcher = self._match
        self.spans = Spans({}, (), (), "")

    def accepts(self, text: str) -> bool:
        return self._failure(text) is None

    def expected(self, lawful: str) -> tuple[str, ...]:
        """The rules and terminals that could go on where a lawful but unfinished text ends. One
        that has begun and not yet ended counts."""
        failure = self._failure(lawful)
        if failure is None:
            return ()
        awaited = failure.expected if isinstance(failure, UnexpectedEOF) else failure.allowed
        nodes = (self.nodes.get(str(name)) for name in sorted(map(str, awaited or ())))
        terminals = [node.name for node in nodes if isinstance(node, Reference)]
        states: Any = failure.state or ()
        rules = sorted(str(state[0].origin.name) for state in states if isinstance(state, tuple))
        return tuple(dict.fromkeys([*terminals, *rules]))

    def _failure(self, text: str) -> UnexpectedCharacters | UnexpectedEOF | None:
        self.spans = Spans(self.pack.terminals, self.pack.guarded, self.pack.terms, text)
        try:
            self.lark.parse(text)
        except (UnexpectedCharacters, UnexpectedEOF) as failure:
            return failure
        return None

    def _line(self, line: str) -> str:
        return "".join(self._token(token) for token in _TOKEN.finditer(line))

    def _token(self, token: re.Match[str]) -> str:
        """A piece of a rule of the engine's Lark in lark's."""
        kind = token.lastgroup
        if kind == "string":
            return "" if token[0] == '""' else token[0]
        if kind == "pattern":
            return self._terminal(Pattern(token[0][1:-1], Place(0, 0)))
        if kind == "terminal":
            return self._terminal(Reference(token[0], Place(0, 0)))
        if token["low"] is not None:
            counted = "," in token[0]
            high = token["high"] if counted else token["low"]
            return f"~{token['low']}..{high}"
        return token[0]

    def _terminal(self, node: Node) -> str:
        name = next((n for n, known in self.nodes.items() if known == node), "")
        if not name:
            name = f"T{len(self.nodes)}"
            self.nodes[name] = node
        empty = Spans(self.pack.terminals, self.pack.guarded, (), "").ends(node, 0)
        return f"[{name}]" if empty else name

    def _match(self, term: Any, text: str, index: int = 0) -> Any:
        """What lark asks for: the longest match of a terminal at the index, then, in ever shorter
        pieces of that match, the longest one in each."""
        node = self.nodes.get(term.name)
        if node is None:
            return self.literals(term, text, index)
        if isinstance(text, _Span):
            ends = frozenset(end for end in text.ends if end <= len(text))
        else:
            ends = frozenset(e - index for e in self.spans.ends(node, index) if e > index)
        if not ends:
            return None
        longest = max(ends)
        return _Match(_Span(text[index : index + longest], ends), index + longest)


class _Span(str):
    """A matched piece that knows where else the match could have ended."""

    ends: Ends

    def __new__(cls, text: str, ends: Ends) -> "_Span":
        span = super().__new__(cls, text)
        span.ends = ends
        return span

    def __getitem__(self, key: Any) -> str:
        piece = super().__getitem__(key)
        return _Span(piece, self.ends) if isinstance(key, slice) and key.start is None else piece


@dataclass(frozen=True)
class _Match:
    span: _Span
    place: int

    def group(self, _number: int) -> str:
        return self.span

    def end(self) -> int:
        return self.place
