"""Whether a new dependent claim says anything that its family has not said before. Pure.

Two claims of substantially the same scope must not stand in one set (Guidelines P2C2§3.2.3, rule
C10). Whether they do is for a person to judge; what this refuses is the plain case: the same words,
or nothing but words of the claims that it rests on.
"""

import re
from collections.abc import Sequence

from console.drafting.ngrams import ngrams
from console.drafting.phrases import PREAMBLE, SAID_BEFORE, SMALL_WORDS

# Share of the new claim's character pairs that stand in an earlier one: at this share it says the
# same with small changes of wording.
SAME = 0.9
# Share of its runs of eight characters that stand in the claims it rests on: then it copies.
COPIED = 0.9
RUN = 8
# So many characters of a sibling's body, word for word, and the rest will be the same.
BEGINNING = 16
COPY = 48

_NUMBERS = re.compile(r"\d+(?:\.\d+)?")


def body(claim: str) -> str:
    """What a dependent claim adds: its text without the citation, the subject and the connector."""
    return SAID_BEFORE.sub("", PREAMBLE.sub("", claim, count=1))


def says_nothing_new(claim: str, siblings: Sequence[str], parents: Sequence[str]) -> bool:
    """Whether a dependent claim repeats one of its `siblings` or only copies from its `parents`.

    `siblings` are the other dependents of the family, `parents` the claims that it rests on.
    A claim that differs in its numbers or in one telling character is another claim: 10mm is not
    20mm, 冷藏柜 is not 冷藏库.
    """
    new = body(claim)
    grams = ngrams(new, 2)
    if not grams:
        return True
    for sibling in siblings:
        old = body(sibling)
        if (
            len(grams & ngrams(old, 2)) >= SAME * len(grams)
            and _numbers(new) <= _numbers(old)
            and set(new) - set(old) <= SMALL_WORDS
        ):
            return True
    runs = ngrams(new, RUN) or {re.sub(r"[\W_]+", "", new)}
    inherited: set[str] = set()
    for parent in parents:
        plain = SAID_BEFORE.sub("", parent)
        inherited |= ngrams(plain, RUN)
        if len(new) < RUN and new.strip("。") in plain:
            return True
    return len(runs & inherited) >= COPIED * len(runs)


class CopyWatch:
    """Whether a claim that is being written sets out to say what another says, word for word.

    Asked at every piece of a stream, so what the other claims say is read once.
    """

    def __init__(self, siblings: Sequence[str], parents: Sequence[str]) -> None:
        self._beginnings = {body(one)[:BEGINNING] for one in siblings}
        self._parents = [SAID_BEFORE.sub("", parent) for parent in parents]

    def sees(self, text: str) -> bool:
        start = body(text)
        if len(start) < BEGINNING:
            return False
        if start[:BEGINNING] in self._beginnings:
            return True
        # A step of the parent may be taken up (所述…，包括：); more than that is a copy.
        return len(start) >= COPY and any(start[:COPY] in parent for parent in self._parents)


def _numbers(text: str) -> set[str]:
    return set(_NUMBERS.findall(text))
