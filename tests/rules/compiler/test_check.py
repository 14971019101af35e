import pytest

from rules.compiler import PackError, compile_pack
from tests.rules.compiler.grammars import GRAMMAR, pack


def problems_of(grammar: str) -> list[tuple[str, int, int]]:
    with pytest.raises(PackError) as caught:
        compile_pack(pack(grammar))
    return [(problem.code, problem.line, problem.column) for problem in caught.value.problems]


def changed(old: str, new: str) -> str:
    assert old in GRAMMAR
    return GRAMMAR.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('to: "至"', "to: range_word", ("undefined", 14, 5)),
        ("%forbidden PROSE", "%forbidden TEXT_", ("undefined", 6, 12)),
        ("entry(independent, dependent)", "entry(independent)", ("entry", 1, 1)),
        ("%param subject: text", "%param subjekt: text", ("unknown-parameter", 2, 1)),
        ("%param subject: text", "%param subject: claims", ("parameter-type", 2, 1)),
        ('comma: "、"', 'comma: "、"\ncomma: "，"', ("defined-twice", 13, 1)),
        ('comma: "、"', 'comma: "、"\na__b: "，"', ("reserved-name", 13, 1)),
        ('comma: "、"', 'comma: "、"\nextra: "，"', ("unused", 13, 1)),
        ('comma: "、"', 'comma: "、" comma', ("unproductive", 12, 1)),
        ("ONE{group}", "TWO{group}", ("unknown-call", 10, 38)),
        ("ANY_OF{group, comma, or, to, any}", "ANY_OF{group, comma}", ("argument-count", 11, 36)),
        ("ONE{group}", "ONE{subject}", ("argument-type", 10, 38)),
        ("group in basis", "group in subject", ("argument-type", 11, 1)),
        ("to, any} TEXT", "to, whatever} TEXT", ("undefined", 11, 36)),
        ('CLOSING: PROSE "。"', 'CLOSING: PROSE TEXT{subject} "。"', ("call-in-terminal", 16, 16)),
        ('CLOSING: PROSE "。"', 'CLOSING: PROSE comma "。"', ("rule-in-terminal", 16, 16)),
        ('comma: "、"', 'comma: "、" & ~"，"', ("operator-in-rule", 12, 8)),
        ('"，" CLOSING\ndep', '"，" PROSE\ndep', ("open-terminal", 8, 38)),
        ("PROSE: /", "PROSE: ~/(?s:.*)不/ & /", ("any-characters", 17, 9)),
    ],
)
def test_each_mistake_is_reported_at_its_place(
    old: str, new: str, expected: tuple[str, int, int]
) -> None:
    assert expected in problems_of(changed(old, new))


def test_all_mistakes_are_reported_at_once_in_order() -> None:
    grammar = changed('or: "或"', "or: one").replace('to: "至"', "to: two")
    assert problems_of(grammar) == [("undefined", 13, 5), ("undefined", 14, 5)]


def test_an_undefined_name_suggests_the_nearest_one() -> None:
    with pytest.raises(PackError) as caught:
        compile_pack(pack(changed('to: "至"', "to: coma")))
    assert "comma" in caught.value.problems[0].hint_en


@pytest.mark.parametrize(
    "terminal",
    ["/[0-9]+/", "/[^，]+，/", "/x{2}/", "/[，；]\\n?/", '"，" "x"?', "/a\\+/"],
)
def test_a_terminal_that_ends_visibly_may_stand_in_a_rule(terminal: str) -> None:
    compile_pack(pack(changed('comma: "、"', f"comma: MARK\nMARK: {terminal}")))


@pytest.mark.parametrize(
    "terminal", ["/[^，]+/", "/[一-鿿]{2,40}/", '/./ "，"?', '"a" | /[^a]*/', "~/a/"]
)
def test_a_terminal_whose_end_the_engine_cannot_see_is_refused(terminal: str) -> None:
    codes = [code for code, _, _ in problems_of(changed('comma: "、"', f"comma: T\nT: {terminal}"))]
    assert "open-terminal" in codes
