"""A technical disclosure (技术交底书) as parts: which sentences say what the invention is. Pure.

Disclosures come as finished descriptions, as filled forms and as bare paragraphs. Headings are used
where there are any; without them every sentence counts as a description of the solution.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

# Kind of a section by words in its heading, the first match wins.
_HEADINGS = (
    ("key", ("保护点", "关键点", "发明点", "创新点", "区别点", "欲保护")),
    ("effects", ("有益效果", "技术效果", "优点", "优势", "效果")),
    ("figures", ("附图说明", "附图", "图面说明", "标号", "附图标记")),
    ("embodiment", ("具体实施", "实施方式", "实施例", "实施方案", "工作过程", "工作原理")),
    ("background", ("背景", "现有技术", "技术问题", "发明目的", "缺点", "目的")),
    ("solution", ("发明内容", "实用新型内容", "技术方案", "解决方案", "技术内容", "方案")),
    ("field", ("技术领域", "所属领域", "领域", "发明名称", "名称")),
)  # fmt: skip
# How much of the prompt a section deserves: the order in which sentences are taken.
WEIGHT = {
    "key": 5, "solution": 4, "embodiment": 3, "other": 3, "effects": 1, "field": 1,
    "background": 0, "figures": 0,
}  # fmt: skip
_NUMBERING = re.compile(
    r"^(?:\[\d+\]|[#*\s]+|[一二三四五六七八九十]+[、.．]|[（(]?[\d一二三四五六七八九十]+[)）.．、])\s*"
)
_FIGURE_MENTION = re.compile(
    r"(?:请)?(?:如|参照|参见|参阅|参考|结合)(?:说明书)?(?:附图|图)"
    r"[\d、，和及至\-~～a-zA-Z图()（） ]*"
    r"(?:所示|可知)?(?:的)?[，,：:]?"
)
_UNIT = "℃%％°度mMkKgGcCsShHLlVvWwΩ~～-—.．:：×/^"
_COUNT = (
    "个只条块片次秒分小天年月日倍份种层级位者步米克升毫微千公号组对根道颗台件套排圈轮点类项元维相"
)
_SIGN_FORM = r"([\u4e00-\u9fff]{2}) ?(\d{1,4}[a-z]?'?)"
_MAYBE_SIGN = re.compile(rf"{_SIGN_FORM}(?! ?[\da-zA-Z{re.escape(_UNIT + _COUNT)}])")
# Once a sign is known, 袋3对 is the sign and a verb, not three pairs.
_KNOWN_SIGN = re.compile(
    rf"{_SIGN_FORM}(?! ?[\da-zA-Z{re.escape(_UNIT)}])(?: (?=[\u4e00-\u9fff]))?"
)
# Claims are printed without blanks between numbers, units and Chinese words: the model was trained
# on such texts, and writes digits of its own into 200 目.
_BLANK = re.compile(
    r"(?<=[^\x00-\x7f]) +| +(?=[^\x00-\x7f])|(?<=\d) +(?=[A-Za-z%°]{1,6}(?![A-Za-z]))"
)
# With so many signs that are sure, a number that follows a part only once is one as well.
_MANY_SIGNS = 5
_NO_SIGN_AFTER = "图例第骤表式求为约是至到于过达取用每的共有数值比近均"
_SIGN_IN_PARENTHESES = re.compile(
    r"(?<=[\u4e00-\u9fff])(?<![式骤例表图第程])[（(]\d{1,4}[a-z]?'?(?:[、，,;；]\s?\d{1,4}[a-z]?'?)*[)）]"
)

# Below so many characters nothing is cut from what an independent claim is written from; above
# ENOUGH no further sentence is taken; with fewer than LEAST an independent claim says too little.
SHORT = 120
ENOUGH = 350
LEAST = 24
_REFINEMENT = re.compile(r"(?:[（(]?\d+[)）]\s*)?(?:更?进一步|优选|作为|较佳|可选|其中)")
_PARTS = re.compile(
    r"设有|安装|连接有|组成|层|(?:包括|包含)[^步骤，。；]{0,20}(?:装置|机构|组件|单元|模块|材料|剂|体)"
)
_TELLS = re.compile(r"包括|包含|设有|设置|特征|由.{2,30}[成组]|采用|步骤|安装|连接|具有|通过")
_PREFACE = re.compile(
    r"^本(?:发明|实用新型|申请)(?:实施例)?(?:涉及|属于)[^，。]*领域[，。](?:具体[^，。]{0,4}(?=一种))?"
)
# What stands before the parts of a product: 本发明公开了一种膜，包括
_NAMED = re.compile(r"^.*?(?:包括|包含|特征在于|设有|具有|由)[：:，]?")
_ELABORATES = re.compile(r"所述[^，；。]{1,20}(?:为|包括|采用|由|呈|是|的)")
_STEP_MARK = re.compile(
    r"步骤|[Ss]\d{1,2}[、：:.]|[（(]\d[)）]|加入|加热|冷却|搅拌|干燥|烧结|混合|得到|获取|获得|获知|判断|确定"
    r"|发送|接收|计算|去除|热处理|涂布|浇筑|研磨|提供"
)


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
    signs = _signs(disclosure)
    sentences: list[Sentence] = []
    section = "other"
    for paragraph in _paragraphs(disclosure):
        kind = _heading_kind(paragraph)
        if kind:
            section, rest = kind, _after_heading(paragraph)
        else:
            # A heading in Markdown that names no section says nothing by itself.
            rest = "" if paragraph.startswith("#") else paragraph
        rest = _BLANK.sub("", without_signs(rest, signs))
        for turn, raw in enumerate(re.findall(r"[^。！？]+[。！？]?", rest)):
            text = _LEAD_TO_SOLUTION.sub("", raw.strip())
            if len(text) > 3:
                # A scan leaves what it read in a drawing behind the last full stop.
                scrap = turn > 0 and text[-1] not in "。！？；：，"
                kind = "figures" if scrap else _section_of(text, section)
                sentences.append(Sentence(text, kind, len(sentences)))
    return sentences


def passages(disclosure: str, budget: int) -> str:
    """What of the disclosure goes into the prompt: at most `budget` characters, in its own order.

    Sentences that repeat chosen ones are left out: an embodiment often says the summary again.
    """
    sentences = read_sentences(disclosure)
    chosen: list[Sentence] = []
    seen: set[str] = set()
    room = budget
    for sentence in sorted(sentences, key=lambda one: (-WEIGHT[one.section], one.place)):
        if WEIGHT[sentence.section] == 0 and chosen:
            continue
        grams = ngrams(sentence.text, 3)
        if grams and len(grams & seen) > 0.8 * len(grams):
            continue
        if len(sentence.text) > room:
            if room < 0.2 * budget:
                break
            continue
        chosen.append(sentence)
        seen |= grams
        room -= len(sentence.text)
    if not chosen and sentences:
        return max(sentences, key=lambda one: WEIGHT[one.section]).text[:budget]
    return "".join(one.text for one in sorted(chosen, key=lambda one: one.place))


def cores(disclosure: str, budget: int) -> list[str]:
    """What an independent claim could be written from, the fullest first; never empty for a text.

    A first claim that holds everything protects little and leaves nothing for its dependents. So
    even the fullest ends where the disclosure goes from the invention to its refinements: at the
    first 进一步, or inside a long sentence at the first 所述…为, and after two thirds of it anyway.
    A procedure is kept whole. The others hold fewer and fewer clauses.
    """
    kept: list[str] = []
    for sentence in read_sentences(passages(disclosure, budget)):
        if not kept and not _TELLS.search(sentence.text):
            continue
        length = sum(map(len, kept))
        procedure = looks_like_steps("".join(kept) + sentence.text)
        if kept and (
            _REFINEMENT.match(sentence.text)
            or WEIGHT[sentence.section] < WEIGHT["other"]
            or length > (ENOUGH if procedure else SHORT)
        ):
            break
        kept.append(sentence.text)
    text = _PREFACE.sub("", "".join(kept)) or passages(disclosure, budget)
    clauses = re.findall(r"[^，；。]+[，；。]?", text)
    if looks_like_steps(text):
        steps = _without_elaborations(clauses)
        return [text] if len(steps) == len(clauses) else [text, _ended("".join(steps))]
    fullest = len(clauses) if len(text) < SHORT else _first_clauses(clauses)
    shorter = ("".join(clauses[:place]) for place in range(fullest - 1, 0, -1))
    return [_ended("".join(clauses[:fullest]))] + [
        _ended(one)
        for one in shorter
        if (named := _NAMED.match(one)) and len(one) - named.end() >= LEAST
    ]


def _ended(text: str) -> str:
    return text.rstrip("，；。") + "。"


def _without_elaborations(clauses: Sequence[str]) -> list[str]:
    """The clauses of a procedure that are steps, without 其中 and 所述…为 in between."""
    kept: list[str] = []
    elaborating = False
    for clause in clauses:
        if clause.startswith("其中") or _ELABORATES.match(clause):
            elaborating = True
        elif _STEP_MARK.search(clause):
            elaborating = False
        if not elaborating:
            kept.append(clause)
    return kept


def _first_clauses(clauses: Sequence[str]) -> int:
    """How many clauses stand before the refinements."""
    total, length = sum(map(len, clauses)), 0
    for place, clause in enumerate(clauses):
        share = length / total
        if length > SHORT // 3 and (share > 0.66 or (share > 0.25 and _ELABORATES.match(clause))):
            return place
        length += len(clause)
    return len(clauses)


def looks_like_steps(text: str) -> bool:
    """Whether a text tells a procedure: such a claim needs all of its steps."""
    return len(_STEP_MARK.findall(text)) > 2


def told_categories(disclosure: str) -> list[str]:
    """What the disclosure tells: what a thing is ("product"), how a thing is done ("method")."""
    solution = "".join(one.text for one in read_sentences(disclosure) if WEIGHT[one.section] > 2)
    first = next(iter(cores(disclosure, ENOUGH * 2)), "")
    told = [] if looks_like_steps(first) and not _PARTS.search(first) else ["product"]
    return [*told, "method"] if looks_like_steps(solution) else told


def ngrams(text: str, length: int) -> set[str]:
    """The character n-grams of a text without its punctuation and white space."""
    plain = re.sub(r"[\W_]+", "", text)
    return {plain[i : i + length] for i in range(len(plain) - length + 1)}


def without_signs(text: str, signs: frozenset[tuple[str, str]] = frozenset()) -> str:
    """The text without 如图1所示, without signs in parentheses and the given bare signs."""
    text = _FIGURE_MENTION.sub("", text)
    text = _SIGN_IN_PARENTHESES.sub("", text)
    if not signs:
        return text
    return _KNOWN_SIGN.sub(
        lambda match: match.group(1) if match.groups() in signs else match.group(), text
    )


def _signs(disclosure: str) -> frozenset[tuple[str, str]]:
    """(last two characters of a part's name, its sign) for bare signs such as 壳体1.

    A number is a sign where it mostly follows the same part and does so more than once; 温度50 or
    步骤1 are told apart by what stands around them. In a text full of signs once is enough.
    """
    uses: dict[str, Counter[str]] = defaultdict(Counter)
    for word, number in _MAYBE_SIGN.findall(disclosure):
        if word[-1] not in _NO_SIGN_AFTER:
            uses[number][word] += 1
    sure = {
        (word, number)
        for number, words in uses.items()
        for word, times in words.items()
        if times > 1 and times >= 0.3 * words.total()
    }
    if len(sure) >= _MANY_SIGNS:
        sure |= {
            (word, number)
            for number, words in uses.items()
            for word in words
            if len(words) == 1 and number != "0"
        }
    return frozenset(sure)


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
            and not _NUMBERING.match(line)
        )
        if broken:
            paragraphs[-1] += line
        else:
            paragraphs.append(line)
    return paragraphs


def _heading_kind(paragraph: str) -> str:
    """The kind of section that a heading begins; "" for a line that is no heading."""
    head = re.split(r"[：:]", _NUMBERING.sub("", paragraph), maxsplit=1)[0].strip("【】[]# *")
    if not head or len(head) > 24 or re.search(r"[。；，,]", head):
        return ""
    if len(head) > 14 and head != paragraph.strip("：: "):
        return ""
    for kind, words in _HEADINGS:
        for word in words:
            if word in head and len(head) <= len(word) + 16:
                return kind
    return ""


def _after_heading(paragraph: str) -> str:
    """What follows a heading on its own line: 技术方案：一种……"""
    parts = re.split(r"[：:]", paragraph, maxsplit=1)
    return parts[1].strip() if len(parts) == 2 else ""


_EFFECT_START = re.compile(
    r"(?:(?:与|和)?现有技术相比|本(?:发明|实用新型)提供的|(?:本\w{1,6}的)?有益效果|本(?:发明|实用新型|申请|方案)(?:的)?(?:优点|效果|通过"
    r"|具有|能够|能|可|结构简单|成本低)|该\w{0,20}(?:具有|能够|可以有效))"
)
# Why there is an invention, and the sentence that only announces what follows.
_PURPOSE_START = re.compile(
    r"(?:针对|为了?|鉴于|基于|由于)(?:上述|现有|以上|解决|克服|达到|实现|弥补|此)"
    r"|(?:有鉴于此|因此)，?(?:本|有必要)|本(?:发明|实用新型|申请)\w{0,10}(?:目的|要解决|所解决)"
    r"|(?:本\w{2,6}|上述\w{2,6})?(?:是)?通过(?:以下|如下)(?:技术)?(?:手段|方案)(?:予以)?实现[^：:]*。$"
    r"|(?:下面|以下)(?:将)?(?:结合|通过|对|以)|以上所述|(?:上述|所述|以上)实施例|显然|应当(?:理解|指出|说明)"
)
_LEAD_TO_SOLUTION = re.compile(
    r"^[^。：:]{0,40}(?:技术方案|技术手段|方案|发明内容)(?:是|为|如下|包括)?(?:这样(?:实现)?的)?[：:，,]\s*"
)
_FIELD_START = re.compile(r"本(?:发明|实用新型|申请)(?:涉及|属于|公开了?一种[^，,：:；]*。$)")


def _section_of(text: str, section: str) -> str:
    """An abstract has no headings, but its sentences say by their beginning what they are."""
    if section in ("background", "figures", "effects"):
        return section
    if _PURPOSE_START.match(text):
        return "background"
    if _EFFECT_START.match(text):
        return "effects"
    return "field" if _FIELD_START.match(text) and len(text) < 60 else section
