import pytest

from rules.compiler import PackError
from rules.compiler.parse import parse
from rules.compiler.tree import Call, Choice, Place, Repeat, Sequence_, walk


def test_every_node_knows_its_place() -> None:
    grammar = parse('a: "x"\n  | b "y"\nb: A\n')
    assert [definition.place for definition in grammar.definitions] == [Place(1, 1), Place(3, 1)]
    choice = grammar.definitions[0].node
    assert isinstance(choice, Choice)
    assert choice.items[1].place == Place(2, 5)


def test_comments_and_continued_lines_are_read_over() -> None:
    grammar = parse('// head\na: "x"   // first\n  // between\n  | "y"\n\n// last\n')
    assert isinstance(grammar.definitions[0].node, Choice)


def test_repetitions_have_bounds() -> None:
    grammar = parse('a: "x"? "y"* "z"+ "u"{2} "v"{2,} "w"{2,5} ["t"]\n')
    node = grammar.definitions[0].node
    assert isinstance(node, Sequence_)
    bounds = [(item.low, item.high) for item in node.items if isinstance(item, Repeat)]
    assert bounds == [(0, 1), (0, None), (1, None), (2, 2), (2, None), (2, 5), (0, 1)]


def test_a_rule_for_each_group_names_its_variable_and_its_set() -> None:
    grammar = parse("a{group in citable}: ONE{group} TEXT{group}\n")
    definition = grammar.definitions[0]
    assert definition.each == ("group", "citable")
    calls = [node for node in walk(definition.node) if isinstance(node, Call)]
    assert [(call.name, call.arguments) for call in calls] == [
        ("ONE", ("group",)),
        ("TEXT", ("group",)),
    ]


@pytest.mark.parametrize(
    ("source", "line", "column"),
    [
        ('a: "x"\nb: "y" )\n', 2, 8),
        ('a: "x" (', 1, 8),
        ('a: "x\n', 1, 4),
        ("a = b\n", 1, 3),
        ("a: /unclosed\n", 1, 4),
    ],
)
def test_a_syntax_error_is_shown_where_it_is(source: str, line: int, column: int) -> None:
    with pytest.raises(PackError) as caught:
        parse(source)
    problem = caught.value.problems[0]
    assert problem.code == "syntax"
    assert (problem.line, problem.column) == (line, column)
    text, mark = problem.excerpt.split("\n")
    assert text == source.split("\n")[line - 1]
    assert mark.strip() == "^"
    assert problem.message_zh
    assert problem.message_en
    assert problem.hint_zh


def test_an_unknown_parameter_type_lists_the_known_ones() -> None:
    with pytest.raises(PackError) as caught:
        parse("%param subject: words\n")
    assert caught.value.code == "unknown-type"
    assert "text" in caught.value.problems[0].hint_en


def test_the_caret_stands_under_wide_characters() -> None:
    with pytest.raises(PackError) as caught:
        parse('a: "权利要求" )\n')
    assert caught.value.problems[0].excerpt.endswith("\n" + " " * 14 + "^")
