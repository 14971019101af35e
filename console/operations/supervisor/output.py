"""One stream of lines for all programs, each with the name of who said it."""

import contextlib
import os
import sys
from collections.abc import Iterable
from typing import TextIO

COLOURS = (36, 33, 32, 35, 34, 96, 93, 92)
OWN = "claimwright"


class Stream:
    """Colours only on a terminal, and not when NO_COLOR is set."""

    def __init__(self, names: Iterable[str], out: TextIO = sys.stdout) -> None:
        known = [*names, OWN]
        self._out = out
        self._width = max(map(len, known))
        coloured = out.isatty() and not os.environ.get("NO_COLOR")
        self._colours = dict(zip(known, COLOURS, strict=False)) if coloured else {}

    def line(self, name: str, text: str) -> None:
        prefix = f"{name:<{self._width}} | "
        if name in self._colours:
            prefix = f"\x1b[{self._colours[name]}m{prefix}\x1b[0m"
        # When the terminal or the reader of the pipe is gone, stopping must still work.
        with contextlib.suppress(OSError):
            print(prefix + text, file=self._out, flush=True)


class Lines:
    """Cuts a stream of bytes into lines: at line ends, at the carriage returns of progress bars,
    and after `longest` bytes, so that a program without line ends cannot fill the memory."""

    def __init__(self, longest: int = 16_384) -> None:
        self._longest = longest
        self._rest = b""

    def feed(self, piece: bytes) -> list[str]:
        *whole, rest = (self._rest + piece).replace(b"\r", b"\n").split(b"\n")
        while len(rest) > self._longest:
            whole.append(rest[: self._longest])
            rest = rest[self._longest :]
        self._rest = rest
        return [text for line in whole if (text := line.decode(errors="replace").rstrip())]

    def flush(self) -> list[str]:
        return self.feed(b"\n")
