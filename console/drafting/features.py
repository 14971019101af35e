"""The note (要点) of a dependent claim: the next feature of the disclosure that is still unclaimed.

A model this small repeats claim 1 when nothing tells it what is left. Notes have the form in which
it was trained: one or two clauses of at most 60 characters, without 所述. Pure.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from console.drafting.disclosure import WEIGHT, Sentence, ngrams, read_sentences, without_signs

MAX_HINT = 60
# With so few characters a note holds one clause: for disclosures that offer little.
ONE_CLAUSE = 12
MIN_SCORE = 0.2
NEARLY = 0.75
EFFECT_WEIGHT = 0.45
SAID = 0.85
_MIN_HINT = 6

_NUMBERING = re.compile(
    r"^(?:[（(]?[\d一二三四五六七八九十]+[)）.．、]\s*|(?:步骤)?[SPsp步骤]*\s?\d+[、：:.]\s*|[-—●•·]\s*)+"
)
_LEADS = re.compile(
    r"^(?:(?:更)?进一步(?:的|地)?|(?:更)?优选(?:的|地)?|较佳(?:的|地)?|具体(?:的|地|来说)?|可选(?:的|地)?"
    r"|作为\w{0,14}(?:优选|改进|实施\w{0,2})\w{0,6}|其中|此外|另外|同时|并且|而且|且|并|而|又"
    r"|(?:在)?(?:本|一个|一些|另一个|某个|该|上述|一种)?(?:优选)?(?:的)?(?:实施例|实施方式|实施方案|方案)中?(?:的)?"
    r"|其技术要点是|其特征(?:在于|是|为)"
    r"|本(?:发明|实用新型|申请)(?:中|的)?|按(?:照)?(?:上述)?方案|该|的|若|但|以及|以便|需要说明的是|可以理解的是|即"
    r"|作为优选)[，,：:]?"
)
_BACK_REFERENCE = re.compile(r"所述的?|上述的?|前述的?")
_SOFT = (
    (re.compile(r"优选(?:地|的)?(?:为|是)"), "为"),
    (
        re.compile(r"(?:更|最)?优选(?:地|的)?|最好(?:是)?|较佳(?:地|的)?|可以|尤其(?:是)?|特别是"),
        "",
    ),
    (re.compile(r"大约|左右|约(?=\s*\d)"), ""),
)
_NO_FEATURE = re.compile(
    r"因此|问题|缺陷|现有技术|目前|传统|不足|优点|优势|有益效果|由于|因为|但从|理想情况|为例|可知|无需|不需要"
    r"|特点|即可|质量可靠|适用|目的|我们|创新|环保|绿色|低碳|节能|依托|奠定|提供了|意义|前景|推广"
    r"|附图|如图|图\d|表\d|实施例|对比例|本发明|本实用新型|本申请|保护范围|技术人员|技术领域|涉及|公开了"
    r"|[a-zA-Z]{6}|步骤如下|步骤[一1]$|^(?:制备)?方法包括|权利要求|例如|比如|诸如|必要时|显而易见|下面|以下结合|以上|上文|说明书|原理|S\d{3}\D*S\d{3}"
)
# Effects: worth a claim only when the disclosure offers nothing else.
_EFFECT = re.compile(
    r"能够|从而|使得|有利于|便于|避免|防止了|提高|降低|减少|提升|保证|有效|效果|简单|方便|性能|优异|成本|节约"
    r"|实用|良好|取消|占地|更加|快速|可使|容易|较好|人员|情况下|适当|必须|稳定|满足"
)
_TECHNICAL = re.compile(
    r"包括|包含|设有|设置|安装|固定|连接|位于|采用|由.{1,30}(?:组成|构成|制成)|选自|均?为|呈|具有|形成|开设"
    r"|套设|铰接|螺纹|焊接|配合|驱动|输出|分别|至少|厚度|直径|长度|角度|比例|质量|温度|压力|浓度|含量|时间"
    r"|\d+(?:\.\d+)?\s*(?:℃|%|％|mm|cm|μm|nm|min|h|MPa|kPa|份|倍|mol|g|kg|r/min|V|Hz|°)"
)
_STEP = re.compile(
    r"步骤|将|加入|加热|冷却|搅拌|反应|干燥|烧结|混合|得到|获取|判断|确定|发送|接收|计算|控制|℃|min|小时|然后"
)
_STRUCTURE = re.compile(
    r"设有|设置|安装|固定|连接|位于|开设|套设|铰接|顶端|底部|内腔|侧壁|表面|层|板|端"
)
# The legend of a formula, and what happens under a condition, are no features by themselves.
_SYMBOL = re.compile(r"[A-Za-zα-ωΑ-Ω]\w{0,12}\s*(?:为|是|表示|＝|=)|如果|假如|一旦|例|其他")
_FURTHER = re.compile(r"^(?:[（(]?\d+[)）]\s*)?(?:更?进一步|优选|作为|较佳|可选)")


@dataclass(frozen=True)
class Feature:
    """One thing that a dependent claim could be about: `weight` says how much it looks like one."""

    text: str
    grams: frozenset[str]
    weight: float
    steps: bool
    structure: bool
    place: int


def read_features(disclosure: str, *, size: int = MAX_HINT) -> list[Feature]:
    """Every feature that the disclosure offers, in its order. The costly part: once for a job.

    Clauses that follow each other are one feature as long as they have at most `size` characters.
    """
    features: list[Feature] = []
    seen: set[str] = set()
    for sentence in read_sentences(disclosure):
        if WEIGHT[sentence.section] < 3:
            continue
        for text, whole in _notes(sentence.text, size):
            key = re.sub(r"\W+", "", text)
            if key in seen or not _is_feature(text):
                continue
            seen.add(key)
            features.append(_feature(text, sentence, whole, len(features)))
    return features


def next_hint(
    features: Sequence[Feature],
    claimed: Sequence[str],
    used: Sequence[str],
    *,
    category: str,
    instruction: str = "",
) -> str:
    """The note for the next dependent claim; never one of `used`; "" when nothing is left to say.

    `claimed` are the texts of the claims of its family. A feature counts the less the more of it
    stands there already. With an `instruction` of the agent, what touches it comes first.
    """
    known: set[str] = set()
    for text in (*claimed, *used):
        known |= ngrams(clean(text), 2)
    wish = ngrams(instruction, 2)
    scored = [
        (_score(feature, known, category, wish), feature)
        for feature in features
        if feature.text not in used
    ]
    best = max((score for score, _ in scored), default=0.0)
    if best < MIN_SCORE:
        return ""
    # Among about equals the one that the disclosure tells first: later ones often build on it.
    return next(feature.text for score, feature in scored if score >= NEARLY * best)


_LIST = re.compile(
    r"([\u4e00-\u9fffA-Za-z]{2,12}?)(?:选自|为|采用|包括)([^，；。：]{2,20}(?:[、或][^，；。：、或]{2,20}){1,9})"
)
_RANGE = re.compile(
    r"([\u4e00-\u9fffA-Za-z]{2,12}?)(?:的?(?:质量)?份数)?为?[：:]?(\d+(?:\.\d+)?)\s?[-~～至—–]\s?(\d+(?:\.\d+)?)\s?"
    r"(重量份|质量份|份|%|％|℃|mm|cm|μm|nm|min|h|小时|分钟|MPa|kPa|g|kg|mL|L)"
)


def narrower(disclosure: str) -> list[str]:
    """Notes for when every feature is claimed: one member of a list, one end of a range.

    Both stand in the disclosure, so a claim to them has its support.
    """
    text = clean(without_signs(disclosure))
    text = _BACK_REFERENCE.sub("", text)
    notes: list[str] = []
    ranges = _RANGE.findall(text)
    notes += [f"{name}为{low}{unit}" for name, low, _, unit in ranges]
    notes += [f"{name}为{high}{unit}" for name, _, high, unit in ranges]
    for name, members in _LIST.findall(text):
        for member in re.split("[、或]", members):
            member = re.sub(
                r"^(?:者|以及|和)|(?:中的|的)?(?:至少|任意)?一种.*$|等$|和.*$", "", member
            )
            if 1 < len(member) <= 16 and name not in member:
                notes.append(f"{name}{'' if name.endswith('用于') else '为'}{member}")
    plausible = [one for one in dict.fromkeys(notes) if not _NO_FEATURE.search(one)]
    return [one for one in plausible if not _EFFECT.search(one)]


def count_hints(
    features: Sequence[Feature], claimed: Sequence[str], wanted: int, *, category: str
) -> int:
    """How many notes there would be beside the claimed texts, up to `wanted`."""
    used: list[str] = []
    while len(used) < wanted:
        hint = next_hint(features, claimed, used, category=category)
        if not hint:
            break
        used.append(hint)
    return len(used)


def says(text: str, hint: str) -> bool:
    """Whether a text has said what the note asks for."""
    asked = ngrams(hint, 2)
    return len(asked & ngrams(clean(text), 2)) >= SAID * len(asked)


def clean(text: str) -> str:
    """A clause as a note: no lead-in, no 所述, none of the words that a claim must not have."""
    text = _NUMBERING.sub("", text.strip())
    for _ in range(2):
        text = _LEADS.sub("", text, count=1)
    text = _BACK_REFERENCE.sub("", text)
    for pattern, replacement in _SOFT:
        text = pattern.sub(replacement, text)
    return text.strip("，,；;。：:、 ")


def _notes(sentence: str, size: int) -> list[tuple[str, bool]]:
    """The notes that one sentence yields, each with whether it began with 进一步 and the like."""
    notes: list[tuple[str, bool]] = []
    # What follows 进一步 is one dependent claim in the making: its parts stay together.
    whole = bool(_FURTHER.match(sentence.strip()))
    for part in [re.sub("[；;。]", "，", sentence)] if whole else re.split(r"[；;。]", sentence):
        further = whole or bool(_FURTHER.match(part.strip()))
        clauses = [clean(clause) for clause in re.split(r"[，,]", part)]
        packed = ""
        for clause in (one for one in clauses if one):
            if packed and len(packed) + len(clause) + 1 > size:
                notes.append((packed, further))
                packed = ""
            packed = f"{packed}，{clause}" if packed else clause
        if packed:
            notes.append((packed, further))
    return [(_shortened(text), further) for text, further in notes]


def _shortened(text: str) -> str:
    """At most MAX_HINT characters, ended at the last complete item of a list where there is one."""
    if len(text) <= MAX_HINT:
        return text
    cut = max(text.rfind(mark, 0, MAX_HINT) for mark in "、，")
    return text[: cut if cut > MAX_HINT // 2 else MAX_HINT]


def _is_feature(text: str) -> bool:
    chinese = sum("\u4e00" <= letter <= "\u9fff" for letter in text)
    return (
        len(text) >= _MIN_HINT
        and chinese >= 0.5 * len(text)
        and not _NO_FEATURE.search(text)
        and not _SYMBOL.match(text)
        and bool(_TECHNICAL.search(text) or _STEP.search(text))
    )


def _feature(text: str, sentence: Sentence, further: bool, place: int) -> Feature:
    weight = 1.0 + 0.1 * (WEIGHT[sentence.section] - 3)
    weight *= 1.3 if further else 1.0
    weight *= 1.1 if re.search(r"\d", text) else 1.0
    weight *= 0.8 if len(text) < 10 else 1.0
    weight *= EFFECT_WEIGHT if _EFFECT.search(text) else 1.0
    return Feature(
        text=text,
        grams=frozenset(ngrams(text, 2)),
        weight=weight,
        steps=bool(_STEP.search(text)),
        structure=bool(_STRUCTURE.search(text)),
        place=place,
    )


def _score(feature: Feature, known: set[str], category: str, wish: set[str]) -> float:
    if not feature.grams:
        return 0.0
    novelty = 1.0 - len(feature.grams & known) / len(feature.grams)
    if novelty < 0.35:
        return 0.0
    fits = feature.steps if category == "method" else feature.structure or not feature.steps
    score = feature.weight * (0.4 + 0.6 * novelty) * (1.0 if fits else 0.75)
    if wish:
        score *= 1.0 + 3.0 * len(feature.grams & wish) / len(wish)
    return score - 0.0005 * feature.place
