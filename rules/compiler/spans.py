"""Where a terminal can end in a text, worked out without the engine.

The second opinion of verify.py on terminals: patterns are judged by the `regex` package, & and ~ as
sets of places, and forbidden terms by their definition: an occurrence is a breach unless it lies
inside one of the term's contexts.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import regex  # type: ignore[import-untyped]
from lark.utils import get_regexp_width

from .forbidden import ANYTHING
from .terms import NUMBER, Term
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
)

Ends = frozenset[int]
_LETTER = re.compile("[A-Za-z]")
_NUMBER = re.compile(NUMBER)
_SPACED_NUMBER = re.compile(f" ?{NUMBER}")


class Spans:
    """The terminals of one grammar over one text."""

    def __init__(
        self,
        definitions: Mapping[str, Definition],
        guarded: Iterable[str],
        terms: Iterable[Term],
        text: str,
    ) -> None:
        self.definitions = definitions
        self.guarded = frozenset(guarded)
        self.terms = tuple(term for term in terms if _holds(text, term))
        self.text = text
        self._known: dict[tuple[int, int], Ends] = {}

    def ends(self, node: Node, start: int) -> Ends:
        """The places where a text of the node that begins at `start` may end."""
        key = (id(node), start)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._ends(node, start)
        return known

    def _ends(self, node: Node, start: int) -> Ends:
        match node:
            case Literal_():
                held = self.text.startswith(node.text, start)
                return frozenset({start + len(node.text)} if held else ())
            case Pattern():
                return self._pattern(node.source, start)
            case Reference():
                return self._reference(node.name, start)
            case Sequence_():
                return self._sequence(node.items, start)
            case Choice():
                return frozenset().union(*(self.ends(item, start) for item in node.items))
            case Both():
                first, *rest = (self.ends(item, start) for item in node.items)
                return first.intersection(*rest)
            case Not():
                return self._all(start) - self.ends(node.item, start)
            case Repeat():
                return self._repeat(node, start)
            case Call():
                raise AssertionError("check refuses calls in terminals")

    def _all(self, start: int) -> Ends:
        return frozenset(range(start, len(self.text) + 1))

    def _pattern(self, source: str, start: int) -> Ends:
        compiled, low, high = _compiled(source)
        last = min(len(self.text), start + high)
        places = range(start + low, last + 1)
        return frozenset(p for p in places if compiled.fullmatch(self.text, start, p))

    def _reference(self, name: str, start: int) -> Ends:
        if name == ANYTHING:
            return self._all(start)
        ends = self.ends(self.definitions[name].node, start)
        if name not in self.guarded or not self.terms:
            return ends
        return frozenset(e for e in ends if not self._breached(self.text[start:e]))

    def _breached(self, text: str) -> bool:
        return any(breached(term, text) for term in self.terms)

    def _sequence(self, items: Iterable[Node], start: int) -> Ends:
        here = frozenset({start})
        for item in items:
            if not here:
                break
            if isinstance(item, Reference) and item.name == ANYTHING:
                here = self._all(min(here))
            else:
                here = frozenset().union(*(self.ends(item, place) for place in here))
        return here

    def _repeat(self, node: Repeat, start: int) -> Ends:
        found: set[int] = {start} if node.low == 0 else set()
        here = frozenset({start})
        times = 0
        while here and (node.high is None or times < node.high):
            times += 1
            here = frozenset().union(*(self.ends(node.item, place) for place in here))
            if times >= node.low:
                if here <= found:
                    break
                found |= here
        return frozenset(found)


def _holds(text: str, term: Term) -> bool:
    return term.text.lower() in text.lower() if term.whole_word else term.text in text


def breached(term: Term, text: str) -> bool:
    """Whether the text holds a breach of the term, by the definition of one."""
    searched, word = (text.lower(), term.text.lower()) if term.whole_word else (text, term.text)
    for start in range(len(text) - len(word) + 1):
        end = start + len(word)
        if searched[start:end] != word:
            continue
        if term.whole_word and (
            _LETTER.match(text[start - 1 : start] if start else "") or _LETTER.match(text, end)
        ):
            continue
        number = _SPACED_NUMBER if term.whole_word else _NUMBER
        if term.before_number and not number.match(text, end):
            continue
        if not any(_covers(context, text, start, end) for context in term.contexts):
            return True
    return False


def _covers(context: str, text: str, start: int, end: int) -> bool:
    return any(
        text.startswith(context, left) for left in range(max(0, end - len(context)), start + 1)
    )


@cache
def _compiled(source: str) -> tuple[Any, int, int]:
    """The pattern, and how few and how many characters it can match."""
    python = re.sub(
        r"\\x\{([0-9a-fA-F]+)\}", lambda code: regex.escape(chr(int(code[1], 16))), source
    )
    try:
        low, high = get_regexp_width(python)
    except (ValueError, re.error):
        low, high = 0, 1 << 30
    return regex.compile(python, regex.V1), low, int(min(high, 1 << 30))
