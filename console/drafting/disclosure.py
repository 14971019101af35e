"""A technical disclosure (技术交底书) as sentences, each with the kind of its section. Pure.

Disclosures come as finished descriptions, as filled forms and as bare paragraphs. Headings are used
where there are any; without them every sentence counts as a description of the solution.
"""

import re
from dataclasses import dataclass

from console.drafting.phrases import (
    BLANK,
    EFFECT_START,
    FIELD_START,
    HEADINGS,
    LEAD_TO_SOLUTION,
    PARAGRAPH_NUMBER,
    PURPOSE_START,
)
from console.drafting.signs import bare_signs, without_signs

# How much of the prompt a section deserves: the order in which sentences are taken.
WEIGHT = {
    "key": 5, "solution": 4, "embodiment": 3, "other": 3, "effects": 1, "field": 1,
    "background": 0, "figures": 0,
}  # fmt: skip


@dataclass(frozen=True)
class Sentence:
    """One sentence with its full stop, the kind of its section, and its place in the disclosure."""

    text: str
    section: str
    place: int


def read_sentences(disclosure: str) -> list[Sentence]:
    """All sentences, without figure mentions and reference signs, in order.

    Takes linear time: half a million characters are read in about a second.
    """
    signs = bare_signs(disclosure)
    sentences: list[Sentence] = []
    section = "other"
    for paragraph in _paragraphs(disclosure):
        kind = _heading_kind(paragraph)
        if kind:
            section, rest = kind, _after_heading(paragraph)
        else:
            # A heading in Markdown that names no section says nothing by itself.
            rest = "" if paragraph.startswith("#") else paragraph
        rest = BLANK.sub("", without_signs(rest, signs))
        for turn, raw in enumerate(re.findall(r"[^。！？]+[。！？]?", rest)):
            text = LEAD_TO_SOLUTION.sub("", raw.strip())
            if len(text) > 3:
                # A scan leaves what it read in a drawing behind the last full stop.
                scrap = turn > 0 and text[-1] not in "。！？；：，"
                kind = "figures" if scrap else _section_of(text, section)
                sentences.append(Sentence(text, kind, len(sentences)))
    return sentences


def _paragraphs(disclosure: str) -> list[str]:
    """Paragraphs, with lines that were broken in the middle of a sentence joined again."""
    paragraphs: list[str] = []
    for raw in disclosure.splitlines():
        line = " ".join(raw.split())
        if not line:
            continue
        broken = (
            paragraphs
            and len(paragraphs[-1]) > 25
            and not paragraphs[-1].endswith(("。", "！", "？"))
            and not _heading_kind(line)
            and not PARAGRAPH_NUMBER.match(line)
        )
        if broken:
            paragraphs[-1] += line
        else:
            paragraphs.append(line)
    return paragraphs


def _heading_kind(paragraph: str) -> str:
    """The kind of section that a heading begins; "" for a line that is no heading."""
    head = re.split(r"[：:]", PARAGRAPH_NUMBER.sub("", paragraph), maxsplit=1)[0].strip("【】[]# *")
    if not head or len(head) > 24 or re.search(r"[。；，,]", head):
        return ""
    if len(head) > 14 and head != paragraph.strip("：: "):
        return ""
    for kind, words in HEADINGS:
        for word in words:
            if word in head and len(head) <= len(word) + 16:
                return kind
    return ""


def _after_heading(paragraph: str) -> str:
    """What follows a heading on its own line: 技术方案：一种……"""
    parts = re.split(r"[：:]", paragraph, maxsplit=1)
    return parts[1].strip() if len(parts) == 2 else ""


def _section_of(text: str, section: str) -> str:
    """An abstract has no headings, but its sentences say by their beginning what they are."""
    if section in ("background", "figures", "effects"):
        return section
    if PURPOSE_START.match(text):
        return "background"
    if EFFECT_START.match(text):
        return "effects"
    return "field" if FIELD_START.match(text) and len(text) < 60 else section
