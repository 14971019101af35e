"""Rules of form inside one claim: I01, I02, W05, W15, W17."""

import re
from collections.abc import Iterator

from rules.linter.findings import Finding, finding
from rules.linter.preamble import MARKER
from rules.linter.reading import Reading
from rules.linter.subjects import LONGEST_NAME, kind_of

_VAGUE = re.compile(r"(?:技术|方案|设计|原理|理论|构思|思想|概念|改进)$")
_MADE = "制备|制造|制作|生产|合成|加工|成型|成形"
_PRODUCT_AND_METHOD = re.compile(
    rf"(?P<product>.+?)(?:(?:及其|和其|与其|以及其|及所述)[^的]{{0,10}}(?:方法|工艺|用途|应用)"
    rf"|(?:及|和|与|以及)(?:{_MADE})(?:方法|工艺))$"
)
_METHOD_AND_PRODUCT = re.compile(
    r"(?:方法|工艺)(?:及其?|和|与|以及|、)[^的]{0,12}?(?:装置|系统|设备|介质|终端|产品|服务器|机)$"
)
_FIGURE_NUMBER = r"图\d+[a-zA-Z]?(?:[、和与或及至~-]+(?:附?图)?\d+[a-zA-Z]?)*"
_FIGURE = re.compile(
    rf"(?:如|见|参见|按照?|根据|与|和)?(?:本)?(?:说明书)?的?(?:附图|附)?{_FIGURE_NUMBER}"
    r"[^，；。]{0,8}?(?:所示|中示出|基本上?相同|一致)"
    rf"|(?:说明书)?附{_FIGURE_NUMBER}|说明书附图|如[上下]?图[a-zA-Z]{{0,2}}所示"
    r"|如(?:本)?说明书[^，；。]{0,16}(?:所述|所示|所记载)"
)
_CRYSTAL = re.compile(r"晶型|晶体|结晶|衍射|图谱|谱图|光谱|XRPD|XRD|DSC|TGA|NMR", re.IGNORECASE)
_HALF_WIDTH = re.compile(r"(?<=[一-鿿）)”])(?!:[\d(（])[,;:?!]|[,;:?!](?=[一-鿿（“])")
_END_POINT = re.compile(r"\.\s*$")


def check_phrasing(reading: Reading) -> Iterator[Finding]:
    if not reading.dependent:
        yield from _two_parts(reading)
        yield from _category(reading)
    yield from _figures(reading)
    yield from _double_article(reading)
    yield from _half_width(reading)


def _two_parts(reading: Reading) -> Iterator[Finding]:
    head = reading.head
    if MARKER.search(reading.folded.text) or kind_of(head.subject) == "use" or reading.references:
        return
    yield finding(
        reading.number,
        "I01",
        "warning",
        reading.folded.span(*head.subject_span),
        "独立权利要求一般应当用「其特征在于」等划分前序部分和特征部分（性质不适于的除外）",
        "an independent claim is usually written in two parts, divided by 其特征在于",
    )


def _category(reading: Reading) -> Iterator[Finding]:
    subject = reading.head.subject
    if len(subject) > LONGEST_NAME:
        return
    span = reading.folded.span(*reading.head.subject_span)
    both = _PRODUCT_AND_METHOD.search(subject)
    if (both and kind_of(both["product"]) == "product") or _METHOD_AND_PRODUCT.search(subject):
        yield finding(
            reading.number,
            "I02",
            "error",
            span,
            f"主题名称「{subject}」既有产品又有方法，应当分别撰写独立权利要求",
            "the subject names a product and a method; each needs its own independent claim",
        )
    elif vague := _VAGUE.search(subject):
        yield finding(
            reading.number,
            "I02",
            "error" if vague[0] == "技术" else "warning",
            span,
            f"主题名称「{subject}」不能清楚表明是产品还是方法",
            "the subject does not say whether a product or a method is claimed",
        )


def _figures(reading: Reading) -> Iterator[Finding]:
    for mention in _FIGURE.finditer(reading.folded.text):
        crystal = bool(_CRYSTAL.search(reading.folded.text))
        yield finding(
            reading.number,
            "W05",
            "warning" if crystal else "error",
            reading.folded.span(*mention.span()),
            "除绝对必要外，权利要求中不得使用「如图……所示」或者「如说明书……所述」",
            "claims do not refer to the drawings or the description unless it is indispensable",
        )


def _double_article(reading: Reading) -> Iterator[Finding]:
    head = reading.head
    if not reading.dependent or not head.subject.startswith("一种"):
        return
    start = head.subject_span[0]
    yield finding(
        reading.number,
        "W15",
        "warning",
        reading.folded.span(start, start + 2),
        "引用部分「所述的一种」中的「一种」多余",
        "一种 after 所述的 is superfluous",
    )


def _half_width(reading: Reading) -> Iterator[Finding]:
    text = reading.claim.text
    marks = list(_HALF_WIDTH.finditer(text)) + list(_END_POINT.finditer(text))
    if not marks:
        return
    more = f"（本项共{len(marks)}处）" if len(marks) > 1 else ""
    start = marks[0].start()
    yield finding(
        reading.number,
        "W17",
        "warning",
        (start, start + 1),
        f"中文文本中应当使用全角标点{more}",
        f"Chinese text takes full-width punctuation ({len(marks)} in this claim)",
    )
