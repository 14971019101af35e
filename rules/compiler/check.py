"""Stage 2: what a grammar may not be, found before anything is made of it.

This file checks names, declarations and calls; recursion.py which rules contain themselves;
sizes.py how much is written out; shape.py how rules and terminals are built; language.py what texts
are left.
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, get_args

from .constructs import FLAG
from .errors import PackError, Problem
from .forbidden import ANYTHING
from .language import LanguageChecks
from .recursion import RecursionChecks
from .repair import repair
from .runs import RunChecks
from .shape import ShapeChecks
from .sizes import SizeChecks
from .state import ENTRIES, PARAMETERS
from .tree import Call, Definition, Grammar, ParameterType, Place, Reference, walk
from .usage import UsageChecks
from .workbench import Workbench

CALLS: dict[str, tuple[int, tuple[str, ...]]] = {
    "ONE": (1, ("claims", "group", "numbers", "texts")),
    "ANY_OF": (5, ("claims", "group", "numbers")),
    "TEXT": (1, ("text", "group", "claim", "one text")),
    "NUMBER": (1, ("number", "claim", "one number")),
}
"""The calls, how many arguments they take, and what the first one may be."""

_TYPES = get_args(ParameterType)

COPIES = {
    ("claims", False): "group",
    ("claims", True): "claim",
    ("numbers", False): "one number",
    ("numbers", True): "one number",
    ("texts", False): "one text",
    ("texts", True): "one text",
}
"""What the variable of a rule with copies stands for, by the type of the set and `in_a_row`."""


def check(grammar: Grammar, document: Mapping[str, Any], terms: int) -> Grammar:
    """The grammar of a pack document with a table of `terms` enforced terms, repaired where that is
    certain. Raises PackError with every problem, in the order of their places."""
    names, sizes = NameChecks(grammar, document["kind"]), SizeChecks(grammar)
    if too_large := list(sizes.sizes()):
        raise PackError(_in_order(too_large))
    recursion = RecursionChecks(grammar).recursion(document.get("max_depth", {}))
    found = [*names.declarations(), *names.names(), *names.calls(), *recursion]
    if any(problem.code == "terminal-recursion" for problem in found):
        raise PackError(_in_order(found))
    repaired = repair(grammar)
    shapes = ShapeChecks(repaired)
    usage, language = UsageChecks(repaired), LanguageChecks(repaired)
    runs = RunChecks(repaired, document.get("unbounded_runs", {}))
    found += [
        *shapes.terminals(),
        *shapes.engine_traps(),
        *shapes.slow(terms),
        *shapes.endless(),
        *usage.unreachable(),
        *usage.unused_parameters(),
        *language.patterns(),
    ]
    if not found:
        found = [*language.empty(), *runs.runs(), *runs.rule_runs()]
    if found:
        raise PackError(_in_order(found))
    return repaired


def _in_order(problems: list[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(problems, key=lambda problem: (problem.line, problem.column)))


class NameChecks(Workbench):
    def __init__(self, grammar: Grammar, kind: str) -> None:
        super().__init__(grammar)
        self.offered = PARAMETERS[kind]
        self.entries = ENTRIES.get(kind)

    def declarations(self) -> Iterator[Problem]:
        seen: set[str] = set()
        for parameter in self.grammar.parameters:
            wanted = self.offered.get(parameter.name)
            if wanted is None:
                yield self.problem(
                    "unknown-parameter",
                    parameter.place,
                    f"文档状态中没有参数“{parameter.name}”。",
                    f"The state of a document has no parameter “{parameter.name}”.",
                    "可用的参数：" + "、".join(self.offered) + "。",
                    "Parameters are " + ", ".join(self.offered) + ".",
                )
            elif parameter.type != wanted:
                yield self.problem(
                    "parameter-type",
                    parameter.place,
                    f"参数“{parameter.name}”的类型是 {wanted}。",
                    f"The parameter “{parameter.name}” is of type {wanted}.",
                )
        for definition in self.grammar.definitions:
            if definition.name in seen:
                yield self.problem(
                    "defined-twice",
                    definition.place,
                    f"“{definition.name}”已经定义过。",
                    f"“{definition.name}” is already defined.",
                )
            if "__" in definition.name or definition.name in ("start", ANYTHING):
                yield self.problem(
                    "reserved-name",
                    definition.place,
                    f"“{definition.name}”由编译器保留（start 以及含“__”的名称）。",
                    f"“{definition.name}” is kept for the compiler (start, and names with “__”).",
                )
            seen.add(definition.name)
            if definition.each and definition.each[0] in self.offered:
                yield self.problem(
                    "reserved-name",
                    definition.place,
                    f"“{definition.each[0]}”是文档状态的参数，不能用作变量名。",
                    f"“{definition.each[0]}” is a parameter of the state; name the variable else.",
                )
        kind = next((p for p in self.grammar.parameters if p.type == "entry"), None)
        if kind is None or not kind.entries or self.entries not in (None, kind.entries):
            example = f"%param kind: entry({', '.join(self.entries or ('text',))})"
            yield self.problem(
                "entry",
                kind.place if kind else Place(1, 1),
                "语法必须声明起始规则。",
                "The grammar must declare its entry rules.",
                f"写作：{example}",
                f"Write: {example}",
            )

    def names(self) -> Iterator[Problem]:
        for reference in self._references():
            if reference.name in self.definitions or reference.name == ANYTHING:
                continue
            if self._is_flag(reference):
                yield self.problem(
                    FLAG.code, reference.place, FLAG.zh, FLAG.en, FLAG.hint_zh, FLAG.hint_en
                )
            else:
                near = _nearest(reference.name, self.definitions)
                yield self.problem(
                    "undefined",
                    reference.place,
                    f"“{reference.name}”没有定义。",
                    f"“{reference.name}” is not defined.",
                    f"是否想写“{near}”？" if near else "",
                    f"Did you mean “{near}”?" if near else "",
                )
        for parameter in self.grammar.parameters:
            for entry in parameter.entries:
                if entry not in self.definitions:
                    yield self.problem(
                        "undefined",
                        parameter.place,
                        f"起始规则“{entry}”没有定义。",
                        f"The entry rule “{entry}” is not defined.",
                    )

    def _is_flag(self, reference: Reference) -> bool:
        """Whether the name stands right behind a string or expression, as Lark's flags do."""
        line = self.grammar.source.split("\n")[reference.place.line - 1]
        before = line[: reference.place.column - 1]
        return before.endswith(('"', "/")) and set(reference.name) <= set("imslux")

    def calls(self) -> Iterator[Problem]:
        for definition in self.grammar.definitions:
            if definition.each and not self._stands_for(definition):
                yield self._bad_argument(
                    definition.place, definition.each[1], ("claims", "numbers", "texts")
                )
            for node in walk(definition.node):
                if isinstance(node, Call):
                    yield from self._call(definition, node)

    def _call(self, definition: Definition, call: Call) -> Iterator[Problem]:
        count, wanted = CALLS.get(call.name, (0, ()))
        if not wanted:
            yield self.problem(
                "unknown-call",
                call.place,
                f"没有“{call.name}{{…}}”这种写法。",
                f"There is no “{call.name}{{…}}”.",
                "可用：ONE{集合}、ANY_OF{集合, 顿号, 或, 至, 任一}、TEXT{文字}、NUMBER{数}。",
                "There are ONE{set}, ANY_OF{set, comma, or, through, any}, TEXT{text} and "
                "NUMBER{number}.",
            )
            return
        if len(call.arguments) != count:
            yield self.problem(
                "argument-count",
                call.place,
                f"{call.name} 需要 {count} 个参数，这里有 {len(call.arguments)} 个。",
                f"{call.name} takes {count} arguments; here are {len(call.arguments)}.",
            )
            return
        first, *joiners = call.arguments
        bound = definition.each is not None and definition.each[0] == first
        found = self._stands_for(definition) if bound else self._type(first)
        if found not in wanted:
            yield self._bad_argument(call.place, first, wanted)
        for name in joiners:
            if name not in self.definitions:
                yield self.problem(
                    "undefined", call.place, f"“{name}”没有定义。", f"“{name}” is not defined."
                )

    def _type(self, name: str) -> str | None:
        parameter = self.parameters.get(name)
        return parameter.type if parameter else None

    def _stands_for(self, definition: Definition) -> str | None:
        """What the variable of a rule with copies is; None where the set cannot have members."""
        if definition.each is None:
            return None
        return COPIES.get((self._type(definition.each[1]) or "", definition.in_a_row))

    def _bad_argument(self, place: Place, name: str, wanted: tuple[str, ...]) -> Problem:
        types = tuple(kind for kind in wanted if kind in _TYPES)
        return self.problem(
            "argument-type",
            place,
            f"“{name}”不是已声明的 {'、'.join(types)} 类型参数。",
            f"“{name}” is not a declared parameter of type {' or '.join(types)}.",
        )

    def _references(self) -> Iterator[Reference]:
        yield from self.grammar.forbidding
        for definition in self.grammar.definitions:
            for node in walk(definition.node):
                if isinstance(node, Reference):
                    yield node


def _nearest(name: str, known: dict[str, Definition]) -> str:
    return next(iter(get_close_matches(name, known, n=1)), "")
