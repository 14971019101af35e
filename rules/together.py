"""The grammars of many texts as one, so that what they have in common is built once. Pure.

Most of the cost of judging a text is building its grammar: the table of forbidden terms, which is
the same for all texts of a pack, and rules that depend on the earlier claims but not on what they
are about. So each text becomes a branch that begins with a character of its own; behind it only its
own rules can be read, which makes the verdict that of its grammar alone.

A frame is a grammar with placeholders for its subjects. Of each frame, only the rules above a
placeholder are written once per branch.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rules.compiler import ClaimState, CompiledPack, State
from rules.compiler.lower import spelled
from rules.compiler.state import complete_subject

BRANCH, PLACE = 0xE000, 0xF000
"""Characters of the private use area, which no pack admits: of branches, and of placeholders."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"i?|/(?:[^/\\]|\\.)*/[a-z]*|([A-Za-z_][A-Za-z_0-9]*)')
_PLACE = re.compile(rf'"([{chr(PLACE)}-{chr(PLACE + 0x7FF)}])"')


@dataclass(frozen=True)
class Branch:
    """A frame's text, and what stands in the place of each placeholder."""

    frame: str
    subjects: tuple[str, ...]


class Brancher:
    """Makes the branches of one pack. A frame that is known costs no instantiation."""

    def __init__(self, pack: CompiledPack) -> None:
        self._pack = pack
        self._frames: dict[ClaimState, str] = {}

    def branch(self, state: State) -> Branch:
        """Raises StateError as CompiledPack.instantiate does."""
        if not isinstance(state, ClaimState) or complete_subject(state):
            return Branch(self._pack.instantiate(state), ())
        if state.kind == "independent":
            whole = spelled(state.subject)
            frame = self._pack.instantiate(state).replace(whole, f'"{chr(PLACE)}"')
            return Branch(frame, (state.subject,))
        # What the grammar of a dependent claim owes to subjects is which of them are the same,
        # and which end with its own.
        named = dict.fromkeys((state.subject, *(one.subject for one in state.citable)))
        subjects, places = [], {}
        for index, subject in enumerate(named):
            own = index > 0 and subject.endswith(state.subject)
            subjects.append(subject.removesuffix(state.subject) if own else subject)
            places[subject] = chr(PLACE + index) + (chr(PLACE) if own else "")
        shape = replace(
            state,
            subject=places[state.subject],
            citable=tuple(replace(one, subject=places[one.subject]) for one in state.citable),
        )
        if shape not in self._frames:
            self._frames[shape] = self._pack.instantiate(shape)
        return Branch(self._frames[shape], tuple(subjects))


def size(frame: str) -> int:
    """Characters that a frame adds to a grammar, the terminals left out: all frames share them."""
    rules, _private = _parsed(frame)
    return sum(len(name) + len(body) for name, body in rules.items() if not name.isupper())


def mark(branch: int) -> str:
    """The character that a text of that branch begins with."""
    return chr(BRANCH + branch)


def together(branches: Sequence[Branch]) -> str:
    """One grammar, whose branches are numbered in this order."""
    frames = {branch.frame: number for number, branch in enumerate(branches)}
    lines: dict[str, str] = {}
    for frame, number in frames.items():
        rules, private = _parsed(frame)
        shared = {name: _named(name, f"f{number}") for name in rules if not name.isupper()}
        for name, body in rules.items():
            if name not in private:
                lines[shared.get(name, name)] = _renamed(body, shared)
    for number, branch in enumerate(branches):
        rules, private = _parsed(branch.frame)
        names = {name: _named(name, f"f{frames[branch.frame]}") for name in rules}
        names |= {name: _named(name, f"b{number}") for name in private}
        terminals = {name: name for name in rules if name.isupper()}
        for name in private:
            body = _renamed(rules[name], names | terminals)
            lines[names[name]] = _PLACE.sub(
                lambda place, own=branch.subjects: spelled(own[ord(place[1]) - PLACE]),  # type: ignore[misc]
                body,
            )
        lines[names["start"]] = f'"{mark(number)}" {lines[names["start"]]}'
    starts = " | ".join(_named("start", f"b{number}") for number in range(len(branches)))
    return "\n".join((f"start: {starts}", *(f"{name}: {body}" for name, body in lines.items())))


@lru_cache(maxsize=2048)
def _parsed(frame: str) -> tuple[Mapping[str, str], frozenset[str]]:
    """The rules of a frame, and which of them belong to a branch: those above a placeholder."""
    rules = dict(line.split(": ", 1) for line in frame.splitlines() if line)
    private = {name for name, body in rules.items() if _PLACE.search(body)} | {"start"}
    grown = True
    while grown:
        above = {name for name, body in rules.items() if not private.isdisjoint(_names(body))}
        grown = not above <= private
        private |= above
    return rules, frozenset(private)


def _named(name: str, suffix: str) -> str:
    return f"{name}__{suffix}"


@lru_cache(maxsize=16384)
def _names(body: str) -> tuple[str, ...]:
    return tuple(match[1] for match in _TOKEN.finditer(body) if match[1])


def _renamed(body: str, names: Mapping[str, str]) -> str:
    if names.keys().isdisjoint(_names(body)):
        return body
    return _TOKEN.sub(lambda match: names.get(match[1], match[0]) if match[1] else match[0], body)
