"""Which citations the grammar lets through, against a reading of the law in plain Python."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.compiler.citations import Joiners, any_of, one_of
from rules.compiler.verdict import judge, judge_from, matcher

JOINERS = 'comma: "、"\nor: "或"\nto: "至"\nany: "中" "任" "一" "项"\n'
Item = tuple[int, int]
"""A number twice, or the ends of a range."""


def alternative_grammar(numbers: list[int]) -> str:
    rules = any_of("several", numbers, Joiners("comma", "or", "to", "any"))
    return f"start: several\n{rules}\n{JOINERS}"


def is_lawful(numbers: set[int], items: list[Item], joiners: list[str], any_word: bool) -> bool:
    """细则25.2: only claims that may be cited, in the alternative, at least two of them."""
    whole = all(set(range(low, high + 1)) <= numbers for low, high in items)
    ascending = all(left[1] < right[0] for left, right in pairwise(items))
    forwards = all(low <= high for low, high in items)
    several = len(items) > 1 or items[0][0] < items[0][1]
    in_order = "或、" not in "".join(joiners)
    after_or = items[joiners.index("或") + 1 :] if "或" in joiners else []
    singles = [low == high for low, high in after_or]
    ends_well = all(singles) or (all(singles[:-1]) and any_word)
    return (
        whole
        and ascending
        and forwards
        and several
        and in_order
        and ends_well
        and (any_word or "或" in joiners)
    )


def written(items: list[Item], joiners: list[str], any_word: bool) -> str:
    parts = [f"{low}" if low == high else f"{low}至{high}" for low, high in items]
    text = parts[0] + "".join(mark + part for mark, part in zip(joiners, parts[1:], strict=True))
    return text + ("中任一项" if any_word else "")


numbers = st.integers(1, 14)
items = st.lists(
    st.one_of(numbers.map(lambda n: (n, n)), st.tuples(numbers, numbers)), min_size=1, max_size=4
)
ascending_items = st.lists(numbers, min_size=1, max_size=6, unique=True).map(
    lambda chosen: [(n, n) for n in sorted(chosen)]
)


@settings(max_examples=250, deadline=None)
@given(
    citable=st.sets(numbers, min_size=2),
    items=st.one_of(items, ascending_items),
    any_word=st.booleans(),
    data=st.data(),
)
def test_an_alternative_is_accepted_exactly_when_it_is_lawful(
    citable: set[int], items: list[Item], any_word: bool, data: st.DataObject
) -> None:
    joiners = data.draw(
        st.lists(st.sampled_from("、或"), min_size=len(items) - 1, max_size=len(items) - 1)
    )
    text = written(items, joiners, any_word)
    verdict = judge(alternative_grammar(sorted(citable)), text)
    assert (verdict.kind == "accepted") == is_lawful(citable, items, joiners, any_word), text


@settings(max_examples=60, deadline=None)
@given(citable=st.sets(st.integers(1, 200), min_size=1))
def test_one_claim_is_accepted_exactly_when_it_may_be_cited(citable: set[int]) -> None:
    start = matcher("start: one\n" + one_of("one", sorted(citable)))
    accepted = {n for n in range(1, 250) if judge_from(start, str(n)).kind == "accepted"}
    assert accepted == citable


def test_a_range_never_reaches_over_a_claim_that_may_not_be_cited() -> None:
    start = matcher(alternative_grammar([1, 2, 3, 5, 6]))
    assert judge_from(start, "1至3中任一项").kind == "accepted"
    assert judge_from(start, "1至5中任一项").kind == "refused"
    assert judge_from(start, "1至3或5至6中任一项").kind == "accepted"


def test_a_list_without_a_word_for_the_alternative_is_incomplete() -> None:
    start = matcher(alternative_grammar([1, 2, 3]))
    assert judge_from(start, "1、2").kind == "incomplete"
    assert judge_from(start, "1至3").kind == "incomplete"
