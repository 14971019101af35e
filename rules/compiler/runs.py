"""One character that may be repeated without end: where a model runs in circles, nothing in the
grammar stops it."""

import re
from collections.abc import Iterator, Mapping

from .errors import Problem
from .forbidden import ANYTHING
from .language import Terminals
from .patterns import outline
from .recursion import components, mentions
from .tree import (
    Choice,
    Grammar,
    Literal_,
    Node,
    Pattern,
    Reference,
    Repeat,
    walk,
)
from .workbench import Workbench

_USUAL = tuple(" \n-0Aa，；、。的一")
"""Characters whose runs are tried in every terminal, beside those that its patterns begin with."""
_SHOWN = {" ": ("空格", "space"), "\n": ("换行", "new line")}


class RunChecks(Workbench):
    """`unbounded` holds, by terminal, a class of characters that its author lets repeat without
    end."""

    def __init__(self, grammar: Grammar, unbounded: Mapping[str, str]) -> None:
        super().__init__(grammar)
        self.unbounded = unbounded
        self.terminals = Terminals(self.definitions)

    def runs(self) -> Iterator[Problem]:
        told: set[str] = set()
        for group in components(mentions(self.terminals.definitions)):
            (name,) = group
            definition = self.definitions[name]
            if told.intersection(self._below(name)):
                continue
            allowed = self._allowed(name)
            tried = (c for c in self._characters(name) if not any(a.match(c) for a in allowed))
            if run := self.terminals.endless_run(name, tried):
                told.add(name)
                shown_zh, shown_en = _SHOWN.get(run, (run, run))
                yield self.problem(
                    "endless-run",
                    definition.place,
                    f"“{name}”允许“{shown_zh}”无限重复。",
                    f"“{name}” lets “{shown_en}” repeat without end.",
                    f"限定次数，例如 & ~({ANYTHING} /[ -~]{{121}}/ {ANYTHING})；确需如此时在 "
                    "unbounded_runs 中写明字符类。",
                    f"Bound it, as in & ~({ANYTHING} /[ -~]{{121}}/ {ANYTHING}); where it is "
                    "meant, name the characters in unbounded_runs.",
                )

    def rule_runs(self) -> Iterator[Problem]:
        """Repetitions in rules, of something that can be one character."""
        for definition in self.grammar.definitions:
            for node in () if definition.is_terminal else walk(definition.node):
                if isinstance(node, Repeat) and node.high is None and self._one(node.item, ()):
                    yield self.problem(
                        "endless-run",
                        node.place,
                        "这里允许同一个字符无限重复。",
                        "Here one character may repeat without end.",
                        "限定次数，例如 {0,12}。",
                        "Bound it, as in {0,12}.",
                    )

    def _one(self, node: Node, seen: tuple[str, ...]) -> bool:
        match node:
            case Literal_():
                return len(set(node.text)) == 1
            case Pattern():
                return any(self.terminals.takes(f"/{node.source}/", c) for c in _USUAL)
            case Reference() if node.name in self.terminals.definitions:
                return any(self.terminals.takes(node.name, c) for c in self._characters(node.name))
            case Reference() if node.name in self.definitions and node.name not in seen:
                return self._one(self.definitions[node.name].node, (*seen, node.name))
            case Choice():
                return any(self._one(item, seen) for item in node.items)
            case Repeat():
                return self._one(node.item, seen)
            case _:
                return False

    def _allowed(self, name: str) -> list[re.Pattern[str]]:
        names = {name, *self._below(name)}
        return [re.compile(text) for known, text in self.unbounded.items() if known in names]

    def _below(self, name: str) -> Iterator[str]:
        seen, queue = {name}, [name]
        for here in queue:
            for node in walk(self.definitions[here].node):
                if (
                    isinstance(node, Reference)
                    and node.name in self.terminals.definitions
                    and node.name not in seen
                ):
                    seen.add(node.name)
                    queue.append(node.name)
                    yield node.name

    def _characters(self, name: str) -> Iterator[str]:
        yield from _USUAL
        for below in (name, *self._below(name)):
            for node in walk(self.definitions[below].node):
                if isinstance(node, Literal_) and node.text:
                    yield node.text[0]
                elif isinstance(node, Pattern):
                    yield from filter(None, map(_example, outline(node.source).atoms[:50]))


def _example(atom: str) -> str:
    """A character that the atom of a pattern matches, of the simple ones."""
    inner = atom[1:-1] if atom.startswith("[") else atom
    if inner.startswith("^"):
        return ""
    if code := re.match(r"\\u([0-9a-fA-F]{4})", inner):
        return chr(int(code[1], 16))
    return inner.removeprefix("\\")[:1] if not re.match(r"\\[a-zA-Z]", inner) else ""
