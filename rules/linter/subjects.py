"""Subject names (主题名称): their category, and how one that is restated relates to the one cited."""

import re
from difflib import SequenceMatcher
from enum import Enum

_METHOD_TAIL = re.compile(
    r"(?:方法|工艺|用途|应用|使用|流程|步骤|过程|工法|法|方式|技术|配方|程序步骤|制备|运用)$"
)
_MADE_BY = re.compile(
    r"方法|工艺|制备|制成|制得|制造|获得|得到|生产|加工|合成|成型|形成|处理|培养|组装|实现|执行|实施"
)
_BUILT_ON = re.compile(
    r"^(?:包括|包含|含有|含|具有|采用|使用|利用|应用|带有|搭载|设有|安装|用于|实现|实施|执行)"
)
_NOISE = re.compile(r"[\s，,、：:；;。.\"“”'‘’《》<>\[\]【】·]")
_SIGN = re.compile(r"[（(][0-9A-Za-z'’,，、.\-~]{1,12}[)）]")
_OPENING = re.compile(r"^(?:本发明(?:为|涉及|是|的)?)?(?:所述的?|该|一种|一个|一类|一系列|种)*")


class Relation(Enum):
    """What a restated subject is to the subject of the cited claim."""

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


def is_method(subject: str) -> bool:
    """True for methods and uses, False for products."""
    return bool(_METHOD_TAIL.search(bare(subject)))


def relation(restated: str, cited: str) -> Relation:
    """SAME, or SHORTENED (a tail of the cited name, or the name with words left out), or NEAR (a
    slip of the pen), or DERIVED (another thing made of, or done with, what is cited: the claim is
    an independent one), or DIFFERENT."""
    new, old = bare(restated), bare(cited)
    if new == old:
        return Relation.SAME
    if not new or not old:
        return Relation.DIFFERENT
    same_kind = is_method(restated) == is_method(cited)
    if same_kind and old.endswith(new):
        return Relation.SHORTENED
    if _derived(restated, new, old, is_method(restated), is_method(cited)):
        return Relation.DERIVED
    if same_kind and new[-2:] == old[-2:] and _left_out(new, old):
        return Relation.SHORTENED
    if same_kind and SequenceMatcher(None, new, old, autojunk=False).ratio() >= 0.6:
        return Relation.NEAR
    return Relation.DIFFERENT


def _derived(restated: str, new: str, old: str, new_is_method: bool, old_is_method: bool) -> bool:
    if old_is_method and not new_is_method:
        return bool(_MADE_BY.search(restated)) and bool(_shared(new, old))
    inner = _shared(new, old)
    if not inner:
        return False
    if new_is_method and not old_is_method:
        return True
    after = new.partition(inner)[2]
    if old_is_method:
        # 方法 → 方法的应用, and a method that uses the cited one
        return bool(after) and new.endswith(("应用", "用途", "使用"))
    return bool(after) and (
        bool(re.search(re.escape(inner[-1]) + r"[)）]?的", restated)) or bool(_BUILT_ON.match(new))
    )


def _shared(new: str, old: str) -> str:
    """The longest tail of the cited name, of two characters or more, that the new name contains."""
    for size in range(len(old), 1, -1):
        if old[-size:] in new:
            return old[-size:]
    return old if len(old) == 1 and old in new else ""


def _left_out(new: str, old: str) -> bool:
    rest = iter(old)
    return all(char in rest for char in new)
