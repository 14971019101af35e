"""Whether a new dependent claim says anything that its family has not said before. Pure.

Two claims of substantially the same scope must not stand in one set (Guidelines P2C2§3.2.3, rule
C10). Whether they do is for a person to judge; what this refuses is the plain case: the same words,
or nothing but words of the claims that it rests on.
"""

import re
from collections.abc import Sequence

from console.drafting.disclosure import ngrams

# Share of the new claim's character pairs that stand in an earlier one: at this share it says the
# same with small changes of wording.
SAME = 0.9
# Share of its runs of eight characters that stand in the claims it rests on: then it copies.
COPIED = 0.9
RUN = 8
# So many characters of a sibling's body, word for word, and the rest will be the same.
BEGINNING = 16
COPY = 48

_PREAMBLE = re.compile(
    r"^(?:根据|如|按照|依据|按|依照)?(?:前述|上述)?权利要求[^，：；。]*[，：]?"
    r"(?:其?特征(?:在于|是|为)[，：]?|其中[，：]?)?"
)
_SMALL_WORDS = frozenset("的所述该其一个种为是在上中内还且并与和及，、；：。 （）()")
_NUMBERS = re.compile(r"\d+(?:\.\d+)?")


def body(claim: str) -> str:
    """What a dependent claim adds: its text without the citation, the subject and the connector."""
    return re.sub(r"所述的?", "", _PREAMBLE.sub("", claim, count=1))


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
            and set(new) - set(old) <= _SMALL_WORDS
        ):
            return True
    runs = ngrams(new, RUN) or {re.sub(r"[\W_]+", "", new)}
    inherited: set[str] = set()
    for parent in parents:
        plain = re.sub(r"所述的?", "", parent)
        inherited |= ngrams(plain, RUN)
        if len(new) < RUN and new.strip("。") in plain:
            return True
    return len(runs & inherited) >= COPIED * len(runs)


def begins_like(text: str, siblings: Sequence[str], parents: Sequence[str]) -> bool:
    """Whether a claim that is being written sets out to say what another says, word for word."""
    start = body(text)
    if len(start) < BEGINNING:
        return False
    if any(body(one).startswith(start[:BEGINNING]) for one in siblings):
        return True
    # A step of the parent may be taken up (所述…，包括：); more than that is a copy.
    return len(start) >= COPY and any(
        start[:COPY] in re.sub(r"所述的?", "", parent) for parent in parents
    )


def _numbers(text: str) -> set[str]:
    return set(_NUMBERS.findall(text))
