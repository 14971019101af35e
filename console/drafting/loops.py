"""Notices a text that goes round in circles or turns to junk, while it streams. Pure.

Five signs, each with limits that no real claim of the training set reaches:
* the tail is one stretch of text over and over;
* the same with numbers that count on (步骤1…，步骤2…，步骤3…): only where words repeat, since
  lists of measured values are long and lawful;
* the last characters consist of few different runs: a loop with small variations;
* one character many times in a row: 100000000000000;
* letters that have no place in a Chinese claim: a model that has lost its way.
"""

import re
from typing import Literal

Verdict = Literal["loop", "junk"]

LONGEST_PERIOD = 80
# A tail with period p is a loop once it holds the period so often and so many characters.
MIN_REPEATS = 3
MIN_REPEATED = 40
# With numbers made equal, a period must hold so many Chinese characters.
MIN_WORDS = 7
# Share of different runs of GRAM characters among the last WINDOW ones.
WINDOW = 200
GRAM = 4
MIN_VARIETY = 0.3
MAX_FOREIGN = 2
# The longest run of one character in a real claim is 11.
MAX_RUN = 12
# So many characters at a time; a loop is seen when it has filled the next whole chunk.
CHUNK = 24

_NUMBER = re.compile(r"\d+(?:\.\d+)?|(?<=第)[一二三四五六七八九十百]+")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_FOREIGN = re.compile(
    "[\u0400-\u058f\u0590-\u0dff\u0e00-\u10ff\u1100-\u11ff\u3040-\u30ff\uac00-\ud7af\ufffd\ue000-\uf8ff]"
)
_RUN = re.compile(rf"(.)\1{{{MAX_RUN},}}", re.DOTALL)
_KEPT = LONGEST_PERIOD * MIN_REPEATS


class LoopDetector:
    """Fed with the pieces of one claim in order; says what is wrong, or None. 1 µs a character."""

    def __init__(self) -> None:
        self._tail = ""
        self._unchecked = 0
        self._foreign = 0

    def feed(self, text: str) -> Verdict | None:
        """Takes the next piece of text, of any length."""
        for start in range(0, len(text), CHUNK):
            piece = text[start : start + CHUNK]
            self._foreign += len(_FOREIGN.findall(piece))
            if self._foreign > MAX_FOREIGN:
                return "junk"
            self._tail = (self._tail + piece)[-_KEPT:]
            self._unchecked += len(piece)
            if self._unchecked >= CHUNK:
                self._unchecked = 0
                if is_loop(self._tail):
                    return "loop"
        return None


def is_loop(tail: str) -> bool:
    """Whether the end of a text goes round in circles."""
    return (
        bool(_RUN.search(tail))
        or _repeats(tail, min_words=0)
        or _repeats(_NUMBER.sub("0", tail), min_words=MIN_WORDS)
        or _is_monotonous(tail)
    )


def _repeats(tail: str, *, min_words: int) -> bool:
    for period in range(1, LONGEST_PERIOD + 1):
        length = max(MIN_REPEATED, MIN_REPEATS * period)
        if length > len(tail):
            return False
        if tail[-length:-period] == tail[period - length :]:
            # Multiples of this period match as well and would hold more words: the first decides.
            return len(_CHINESE.findall(tail[-period:])) >= min_words
    return False


def _is_monotonous(tail: str) -> bool:
    window = tail[-WINDOW:]
    if len(window) < WINDOW:
        return False
    runs = WINDOW - GRAM + 1
    return len({window[i : i + GRAM] for i in range(runs)}) < MIN_VARIETY * runs
