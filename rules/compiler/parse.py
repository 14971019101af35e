"""Stage 1: the Lark text of a pack becomes a syntax tree whose nodes know their places."""

import re
from functools import cache
from pathlib import Path
from typing import get_args

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput, UnexpectedToken
from lark.tree import Meta

from .constructs import construct_at
from .errors import PackError, Problem, caret
from .limits import LIMITS
from .tree import (
    Both,
    Call,
    Choice,
    Definition,
    Grammar,
    Literal_,
    Node,
    Not,
    Parameter,
    ParameterType,
    Pattern,
    Place,
    Reference,
    Repeat,
    Sequence_,
)

_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '"', "/": "/"}
_TYPES = get_args(ParameterType)


def parse(source: str) -> Grammar:
    """Parse a pack's grammar. Raises PackError with the place of the first syntax error."""
    if too_large := _too_large(source):
        raise PackError((too_large,))
    try:
        tree = _parser().parse(source)
    except UnexpectedInput as error:
        raise PackError((_syntax_problem(source, error),)) from None
    builder = _Builder(source)
    items = builder.transform(tree)
    if builder.problems:
        raise PackError(tuple(builder.problems))
    return Grammar(
        source=source,
        parameters=tuple(item for item in items if isinstance(item, Parameter)),
        forbidding=tuple(
            reference for item in items if isinstance(item, list) for reference in item
        ),
        definitions=tuple(item for item in items if isinstance(item, Definition)),
    )


@cache
def _parser() -> Lark:
    text = (Path(__file__).parent / "dialect.lark").read_text("utf-8")
    return Lark(text, parser="lalr", propagate_positions=True, maybe_placeholders=True)


_SKIPPED = re.compile(r'"(?:\\.|[^"\\\n])*"|/(?!/)(?:\\.|[^/\\\n])+/|//[^\n]*')


def _too_large(source: str) -> Problem | None:
    """What would keep the parser itself busy, or bring it down."""
    if len(source) > LIMITS.grammar:
        return _limit_problem(source, LIMITS.grammar, "语法的字符数", "characters", LIMITS.grammar)
    depth = 0
    bare = _SKIPPED.sub(lambda found: " " * len(found[0]), source)
    for place, character in enumerate(bare):
        depth += (character in "([") - (character in ")]")
        if depth > LIMITS.nesting:
            return _limit_problem(
                source, place, "括号的层数", "brackets within brackets", LIMITS.nesting
            )
    return None


def _limit_problem(source: str, place: int, zh: str, en: str, limit: int) -> Problem:
    line = source.count("\n", 0, place) + 1
    column = place - source.rfind("\n", 0, place)
    return Problem(
        code="too-large",
        line=line,
        column=column,
        excerpt=caret(source, line, column),
        message_zh=f"{zh}超过上限{limit}。",
        message_en=f"There are more than {limit} {en}.",
        hint_zh="请拆开或简化。",
        hint_en="Take it apart or make it simpler.",
    )


def _syntax_problem(source: str, error: UnexpectedInput) -> Problem:
    line, column = error.line, error.column
    if line < 1:  # lark reports -1 at the end of the text
        lines = source.rstrip("\n").split("\n")
        line, column = len(lines), len(lines[-1]) + 1
    known = construct_at(source, error.pos_in_stream if error.pos_in_stream is not None else -1)
    if known is not None:
        return Problem(
            code=known.code,
            line=line,
            column=column,
            excerpt=caret(source, line, column),
            message_zh=known.zh,
            message_en=known.en,
            hint_zh=known.hint_zh,
            hint_en=known.hint_en,
        )
    token = error.token if isinstance(error, UnexpectedToken) else None
    found = str(token) if token else source[error.pos_in_stream or 0 :][:1]
    shown = found.strip() or "⏎"
    return Problem(
        code="syntax",
        line=line,
        column=column,
        excerpt=caret(source, line, column),
        message_zh=f"此处不能出现“{shown}”。",
        message_en=f"“{shown}” cannot stand here.",
        hint_zh="规则写作“名称: 内容”；字符串用双引号，正则表达式用斜杠，规则名小写，终结符大写。",
        hint_en=(
            "A rule reads “name: content”; strings take double quotes, regular expressions "
            "slashes; rule names are lower case, terminals upper case."
        ),
    )


def _place(meta: Meta) -> Place:
    return Place(meta.line, meta.column)


def _token_place(token: Token) -> Place:
    return Place(token.line or 0, token.column or 0)


def _unescape(text: str) -> str:
    out, escaped = [], False
    for character in text:
        if escaped:
            out.append(_ESCAPES.get(character, "\\" + character))
            escaped = False
        elif character == "\\":
            escaped = True
        else:
            out.append(character)
    return "".join(out)


@v_args(meta=True)
class _Builder(Transformer[Token, list[object]]):
    """Turns lark's tree into ours, bottom up."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.source = source
        self.problems: list[Problem] = []

    def start(self, meta: Meta, items: list[object]) -> list[object]:
        return items

    def parameter(self, meta: Meta, items: list[Token]) -> Parameter:
        name, kind, *entries = items
        if kind not in _TYPES:
            place = _token_place(kind)
            self.problems.append(
                Problem(
                    code="unknown-type",
                    line=place.line,
                    column=place.column,
                    excerpt=caret(self.source, place.line, place.column),
                    message_zh=f"没有“{kind}”这种参数类型。",
                    message_en=f"There is no parameter type “{kind}”.",
                    hint_zh="可用的类型：" + "、".join(_TYPES) + "。",
                    hint_en="Types are " + ", ".join(_TYPES) + ".",
                )
            )
        names = tuple(str(entry) for entry in entries if entry is not None)
        span = (meta.start_pos, meta.end_pos)
        return Parameter(str(name), str(kind), names, _place(meta), span)  # type: ignore[arg-type]

    def forbidding(self, meta: Meta, items: list[Token]) -> list[Reference]:
        return [Reference(str(token), _token_place(token)) for token in items]

    def definition(self, meta: Meta, items: list[object]) -> Definition:
        name, variable, link, whole, node = items
        each = (str(variable), str(whole)) if variable is not None else None
        span = (meta.start_pos, meta.end_pos)
        return Definition(str(name), node, _place(meta), each, link == "each", span)  # type: ignore[arg-type]

    def choice(self, meta: Meta, items: list[Node]) -> Node:
        return items[0] if len(items) == 1 else Choice(tuple(items), _place(meta))

    def both(self, meta: Meta, items: list[Node | Token]) -> Node:
        parts = tuple(item for item in items if not isinstance(item, Token))
        return parts[0] if len(parts) == 1 else Both(parts, _place(meta))

    def sequence(self, meta: Meta, items: list[Node]) -> Node:
        return items[0] if len(items) == 1 else Sequence_(tuple(items), _place(meta))

    def repeat(self, meta: Meta, items: list[object]) -> Node:
        item, mark = items
        if mark is None:
            return item  # type: ignore[return-value]
        low, high = _bounds(str(mark))
        return Repeat(item, low, high, _place(meta))  # type: ignore[arg-type]

    def negation(self, meta: Meta, items: list[Node]) -> Node:
        return Not(items[0], _place(meta))

    def optional(self, meta: Meta, items: list[Node]) -> Node:
        return Repeat(items[0], 0, 1, _place(meta))

    def literal(self, meta: Meta, items: list[Token]) -> Node:
        return Literal_(_unescape(items[0][1:-1]), _place(meta))

    def pattern(self, meta: Meta, items: list[Token]) -> Node:
        return Pattern(str(items[0][1:-1]), _place(meta))

    def call(self, meta: Meta, items: list[Token | str]) -> Node:
        return Call(str(items[0]), tuple(str(item) for item in items[1:]), _place(meta))

    def argument(self, meta: Meta, items: list[Token]) -> str:
        return str(items[0])

    def reference(self, meta: Meta, items: list[Token]) -> Node:
        return Reference(str(items[0]), _place(meta))


def _bounds(mark: str) -> tuple[int, int | None]:
    match mark:
        case "?":
            return 0, 1
        case "*":
            return 0, None
        case "+":
            return 1, None
    low, comma, high = mark[1:-1].partition(",")
    if not comma:
        return int(low), int(low)
    return int(low), int(high) if high else None
