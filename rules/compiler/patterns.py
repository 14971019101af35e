"""Regular expressions as they stand in a pack: what the engine does not have, and how large one is.

Only the outline is read here (groups, classes, counts); the engine itself judges the rest.
"""

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

Unsupported = Literal[
    "look-around", "lazy-repetition", "possessive-repetition", "backreference", "anchor"
]

_GROUP = re.compile(r"\((\?(?:P?<[A-Za-z_]\w*>|[a-zA-Z-]*:|<?[=!]|P=\w+\)|[a-zA-Z-]+\)))?")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|\[:\w+:\]|\[[^\]]*\]|[^\]\\])*\]")
_ESCAPE = re.compile(r"\\(?:x\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[pP]\{[^}]*\}|.)")
_TIMES = re.compile(r"[*+?]|\{([0-9]+)(?:(,)([0-9]*))?\}")
_ANCHORS = frozenset({"\\b", "\\B", "\\A", "\\z", "\\Z", "\\G"})


@dataclass(frozen=True)
class Found:
    """Something that the engine does not have, and how many characters into the pattern."""

    code: Unsupported
    offset: int


@dataclass(frozen=True)
class Outline:
    """`size` is the number of characters and classes with all counts written out, `depth` that of
    groups in groups, `most` the largest count of all, `most_wide` the largest over other than
    ASCII. `atoms` are the pattern's characters and classes as they stand."""

    size: int
    depth: int
    most: int
    most_wide: int
    found: tuple[Found, ...]
    atoms: tuple[str, ...]


@dataclass
class _Open:
    size: int = 0
    last: int = 0
    wide: bool = False
    last_wide: bool = False


@dataclass
class _Reader:
    stack: list[_Open] = field(default_factory=lambda: [_Open()])
    depth: int = 0
    most: int = 0
    most_wide: int = 0
    found: list[Found] = field(default_factory=list)
    atoms: list[str] = field(default_factory=list)

    def atom(self, text: str) -> None:
        self._add(1, not text.isascii() or text == "." or text[:2] in ("[^", "\\p", "\\P", "\\u"))
        self.atoms.append(text)

    def _add(self, size: int, wide: bool) -> None:
        top = self.stack[-1]
        top.size += size
        top.last, top.last_wide = size, wide
        top.wide = top.wide or wide

    def open(self) -> None:
        self.stack.append(_Open())
        self.depth = max(self.depth, len(self.stack) - 1)

    def close(self) -> None:
        if len(self.stack) > 1:
            inner = self.stack.pop()
            self._add(inner.size, inner.wide)

    def times(self, high: int) -> None:
        top = self.stack[-1]
        top.size += top.last * (max(high, 1) - 1)
        top.last *= max(high, 1)
        self.most = max(self.most, high)
        if top.last_wide:
            self.most_wide = max(self.most_wide, high)


@cache
def outline(pattern: str) -> Outline:
    """Reads a pattern that may be wrong: what cannot be read is passed over."""
    reader = _Reader()
    place = 0
    while place < len(pattern):
        place = _step(reader, pattern, place)
    while len(reader.stack) > 1:
        reader.close()
    return Outline(
        reader.stack[0].size,
        reader.depth,
        reader.most,
        reader.most_wide,
        tuple(reader.found),
        tuple(reader.atoms),
    )


def _step(reader: _Reader, pattern: str, place: int) -> int:
    """Reads what stands at the place; returns the place behind it."""
    character = pattern[place]
    if character == "(" and (group := _GROUP.match(pattern, place)):
        mark = group[1] or ""
        if mark.endswith(("=", "!")):
            reader.found.append(Found("look-around", place))
        elif mark.startswith("?P="):
            reader.found.append(Found("backreference", place))
            return group.end()
        if not mark.endswith(")"):
            reader.open()
        return group.end()
    if character == ")":
        reader.close()
    elif character == "[" and (whole := _CLASS.match(pattern, place)):
        reader.atom(whole[0])
        return whole.end()
    elif character == "\\" and (escape := _ESCAPE.match(pattern, place)):
        if escape[0] in _ANCHORS:
            reader.found.append(Found("anchor", place))
        elif escape[0][1] in "123456789k":
            reader.found.append(Found("backreference", place))
        else:
            reader.atom(escape[0])
        return escape.end()
    elif character in "^$":
        reader.found.append(Found("anchor", place))
    elif times := _TIMES.match(pattern, place):
        return _times(reader, pattern, times)
    elif character != "|":
        reader.atom(character)
    return place + 1


def _times(reader: _Reader, pattern: str, times: re.Match[str]) -> int:
    low, comma, high = times.groups()
    if low is not None:
        reader.times(int(high or low) if comma else int(low))
    follows = pattern[times.end() : times.end() + 1]
    if follows == "?":
        reader.found.append(Found("lazy-repetition", times.start()))
    elif follows == "+":
        reader.found.append(Found("possessive-repetition", times.start()))
    return times.end() + (1 if follows in ("?", "+") else 0)
