"""A terminal whose end the engine could not see is closed where that is certain."""

import pytest

from rules.compiler import DocumentState, PackError, compile_pack
from rules.compiler.verdict import judge
from tests.rules.compiler.grammars import abstract

HEAD = "%param kind: entry(text)\n"
STATE = DocumentState("abstract")


def test_the_closing_mark_is_drawn_into_the_terminal_before_it() -> None:
    grammar = HEAD + 'text: PROSE "。" PROSE "；"\nPROSE: /[^。；\\n]{2,40}/\n'
    made = compile_pack(abstract(grammar)).instantiate(STATE)
    assert judge(made, "甲乙、丙。丁戊；").kind == "accepted"
    assert judge(made, "甲乙。丙。").kind == "refused"


def test_inside_a_repetition_too() -> None:
    grammar = HEAD + 'text: (PROSE "，"){1,3} PROSE "。"\nPROSE: /[一-鿿]{1,9}/\n'
    made = compile_pack(abstract(grammar)).instantiate(STATE)
    assert judge(made, "甲乙，丙，丁。").kind == "accepted"
    assert judge(made, "甲乙。").kind == "refused"


@pytest.mark.parametrize(
    "rule",
    [
        'PROSE "，"',  # a comma may be part of the prose
        'PROSE "。。"',  # the mark stands twice: where does the prose end?
        'PROSE mark\nmark: "。"',  # another rule may close it
        "PROSE PROSE",
    ],
)
def test_where_it_is_not_certain_it_is_reported(rule: str) -> None:
    with pytest.raises(PackError) as caught:
        compile_pack(abstract(f"{HEAD}text: {rule}\nPROSE: /[^。\\n]{{2,40}}/\n"))
    assert "open-terminal" in [problem.code for problem in caught.value.problems]
