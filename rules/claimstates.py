"""The state that each claim of a finished set was written in, read off the set itself.

Where a dependent claim restates a shortened subject (…的方法 for …的控制方法), the shortened form
is the subject of the claim it cites: that form is the drafter's choice.
"""

import re
from collections.abc import Iterator, Sequence

from rules.compiler import CitableClaim, ClaimState
from rules.linter import Claim, ClaimInfo, analyse

_BETWEEN_LATIN = re.compile(r"(?<=[0-9A-Za-z'])([,;:()]) ?(?=[0-9A-Za-z'])")
_FULL = str.maketrans(",;:()｡﹐", "，；：（）。，")
_PHRASE_END = re.compile(r"[，：；。]|其特征|其中")
_SAID = re.compile(
    r"(?:一种)?(?:根据|如|按照|依据|按|依照|基于)?权利要求[0-9]"
    r"(?:[^，所]{0,30}?所述的?|[0-9、或至到~～-]*(?:中?任[意何]?一?[项个]?)?的)(?=.)"
)
_OPEN_BODY = re.compile(r"(?:，?(?:包括|包含|含有|主要由|由))(?!.{0,20}的[^的]{1,12}$)")
_SPACE = re.compile(r"(?<![!-~])\s+|\s+(?![!-~])")


def normalised(text: str) -> str:
    """The claim as its drafter typed it: marks full-width outside numbers and formulae, no spaces
    but single ones between Latin words."""
    kept = _BETWEEN_LATIN.sub(lambda mark: chr(0xE000 + ord(mark[1])), text.strip())
    wide = kept.translate(_FULL)
    for mark in ",;:()":
        wide = wide.replace(chr(0xE000 + ord(mark)), mark)
    return re.sub(r"\s+", " ", _SPACE.sub("", wide))


def states(claims: Sequence[Claim]) -> Iterator[tuple[Claim, ClaimState]]:
    """Each claim with the state of the set just before it."""
    infos = analyse(list(claims))
    for index, (claim, info) in enumerate(zip(claims, infos, strict=True)):
        subject = subject_as_written(claim.text, info)
        citable = tuple(
            CitableClaim(
                other.number,
                subject
                if info.kind == "dependent" and other.number in info.cites
                else other.subject,
                other.multiple,
            )
            for other in infos[:index]
            if other.number < claim.number
        )
        yield claim, ClaimState(claim.number, info.kind, subject, citable)


def subject_as_written(text: str, info: ClaimInfo) -> str:
    """The whole name that stands in the claim's first phrase: what an agent would have given."""
    phrase = _PHRASE_END.split(text, maxsplit=1)[0]
    said = _SAID.match(phrase)
    name = phrase[said.end() :] if said else phrase
    name = name.removeprefix("一种")
    if info.kind == "independent" and "权利要求" not in name:
        name = _OPEN_BODY.split(name, maxsplit=1)[0] or name
    return name
