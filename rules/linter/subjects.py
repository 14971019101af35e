"""Subject names (主题名称): their kind, and how one that is restated relates to the one cited."""

import re
from difflib import SequenceMatcher
from enum import Enum
from typing import Literal

LONGEST_NAME = 300
"""Beyond this many characters a text without punctuation is no name, and is not compared."""

NameKind = Literal["product", "method", "use"]

_USE_TAIL = re.compile(r"(?:应用|用途|使用|运用)$")
_METHOD_TAIL = re.compile(r"(?:方法|工艺|流程|步骤|过程|法|方式|技术|制备)$")
_KIND_TAIL = re.compile(
    r"(?:制备|制造|制作|生产|加工|控制|使用|施工|检测|合成)?"
    r"(?:方法|工艺|流程|步骤|过程|法|方式|技术|制备|应用|用途|使用|运用)$"
)
_MADE_WORD = "制备|制成|制得|制造|制作|获得|得到|生产|加工|合成|成型|形成|处理|培养|清洗|改造|组装"
_MADE_BY = re.compile(_MADE_WORD)
_MADE_OPENING = re.compile(
    rf"^(?:所?(?:述|说)?的?[^，]{{0,40}}?(?:方法|工艺))?所?(?:{_MADE_WORD}|可)+(?:而成|而得)?的?"
)
_MADE_OF = rf"(?:{_MADE_WORD}|可获得)+(?:而成|而得)?的([^的].*)$"
_AFTER_MAKING = re.compile(rf"(?:(?:方法|工艺)[^的，]{{0,6}}?|^所?){_MADE_OF}")
_AFTER_MAKING_BY_CLAIM = re.compile(rf"权利要求.*?{_MADE_OF}")
_BUILT_ON = re.compile(
    r"^(?:包括|包含|含有|含|具有|采用|使用|利用|应用|带有|搭载|设有|安装|用于|实现|实施|执行)"
)
_NOISE = re.compile(r"[\s，,、：:；;。.\"“”'‘’《》<>\[\]【】·]")
_SIGN = re.compile(r"[（(][0-9A-Za-z'’,，、.\-~]{1,12}[)）]")
_OPENING = re.compile(r"^(?:本发明(?:为|涉及|是|的)?)?(?:所述的?|该|一种|一个|一类|一系列|种)*")
_RELATES = re.compile(r"权利要求|作为|用于|在.*中")
_AFTER_CITATION = re.compile(
    r"^.*?权利要求[\d、或和及至到~\-中任意何一之项权利要求]+(?:所[述示])?的?"
)
_ALTERNATIVES = re.compile(r"、?(?:以及|或者?|及|和)其?|、")


class Relation(Enum):
    """What a restated subject is to the subject of the cited claim, from closest to farthest."""

    SAME = "same"
    SHORTENED = "shortened"
    NEAR = "near"
    DERIVED = "derived"
    DIFFERENT = "different"


def bare(subject: str) -> str:
    """The name as it is compared: no article, no signs, no 的, no punctuation."""
    name = _SIGN.sub("", subject)
    name = _OPENING.sub("", name)
    return _NOISE.sub("", name).replace("的", "").replace("之", "")


def kind_of(subject: str) -> NameKind:
    name = bare(subject)
    if _USE_TAIL.search(name):
        return "use"
    return "method" if _METHOD_TAIL.search(name) else "product"


def readings_of(subject: str) -> tuple[str, ...]:
    """The names by which a later claim may restate this subject: as it stands, its head noun, and
    what follows the citation inside it (实现权利要求1所述的X的方法 → X的方法)."""
    if len(subject) > LONGEST_NAME:
        return (subject,)
    after = _AFTER_CITATION.sub("", subject)
    return tuple(dict.fromkeys(name for name in (subject, head_noun(subject), after) if name))


def head_noun(subject: str) -> str:
    """What a name is about that says how the thing is made, or cites a claim: 采用权利要求5的方法
    得到的晶圆 → 晶圆. Any other name as it stands: 信息处理的方法."""
    if len(subject) > LONGEST_NAME:
        return subject
    made = _AFTER_MAKING.search(subject) or _AFTER_MAKING_BY_CLAIM.search(subject)
    if made:
        return made[1]
    if "权利要求" in subject:
        return subject.rpartition("的")[2] or subject
    return subject


def relation(restated: str, cited: str) -> Relation:
    """SAME; SHORTENED (a tail of the cited name, or the name with words left out, or each of its
    parts); NEAR (a slip of the pen); DERIVED (another thing made of, or done with, what is cited:
    the claim is an independent one); DIFFERENT."""
    new, old = bare(restated), bare(cited)
    if new == old:
        return Relation.SAME
    if not new or not old or max(len(new), len(old)) > LONGEST_NAME:
        return Relation.DIFFERENT
    same_kind = kind_of(restated) == kind_of(cited)
    if same_kind and old.endswith(new):
        return Relation.SHORTENED
    if any(old.endswith(part) for part in _parts(restated)) or new in _parts(cited):
        return Relation.SHORTENED
    if _derived(restated, cited):
        return Relation.DERIVED
    if same_kind and new[-2:] == old[-2:] and _left_out(new, old):
        return Relation.SHORTENED
    if same_kind and SequenceMatcher(None, new, old, autojunk=False).ratio() >= 0.6:
        return Relation.NEAR
    return Relation.DIFFERENT


def _parts(subject: str) -> set[str]:
    """制备方法或应用 → 制备方法, 应用; 式I的化合物、或其盐 → …化合物, and 化合物 alone."""
    parts = [bare(part) for part in _ALTERNATIVES.split(subject)]
    if len(parts) < 2 or _RELATES.search(subject):
        return set()
    nouns = (bare(part.rpartition("的")[2]) for part in _ALTERNATIVES.split(subject))
    return {part for part in (*parts, *nouns) if len(part) > 1}


def _derived(restated: str, cited: str) -> bool:
    new, old = bare(restated), bare(cited)
    new_kind, old_kind = kind_of(restated), kind_of(cited)
    if new_kind == "use" or old_kind == "use":
        return new_kind != old_kind and (new_kind == "use" or _in_common(new, old))
    if old_kind == "method":
        return new_kind == "product" and bool(
            _MADE_OPENING.match(restated) or (_MADE_BY.search(restated) and _in_common(new, old))
        )
    inner = _longest_tail(old, new)
    if new_kind == "method":
        return bool(inner)
    after = new.partition(inner)[2] if inner else ""
    return bool(after) and bool(
        re.search(re.escape(inner[-1]) + r"[)）]?的", restated) or _BUILT_ON.match(new)
    )


def _in_common(new: str, old: str) -> bool:
    """Whether the two share a word of two characters apart from 方法, 应用 and the like."""
    left, right = _KIND_TAIL.sub("", new), _KIND_TAIL.sub("", old)
    return SequenceMatcher(None, left, right, autojunk=False).find_longest_match().size >= 2


def _longest_tail(old: str, new: str) -> str:
    """The longest tail of `old`, of two characters or more, that stands in `new`."""
    for size in range(len(old), 1, -1):
        if old[-size:] in new:
            return old[-size:]
    return old if len(old) == 1 and old in new else ""


def _left_out(new: str, old: str) -> bool:
    rest = iter(old)
    return all(char in rest for char in new)
