"""The head of one claim: what it cites, the subject name, and where the body begins.

A claim depends on another by the form of its head (根据权利要求N所述的X), never because
权利要求N is mentioned somewhere in its body.
"""

import re
from dataclasses import dataclass

from rules.linter.folding import Folded
from rules.linter.references import CITING, Reference, read_from, scan
from rules.linter.subjects import readings_of

_NUMBERED = re.compile(
    r"^(?:权利要求|权项|请求项)?\d{1,3}[.、：:]|^(?:权利要求|权项|请求项)\d{1,3}(?=一种)"
)
_REFERS_BACK = re.compile(
    r"[，：]?(?:其?特征(?:还)?(?:在于|是)?|其中)?[，：；]?在?(?:所述的?|该)(?P<what>..)"
    r"|[，：]?(?:其?特征(?:还)?(?:在于|是)?|其中)?[，：；]?在?步骤[\d（一二三四五六]"
)
_LEAD = re.compile(
    r"(?:本发明(?:为|涉及|是)?)?(?:所述的?)?(?P<one>一种|一个)?"
    rf"(?:{CITING})?(?:前述|上述|所述|前面|前)?的?"
    r"(?:从属于权利要求[\d、或至~-]+时?的?)?"
)
_COLLECTIVE = re.compile(
    rf"(?:{CITING})?(?:前述|上述|前面|以上|在前)(?:的)?(?:任(?:意|何)?一(?:项|个)?)?"
    r"权利要求(?:中|之)?的?(?:任(?:意|何)?一(?:项|个)?(?:权利要求)?|之一)?(?!\d)"
)
_MISSPELT = re.compile(
    rf"(?:一种|一个)?(?:{CITING})(?P<word>权利(?!要求\d)[^\d，。；：的]{{0,3}}|权力要求|利要求|权要求)(?=\d{{1,3}}(?!\d))"
)
_LINK = re.compile(
    r"(?:中|里)?(?:所?(?:述|诉|示)|所得(?=的)|所(?:限定|要求保护|要求|记载|定义|称|提供|提出|公开|保护|涉及))?"
    r"(?:及)?(?P<of>的|之)?"
)
MARKER = re.compile(
    r"特征(?:还|又|也)?(?:在于|是|为|如下)|特征，|改进(?:之处)?(?:在于|是)|特点(?:在于|是)|其特征"
)
_SUBJECT_END = re.compile(r"，(?!的)|[；：。]|其特征|，?其中|特征在于")
_OPENING = re.compile(r"(?:本发明(?:为|涉及|是)?)?(?:一种|一个|一类)?")
_OPEN_BODY = re.compile(
    r"包括有?|包含|(?:主要由|是由|由)(?=[^，]{0,60}(?:组成|构成|制成|制备|制得|形成|得到))"
)
_NAME_GOES_ON = re.compile(r"的[^的]{1,20}$")


@dataclass(frozen=True)
class Head:
    """Offsets are into the folded text. `citation` is set when the head is 根据权利要求N所述的…;
    `collective` when it is 前述权利要求任一项, `misspelt` when 权利要求 itself is misspelt.
    `names` are the readings of the subject name that a later claim may restate."""

    citation: Reference | None
    collective: bool
    misspelt: tuple[int, int] | None
    with_article: bool
    subject: str
    subject_span: tuple[int, int]
    cite_span: tuple[int, int]
    cited_numbers: tuple[int, ...]
    names: tuple[str, ...]

    @property
    def cites(self) -> bool:
        return self.citation is not None or self.collective

    def refers_back(self, text: str) -> bool:
        """True where the body opens with 所述X and X is no part of the subject: X stands in the
        claim that this one depends on."""
        found = _REFERS_BACK.match(text, self.subject_span[1])
        return found is not None and (found["what"] is None or found["what"] not in self.subject)


def read_head(folded: Folded, references: list[Reference] | None = None) -> Head:
    """The head of a claim, whatever its form."""
    text = folded.text
    begin = _prefix_end(text)
    references = scan(folded) if references is None else references
    lead = _LEAD.match(text, begin)
    lead_end = lead.end() if lead else begin
    first = next((ref for ref in references if ref.start == lead_end), None)
    if first is not None:
        return _after_citation(
            text,
            first.end,
            citation=first,
            numbers=first.numbers,
            begin=begin,
            with_article=bool(lead and lead["one"]),
        )
    if collective := _COLLECTIVE.match(text, begin):
        return _after_citation(text, collective.end(), collective=True, begin=begin)
    wrong = _MISSPELT.match(text, begin)
    if wrong and (citation := read_from(text, wrong)):
        return _after_citation(
            text,
            citation.end,
            citation=citation,
            begin=begin,
            misspelt=wrong.span("word"),
            numbers=citation.numbers,
        )
    return _independent(text, begin)


def _prefix_end(text: str) -> int:
    prefix = _NUMBERED.match(text)
    return prefix.end() if prefix else 0


def _after_citation(
    text: str,
    place: int,
    *,
    begin: int,
    citation: Reference | None = None,
    collective: bool = False,
    misspelt: tuple[int, int] | None = None,
    numbers: tuple[int, ...] = (),
    with_article: bool = False,
) -> Head:
    link = _LINK.match(text, place)
    start = link.end() if link else place
    end = _subject_end(text, start)
    return Head(
        citation=citation,
        collective=collective,
        misspelt=misspelt,
        with_article=with_article,
        subject=text[start:end],
        subject_span=(start, end),
        cite_span=(begin, place),
        cited_numbers=numbers,
        names=_names(text[start:end]),
    )


def _names(*subjects: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for subject in subjects for name in readings_of(subject)))


def _subject_end(text: str, start: int) -> int:
    end = _SUBJECT_END.search(text, start)
    return end.start() if end else len(text)


def _independent(text: str, begin: int) -> Head:
    opening = _OPENING.match(text, begin)
    start = opening.end() if opening else begin
    whole = end = _subject_end(text, start)
    # 一种X包括A和B，其特征…: the name ends before 包括, unless the name is 包括A的X.
    cut = _OPEN_BODY.search(text, start + 1, end)
    if cut and not _NAME_GOES_ON.search(text, cut.start(), end):
        end = cut.start()
    return Head(
        citation=None,
        collective=False,
        misspelt=None,
        with_article=text.startswith("一种", begin),
        subject=text[start:end],
        subject_span=(start, end),
        cite_span=(begin, begin),
        cited_numbers=(),
        names=_names(text[start:end], text[start:whole]),
    )
