"""A claim set read from plain text: numbering in several styles, claims over several lines."""

import re
from dataclasses import dataclass

from rules.linter.findings import Claim, Finding, finding

_HEAD_WORDS = r"(?:一种|一个|一类|(?:根据|如|按照|依据|依照|按|基于)?\s*(?:前述|上述)?(?:任一)?权\s*利\s*要\s*求|本发明)"
_START = re.compile(
    r"(?P<at>^|(?<=[。.])[ \t\u3000]*)[ \t\u3000]*(?P<word>(?:权利要求|权项|请求项)[ \t\u3000]*)?"
    r"(?P<bracket>[\[(（【]?)(?P<n>[0-9０-９]{1,3})(?P<mark>[ \t\u3000]*[.．、:：)）\]】]+|[ \t\u3000]+|(?=一种|根据权|如权))"
    r"[ \t\u3000]*(?P<text>.{0,24})",
    re.MULTILINE,
)
_LOOKS_LIKE_CLAIM = re.compile(_HEAD_WORDS)
_SENTENCE_ENDED = re.compile(r"[。.]\s*$")
_NUMBER_SLIP = re.compile(r"[.．]\s*$")


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

    A number opens a claim when it stands at the start of a line or after a full stop, and what
    follows opens like a claim (一种…, 根据权利要求…), or it is the next number and the claim
    before it has ended. So numbered steps inside a claim stay inside it.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    starts = _claim_starts(text)
    if not starts:
        heading, body = _split_heading(text)
        claims = (Claim(1, body),) if body else ()
        return ReadDocument(claims, _heading_findings(text, heading), heading)
    heading = text[: starts[0].start()].strip()
    findings = [*_heading_findings(text, heading)]
    claims_read: list[Claim] = []
    for start, following in zip(starts, [*starts[1:], None], strict=True):
        number = int(start["n"])
        end = following.start() if following else len(text)
        claims_read.append(Claim(number, text[start.start("text") : end].strip()))
        if start["word"]:
            findings.append(
                finding(
                    number,
                    "C02",
                    "error",
                    (0, 0),
                    f"编号前不得冠以「{start['word'].strip()}」",
                    "no word such as 权利要求 or 权项 stands before the number",
                )
            )
    return ReadDocument(tuple(claims_read), tuple(findings), heading)


def _claim_starts(text: str) -> list[re.Match[str]]:
    starts: list[re.Match[str]] = []
    place = 0
    while found := _START.search(text, place):
        place = max(found.end("mark"), found.start() + 1)
        if _opens_claim(text, found, starts):
            starts.append(found)
    return starts


def _opens_claim(text: str, found: re.Match[str], starts: list[re.Match[str]]) -> bool:
    looks = bool(_LOOKS_LIKE_CLAIM.match(found["text"]))
    number = int(found["n"])
    has_mark = bool(found["mark"].strip())
    if not starts:
        return number <= 1 and (has_mark or looks) if not looks else True
    expected = int(starts[-1]["n"]) + 1
    before = text[starts[-1].start("text") : found.start()]
    ended = bool(_SENTENCE_ENDED.search(before))
    if found["bracket"] and not looks:
        return False
    if looks:
        return number == expected or ended
    at_line = text[: found.start("n")].rstrip(" \t\u3000").endswith("\n")
    return has_mark and number == expected and ended and at_line


def _split_heading(text: str) -> tuple[str, str]:
    """A first line without a full stop, with more text after it, is a heading."""
    lines = text.strip().split("\n")
    first = lines[0].strip()
    if len(lines) > 1 and re.fullmatch(r"权\s*利\s*要\s*求\s*书?", first):
        return first, "\n".join(lines[1:]).strip()
    return "", text.strip()


def _heading_findings(text: str, heading: str) -> tuple[Finding, ...]:
    if not heading:
        return ()
    start = text.index(heading)
    return (
        finding(
            0,
            "C03",
            "error",
            (start, start + len(heading)),
            f"权利要求书中不写标题（「{heading[:20]}」），已略去",
            "the claims document carries no title; it was left out",
        ),
    )
