"""Forbidden terms as a language, against a direct search for breaches."""

from functools import cache

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from rules.compiler.forbidden import ANYTHING_LINE, breaches_of, conditions
from rules.compiler.terms import Term, grouped, trimmed
from rules.compiler.verdict import judge_from, matcher

WORDS = st.text("甲乙丙", min_size=1, max_size=2)
AROUND = st.text("甲乙丙丁", max_size=2)


@st.composite
def terms(draw: st.DrawFn) -> tuple[Term, ...]:
    table = {}
    for word in draw(st.lists(WORDS, min_size=1, max_size=3, unique=True)):
        pairs = draw(st.lists(st.tuples(AROUND, AROUND), max_size=4))
        contexts = tuple(dict.fromkeys(p + word + s for p, s in pairs if p or s))
        table[word] = Term(word, contexts, draw(st.booleans()) and not draw(st.booleans()))
    return tuple(table.values())


@cache
def engine(table: tuple[Term, ...]):
    lawful = conditions(table)
    lines = "\n".join(lawful.lines.values())
    prose = " & ".join(("(/[甲乙丙丁5]+/)", *lawful.conjuncts))
    return matcher(f'start: TEXT\nTEXT: PROSE "。"\nPROSE: {prose}\n{lines}\n{ANYTHING_LINE}\n')


def breaches(table: tuple[Term, ...], text: str) -> bool:
    """By the definition: an occurrence that lies inside no occurrence of a context."""
    for term in table:
        for start in range(len(text)):
            end = start + len(term.text)
            if text[start:end] != term.text:
                continue
            if term.before_number and text[end : end + 1] != "5":
                continue
            covered = any(
                text[left : left + len(context)] == context
                and left <= start
                and end <= left + len(context)
                for context in term.contexts
                for left in range(start + 1)
            )
            if not covered:
                return True
    return False


def accepts(table: tuple[Term, ...], text: str) -> bool:
    return judge_from(engine(table), text + "。").kind == "accepted"


@settings(max_examples=250, deadline=None)
@given(table=terms(), text=st.text("甲乙丙丁5", min_size=1, max_size=9))
@example(table=(Term("甲", ("乙甲丙", "丁甲")),), text="乙甲丁")
@example(table=(Term("甲乙", ("丙甲乙",)), Term("乙", ("乙丁",))), text="丙甲乙丁")
def test_no_breach_is_ever_accepted(table: tuple[Term, ...], text: str) -> None:
    assume(breaches(table, text))
    assert not accepts(table, text)


@settings(max_examples=250, deadline=None)
@given(table=terms(), text=st.text("甲乙丙丁5", min_size=1, max_size=3))
def test_short_texts_without_a_breach_are_accepted(table: tuple[Term, ...], text: str) -> None:
    assume(not breaches(table, text))
    assert accepts(table, text)


@settings(max_examples=200, deadline=None)
@given(term=terms().map(lambda table: table[0]), text=st.text("甲乙丙丁5", min_size=1, max_size=9))
@example(term=Term("甲", ("乙甲丙", "丁甲", "乙丁甲乙", "甲甲")), text="乙丁甲丙甲")
def test_a_term_on_its_own_is_judged_exactly(term: Term, text: str) -> None:
    alone = " | ".join(breaches_of(term))
    start = matcher(
        f'start: TEXT\nTEXT: (/[甲乙丙丁5]+/ & ~BREACH) "。"\nBREACH: {alone}\n{ANYTHING_LINE}\n'
    )
    assert (judge_from(start, text + "。").kind == "accepted") != breaches((term,), text)


@settings(max_examples=150, deadline=None)
@given(
    pairs=st.lists(st.tuples(st.just(""), AROUND.filter(bool)), max_size=4),
    text=st.text("甲乙丙丁5", min_size=1, max_size=9),
)
def test_contexts_that_only_follow_are_judged_exactly(
    pairs: list[tuple[str, str]], text: str
) -> None:
    table = (Term("甲", tuple(dict.fromkeys("甲" + behind for _, behind in pairs))),)
    assert accepts(table, text) != breaches(table, text)


@settings(max_examples=150, deadline=None)
@given(table=terms(), text=st.text("甲乙丙丁", max_size=6))
def test_trimming_a_table_changes_no_judgement(table: tuple[Term, ...], text: str) -> None:
    assert breaches(tuple(trimmed(term) for term in table), text) == breaches(table, text)


REAL = (
    Term("强", ("强度", "增强", "高强", "强光", "光强")),
    Term("薄", ("薄膜", "超薄")),
    Term("等", ("等于", "相等", "等离")),
    Term("约", ("约束", "预约"), before_number=True),
    Term("较低", ("较低者",)),
    Term("优选"),
)


@pytest.mark.parametrize(
    "text",
    [
        "强度为",
        "高强度",
        "超薄膜",
        "相等于",
        "等离子体",
        "强光强",
        "预约束",
        "大约束",
        "约定",
        "较低者",
        "优先选择",
    ],
)
def test_terms_of_art_pass(text: str) -> None:
    assert judge_real(text) == "accepted"


@pytest.mark.parametrize(
    ("text", "position"),
    [("很强的", 3), ("优选为", 2), ("铜铁等的", 4), ("约5", 2), ("较低强度", 3), ("薄的", 2)],
)
def test_a_breach_stops_at_the_character_that_completes_it(text: str, position: int) -> None:
    assert judge_from(real_engine(), text + "。").position in (position - 1, position)


@cache
def real_engine():
    lawful = conditions(REAL)
    prose = " & ".join(("(/[一-鿿0-9]+/)", *lawful.conjuncts))
    lines = "\n".join(lawful.lines.values())
    return matcher(f'start: TEXT\nTEXT: PROSE "。"\nPROSE: {prose}\n{lines}\n{ANYTHING_LINE}\n')


def judge_real(text: str) -> str:
    return judge_from(real_engine(), text + "。").kind


def test_terms_share_groups_so_that_the_engine_has_few_conditions() -> None:
    groups, alone = grouped([trimmed(term) for term in REAL if trimmed(term).leading])
    assert [sorted(term.text for term in group.terms) for group in groups] == [
        ["强", "等", "约", "薄"]
    ]
    assert alone == []


ENGLISH = (
    Term("about", ("about to",), before_number=True, whole_word=True),
    Term("such as", whole_word=True),
    Term("like", ("like terms",), whole_word=True),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wires such as copper", "refused"),
        ("Such as wires", "refused"),
        ("a suchas unlikely lake", "accepted"),
        ("wires or the like", "refused"),
        ("like terms in a liked list", "accepted"),
        ("about 5 mm", "refused"),
        ("a roundabout 5 mm wide", "accepted"),
        ("turns about an axis", "accepted"),
    ],
)
def test_a_whole_word_is_a_breach_only_as_a_word_of_its_own(text: str, expected: str) -> None:
    lawful = conditions(ENGLISH)
    prose = " & ".join(("(/[A-Za-z0-9 ]+/)", *lawful.conjuncts))
    lines = "\n".join(lawful.lines.values())
    start = matcher(f'start: TEXT\nTEXT: PROSE "."\nPROSE: {prose}\n{lines}\n{ANYTHING_LINE}\n')
    assert judge_from(start, text + ".").kind == expected
