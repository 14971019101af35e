"""A claim set read from plain text: numbering in several styles, claims over several lines."""

import re
from dataclasses import dataclass

from rules.linter.findings import Claim, Finding, finding

_OPENS_LIKE_A_CLAIM = re.compile(
    r"一种|一个|一类|本发明"
    r"|(?:根据|如|按照|依据|依照|按|基于)?\s*(?:前述|上述)?(?:任一)?\s*权\s*利\s*要\s*求"
)
_START = re.compile(
    r"(?:^|(?<=[。.]))[ \t\u3000]*+"
    r"(?P<word>(?:权利要求|权项|请求项)[ \t\u3000]*+)?"
    r"(?P<bracket>[\[(（【]?)(?P<n>[0-9０-９]{1,3})"
    r"(?P<mark>[ \t\u3000]*+[.．、:：)）\]】]+|[ \t\u3000]++|(?=一种|根据权|如权))"
    r"[ \t\u3000]*+(?P<text>.{0,24})",
    re.MULTILINE,
)
# What stands so before a number goes on behind it: steps of a claim without a number of its own.
_GOES_ON = tuple("：:，,；;、")
_HEADING = re.compile(r"\s*(权\s*利\s*要\s*求\s*书)[ \t\u3000]*\n")


@dataclass(frozen=True)
class ReadDocument:
    """claims in the order written. findings: C02 and C03, which only the layout shows; those with
    claim 0 have offsets into the whole text. heading: what stood before the first claim."""

    claims: tuple[Claim, ...]
    findings: tuple[Finding, ...]
    heading: str


def read_claim_set(text: str) -> list[Claim]:
    """The claims of a plain text, without their numbers. Text without any number is one claim."""
    return list(read_document(text).claims)


def read_document(text: str) -> ReadDocument:
    """The claims of a plain text, and what its layout breaks.

    A number opens a claim when it stands at the start of a line or after a full stop, and either
    what follows opens like a claim (一种…, 根据权利要求…), or it is the next number and the claim
    before it has ended. So numbered steps inside a claim stay inside it.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    starts = _claim_starts(text)
    if starts:
        heading = text[: starts[0].start()]
        claims = _claims(text, starts)
    else:
        found = _HEADING.match(text)
        heading = found[1] if found else ""
        body = text[found.end() if found else 0 :].strip()
        claims = (Claim(1, body),) if body else ()
    return ReadDocument(claims, (*_on_heading(heading), *_on_words(starts)), heading.strip())


def _claims(text: str, starts: list[re.Match[str]]) -> tuple[Claim, ...]:
    ends = [*(start.start() for start in starts[1:]), len(text)]
    return tuple(
        Claim(int(start["n"]), text[start.start("text") : end].strip())
        for start, end in zip(starts, ends, strict=True)
    )


def _claim_starts(text: str) -> list[re.Match[str]]:
    starts: list[re.Match[str]] = []
    place = 0
    while found := _START.search(text, place):
        place = max(found.end("mark"), found.start() + 1)
        if _opens_claim(text, found, starts[-1] if starts else None):
            starts.append(found)
    return starts


def _opens_claim(text: str, found: re.Match[str], before: re.Match[str] | None) -> bool:
    looks = bool(_OPENS_LIKE_A_CLAIM.match(found["text"]))
    marked = bool(found["mark"].strip()) and not found["bracket"]
    number = int(found["n"])
    if before is None:
        lead = text[max(0, found.start() - 80) : found.start()].rstrip()
        return looks or (marked and number == 1 and not lead.endswith(_GOES_ON))
    expected = int(before["n"]) + 1
    ended = (
        text[max(before.start("text"), found.start() - 80) : found.start()]
        .rstrip()
        .endswith(("。", "."))
    )
    if looks:
        return number == expected or ended
    own_line = found.start() == 0 or text[found.start() - 1] == "\n"
    return marked and number == expected and ended and own_line


def _on_heading(heading: str) -> tuple[Finding, ...]:
    title = heading.strip()
    if not title:
        return ()
    start = heading.index(title)
    return (
        finding(
            0,
            "C03",
            "error",
            (start, start + len(title)),
            f"权利要求书中不写标题（「{title[:20]}」），已略去",
            "the claims document carries no title; it was left out",
        ),
    )


def _on_words(starts: list[re.Match[str]]) -> tuple[Finding, ...]:
    return tuple(
        finding(
            int(start["n"]),
            "C02",
            "error",
            (0, 0),
            f"编号前不得冠以「{start['word'].strip()}」",
            "no word such as 权利要求 or 权项 stands before the number",
        )
        for start in starts
        if start["word"]
    )
