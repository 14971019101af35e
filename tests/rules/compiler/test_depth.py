import pytest

from rules.compiler import DocumentState, compile_pack
from rules.compiler.verdict import judge
from tests.rules.compiler.grammars import abstract

NESTED = '%param kind: entry(text)\ntext: part "。"\npart: "板" | "（" part "）"\n'
MUTUAL = """\
%param kind: entry(text)
text: outer "。"
outer: "外" inner | "尽"
inner: "内" outer | "止"
"""
STATE = DocumentState("abstract")


def verdict(grammar: str, depths: dict[str, int], text: str) -> str:
    return judge(compile_pack(abstract(grammar, max_depth=depths)).instantiate(STATE), text).kind


@pytest.mark.parametrize(
    ("depth", "brackets", "expected"),
    [(1, 0, "accepted"), (1, 1, "refused"), (3, 2, "accepted"), (3, 3, "refused")],
)
def test_a_rule_stands_in_itself_as_deep_as_declared(
    depth: int, brackets: int, expected: str
) -> None:
    text = "（" * brackets + "板" + "）" * brackets + "。"
    assert verdict(NESTED, {"part": depth}, text) == expected


@pytest.mark.parametrize("declared", ["outer", "inner"])
def test_one_rule_of_a_ring_bounds_the_whole_ring(declared: str) -> None:
    assert verdict(MUTUAL, {declared: 2}, "外内外内尽。") == (
        "accepted" if declared == "inner" else "refused"
    )
    assert verdict(MUTUAL, {declared: 2}, "外内尽。") == "accepted"
    assert verdict(MUTUAL, {declared: 2}, "外内外内外内尽。") == "refused"


def test_a_rule_that_is_used_twice_has_its_depth_each_time() -> None:
    grammar = NESTED.replace('text: part "。"', 'text: part "、" part "。"')
    assert verdict(grammar, {"part": 2}, "（板）、（板）。") == "accepted"
