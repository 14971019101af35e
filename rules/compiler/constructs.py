"""Lark that this language leaves out, recognised where the parser stopped, so that the author reads
what is missing and not merely that something cannot stand there."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Construct:
    code: str
    zh: str
    en: str
    hint_zh: str
    hint_en: str


_IMPORT = Construct(
    "import",
    "不支持 %import。",
    "There is no %import.",
    "把需要的终结符直接写在语法里，例如 NUMBER: /[0-9]+/。",
    "Write the terminal that you need in the grammar, as in NUMBER: /[0-9]+/.",
)
_DIRECTIVE = Construct(
    "directive",
    "没有这条指令；只有 %param 和 %forbidden。",
    "There is no such directive; there are %param and %forbidden.",
    "要忽略的内容（如空格）请写进规则。",
    "What would be ignored, such as spaces, is written in the rules.",
)
_PRIORITY = Construct(
    "priority",
    "规则和终结符没有优先级。",
    "Rules and terminals have no priorities.",
    "删去名称后的点和数字，让两个终结符不重叠，例如 B: /[a-z]+/ & ~A。",
    "Remove the point and number; let the terminals not overlap, as in B: /[a-z]+/ & ~A.",
)
_TEMPLATE = Construct(
    "template",
    "不支持带参数的规则模板。",
    "There are no templates.",
    "为每种情况各写一条规则；集合的每个成员各一份时写作 规则{变量 in 集合}。",
    "Write a rule for each case; a copy for each member of a set is name{variable in set}.",
)
_ALIAS = Construct(
    "alias",
    "不支持用 -> 给选项命名。",
    "Alternatives take no names with ->.",
    "删去 -> 和后面的名称。",
    "Remove -> and the name.",
)
_MODIFIER = Construct(
    "modifier",
    "规则名前不能加 ? 或 !。",
    "? and ! cannot stand before a rule's name.",
    "删去它：这里的语法只判断文字，不生成树。",
    "Remove it: the grammar judges texts here and builds no tree.",
)
FLAG = Construct(
    "flag",
    "字符串和正则表达式后不能加标志字母。",
    "Strings and expressions take no flags behind them.",
    "不分大小写写作 /(?i:abc)/。",
    "Without regard to case is /(?i:abc)/.",
)
_RANGE = Construct(
    "character-range",
    "不支持 .. 表示的字符范围。",
    "There are no character ranges with “..”.",
    "写作字符类，例如 /[a-z]/。",
    "Write a class, as in /[a-z]/.",
)
_COUNT = Construct(
    "count",
    "重复次数不能用 ~ 表示。",
    "Counts are not written with ~.",
    "写作 item{3} 或 item{2,5}。",
    "Write item{3} or item{2,5}.",
)

_AHEAD: tuple[tuple[re.Pattern[str], Construct], ...] = (
    (re.compile(r"%import\b"), _IMPORT),
    (re.compile(r"%\w*"), _DIRECTIVE),
    (re.compile(r"->"), _ALIAS),
    (re.compile(r"\.\."), _RANGE),
    (re.compile(r"\.\s*-?[0-9]"), _PRIORITY),
    (re.compile(r"[?!]+[_a-z]\w*[ \t]*[.:{]"), _MODIFIER),
)
_BEHIND: tuple[tuple[re.Pattern[str], re.Pattern[str], Construct], ...] = (
    (re.compile(r"~[ \t]*$"), re.compile(r"[0-9]"), _COUNT),
    (re.compile(r"^[ \t]*[_a-z]\w*\{[ \t]*\w+$"), re.compile(r"[ \t]*[,}]"), _TEMPLATE),
    (re.compile(r"\b[_a-z]\w*$"), re.compile(r"\{"), _TEMPLATE),
    (re.compile(r"[_a-z]\w*\{[^}]*$"), re.compile(r"."), _TEMPLATE),
)


def construct_at(source: str, position: int) -> Construct | None:
    """What of Lark the author meant at the character where the parser stopped, if it is known."""
    ahead = source[position : position + 80]
    behind = source[source.rfind("\n", 0, position) + 1 : position]
    for pattern, construct in _AHEAD:
        if pattern.match(ahead):
            return construct
    for before, after, construct in _BEHIND:
        if before.search(behind) and after.match(ahead):
            return construct
    return None
