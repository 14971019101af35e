"""Stage 2: what a grammar may not be, found before anything is made of it."""

from collections.abc import Callable, Iterator

from .errors import PackError, Problem, caret
from .forbidden import ANYTHING
from .tree import (
    Both,
    Call,
    Choice,
    Definition,
    Grammar,
    Literal_,
    Node,
    Not,
    Pattern,
    Place,
    Reference,
    Repeat,
    Sequence_,
    walk,
)

STATE_PARAMETERS = {
    "kind": "entry",
    "subject": "text",
    "complete": "text",
    "citable": "claims",
    "basis": "claims",
}
"""What the state of a document offers, with the type each must be declared with."""

ENTRIES = ("independent", "dependent")
CALLS = {"ONE": 1, "ANY_OF": 5, "TEXT": 1}
"""The calls and how many arguments they take."""


def check(grammar: Grammar) -> None:
    """Raises PackError with every problem, in the order of their places."""
    checker = _Checker(grammar)
    found = [problem for step in checker.steps() for problem in step()]
    if found:
        raise PackError(tuple(sorted(found, key=lambda problem: (problem.line, problem.column))))


class _Checker:
    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.definitions = {definition.name: definition for definition in grammar.definitions}
        self.parameters = {parameter.name: parameter for parameter in grammar.parameters}

    def steps(self) -> tuple[Callable[[], Iterator[Problem]], ...]:
        return (
            self.declarations,
            self.names,
            self.calls,
            self.terminals,
            self.endless,
            self.unreachable,
        )

    def problem(
        self, code: str, place: Place, zh: str, en: str, hint_zh: str = "", hint_en: str = ""
    ) -> Problem:
        excerpt = caret(self.grammar.source, place.line, place.column)
        return Problem(code, place.line, place.column, excerpt, zh, en, hint_zh, hint_en)

    def declarations(self) -> Iterator[Problem]:
        seen: set[str] = set()
        for parameter in self.grammar.parameters:
            wanted = STATE_PARAMETERS.get(parameter.name)
            if wanted is None:
                yield self.problem(
                    "unknown-parameter",
                    parameter.place,
                    f"文档状态中没有参数“{parameter.name}”。",
                    f"The state of a document has no parameter “{parameter.name}”.",
                    "可用的参数：" + "、".join(STATE_PARAMETERS) + "。",
                    "Parameters are " + ", ".join(STATE_PARAMETERS) + ".",
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
        kind = next((p for p in self.grammar.parameters if p.type == "entry"), None)
        if kind is None or kind.entries != ENTRIES:
            yield self.problem(
                "entry",
                kind.place if kind else Place(1, 1),
                "语法必须声明两个起始规则。",
                "The grammar must declare its two entry rules.",
                "写作：%param kind: entry(independent, dependent)",
                "Write: %param kind: entry(independent, dependent)",
            )

    def names(self) -> Iterator[Problem]:
        for reference in self._references():
            if reference.name not in self.definitions and reference.name != ANYTHING:
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

    def calls(self) -> Iterator[Problem]:
        for definition in self.grammar.definitions:
            if definition.each and self._type(definition.each[1]) != "claims":
                yield self._bad_argument(definition.place, definition.each[1], "claims")
            for node in walk(definition.node):
                if isinstance(node, Call):
                    yield from self._call(definition, node)

    def _call(self, definition: Definition, call: Call) -> Iterator[Problem]:
        count = CALLS.get(call.name)
        if count is None:
            yield self.problem(
                "unknown-call",
                call.place,
                f"没有“{call.name}{{…}}”这种写法。",
                f"There is no “{call.name}{{…}}”.",
                "可用：ONE{集合}、ANY_OF{集合, 顿号, 或, 至, 任一}、TEXT{主题}。",
                "There are ONE{set}, ANY_OF{set, comma, or, through, any} and TEXT{subject}.",
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
        wanted = "text" if call.name == "TEXT" else "claims"
        bound = definition.each is not None and definition.each[0] == first
        if not bound and self._type(first) != wanted:
            yield self._bad_argument(call.place, first, wanted)
        for name in joiners:
            if name not in self.definitions:
                yield self.problem(
                    "undefined", call.place, f"“{name}”没有定义。", f"“{name}” is not defined."
                )

    def _type(self, name: str) -> str | None:
        parameter = self.parameters.get(name)
        return parameter.type if parameter else None

    def _bad_argument(self, place: Place, name: str, wanted: str) -> Problem:
        return self.problem(
            "argument-type",
            place,
            f"“{name}”不是已声明的 {wanted} 类型参数。",
            f"“{name}” is not a declared parameter of type {wanted}.",
        )

    def terminals(self) -> Iterator[Problem]:
        for definition in self.grammar.definitions:
            for node in walk(definition.node):
                if definition.is_terminal and isinstance(node, Call):
                    yield self.problem(
                        "call-in-terminal",
                        node.place,
                        "终结符中不能使用参数，请写在规则里。",
                        "A terminal cannot use parameters; write this in a rule.",
                    )
                elif definition.is_terminal and isinstance(node, Reference):
                    if node.name in self.definitions and not self.definitions[node.name].is_terminal:
                        yield self.problem(
                            "rule-in-terminal",
                            node.place,
                            f"终结符中不能引用规则“{node.name}”。",
                            f"A terminal cannot refer to the rule “{node.name}”.",
                        )
                elif not definition.is_terminal and isinstance(node, Both | Not):
                    yield self.problem(
                        "operator-in-rule",
                        node.place,
                        "“&”和“~”只能用于终结符。",
                        "“&” and “~” work on terminals only.",
                    )
        for reference in self.grammar.forbidding:
            target = self.definitions.get(reference.name)
            if target and any(isinstance(node, Call) for node in walk(target.node)):
                yield self.problem(
                    "call-in-terminal",
                    reference.place,
                    f"“{reference.name}”含有参数。",
                    f"“{reference.name}” uses parameters.",
                )

    def endless(self) -> Iterator[Problem]:
        """Rules and terminals that can never be finished."""
        done: set[str] = set()
        grown = True
        while grown:
            grown = False
            for name, definition in self.definitions.items():
                if name not in done and self._finishes(definition.node, done):
                    done.add(name)
                    grown = True
        for name, definition in self.definitions.items():
            if name not in done:
                yield self.problem(
                    "unproductive",
                    definition.place,
                    f"“{name}”永远无法写完。",
                    f"“{name}” can never be finished.",
                    "每个递归都需要一个不再递归的选项。",
                    "Every recursion needs an alternative that does not recurse.",
                )

    def _finishes(self, node: Node, done: set[str]) -> bool:
        match node:
            case Literal_() | Pattern() | Call():
                return True
            case Reference():
                return node.name in done or node.name not in self.definitions
            case Choice():
                return any(self._finishes(item, done) for item in node.items)
            case Repeat():
                return node.low == 0 or self._finishes(node.item, done)
            case Not():
                return self._finishes(node.item, done)
            case Sequence_() | Both():
                return all(self._finishes(item, done) for item in node.items)

    def unreachable(self) -> Iterator[Problem]:
        queue = [entry for p in self.grammar.parameters for entry in p.entries]
        reached = set(queue)
        while queue:
            definition = self.definitions.get(queue.pop())
            if definition is None:
                continue
            for node in walk(definition.node):
                names: tuple[str, ...] = ()
                if isinstance(node, Reference):
                    names = (node.name,)
                elif isinstance(node, Call):
                    names = node.arguments[1:]
                for name in names:
                    if name not in reached:
                        reached.add(name)
                        queue.append(name)
        for name, definition in self.definitions.items():
            if name not in reached:
                yield self.problem(
                    "unreachable",
                    definition.place,
                    f"从起始规则到不了“{name}”。",
                    f"“{name}” cannot be reached from an entry rule.",
                    "删除它，或者在某条规则中使用它。",
                    "Remove it, or use it in a rule.",
                )

    def _references(self) -> Iterator[Reference]:
        yield from self.grammar.forbidding
        for definition in self.grammar.definitions:
            for node in walk(definition.node):
                if isinstance(node, Reference):
                    yield node


def _nearest(name: str, known: dict[str, Definition]) -> str:
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, known, n=1)), "")
