"""The engine and lark are asked the same questions, about examples and about grammars at random."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, reject, settings
from hypothesis import strategies as st

from rules.compiler import CompiledPack, DocumentState, PackError, compile_pack
from rules.compiler.earley import Earley
from rules.compiler.verdict import judge, matcher
from rules.compiler.verify import verify
from tests.rules.compiler.grammars import abstract

GRAMMAR = """\
%param kind: entry(text)
%param title: text
%forbidden PROSE
text: "一种" TEXT{title} "，" CLOSING
CLOSING: PROSE "。"
PROSE: /[一-鿿0-9，]{1,60}/ & ~(ANYTHING "，，" ANYTHING)
"""
ROWS = [
    {"term": "最好", "rule": "W01", "severity": "error", "allowed_in": ["最好成绩", "性能最好"]},
    {"term": "约", "rule": "W01", "severity": "error", "only": "before_number"},
]


def document(*examples: tuple[str, str], **changes: Any) -> dict[str, Any]:
    stated = [
        {"text": text, "state": {"title": "板"}, "verdict": verdict} for text, verdict in examples
    ]
    return abstract(GRAMMAR, forbidden=ROWS, examples=stated, **changes)


def test_each_example_is_judged_by_both() -> None:
    pack = document(
        ("一种板，甲乙。", "accepted"),
        ("一种板，性能最好。", "accepted"),
        ("一种板，约束。", "accepted"),
        ("一种板，最好甲。", "refused"),
        ("一种板，约5。", "refused"),
        ("一种板，甲，，乙。", "refused"),
        ("一种管，甲。", "refused"),
        ("一种板，甲", "incomplete"),
        ("", "incomplete"),
    )
    found = verify(compile_pack(pack))
    assert [one.outcome for one in found.checked] == ["as-stated"] * 9
    assert (found.positives, found.negatives, found.enough) == (3, 6, False)


def test_an_example_with_another_verdict_is_shown_with_the_place() -> None:
    found = verify(compile_pack(document(("一种板，最好甲。", "accepted"))))
    (failure,) = found.failures
    assert failure.outcome == "wrong-verdict"
    assert failure.found is not None
    assert (failure.found.kind, failure.found.position) == ("refused", 6)


def test_house_rules_may_refuse_what_the_base_accepts_but_not_the_reverse() -> None:
    pack = document(("一种板，最好甲。", "accepted"), ("一种板，甲。", "refused"))
    for example in pack["examples"]:
        example["inherited"] = True
    outcomes = [one.outcome for one in verify(compile_pack(pack)).checked]
    assert outcomes == ["now-refused", "loosened"]


def test_a_disagreement_is_found_and_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Earley, "accepts", lambda self, text: False)
    (one,) = verify(compile_pack(document(("一种板，甲。", "accepted")))).failures
    assert one.outcome == "disagreement"
    assert "lark" in one.reason


def test_a_state_that_admits_no_text_is_a_failure_of_its_example() -> None:
    pack = document(("一种板，甲。", "accepted"))
    pack["examples"][0]["state"] = {"pages": 3}
    (failure,) = verify(compile_pack(pack)).failures
    assert failure.outcome == "no-state"


def test_it_leaves_off_when_told_to() -> None:
    answers = iter([False, True])
    pack = document(("一种板，甲。", "accepted"), ("一种板，乙。", "accepted"))
    assert len(verify(compile_pack(pack), stopped=lambda: next(answers)).checked) == 1


LETTERS = "甲乙丙，。"
WORDS = (
    "/甲[乙丙]{1,2}。/",
    '/甲[乙丙，]+。/ & ~(ANYTHING "，，" ANYTHING)',
    '"甲" ("乙" | "丙，"){2} "。"',
)
MARKS = ("/乙甲?，/", '"乙，" | "乙甲甲，"', "/乙[^，]{2}，/ & ~(ANYTHING /甲甲/ ANYTHING)")
OVERLAPPING = ('"甲" | "乙甲"', "/[^。，]{2}/", "/[甲乙]{1,3}，/")


def rules(letters: str) -> st.SearchStrategy[str]:
    """The right side of a rule, of literals over the letters and of what the others are called."""
    literals = st.text(letters, min_size=1, max_size=2).map(lambda text: f'"{text}"')
    names = st.sampled_from(["one", "two", "WORD", "MARK"])

    def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        several = st.lists(inner, min_size=2, max_size=3)
        times = st.tuples(inner, st.sampled_from(["?", "{2}", "{0,2}", "{1,3}"]))
        return st.one_of(
            several.map(lambda items: f"({' '.join(items)})"),
            several.map(lambda items: f"({' | '.join(items)})"),
            times.map(lambda pair: f"({pair[0]}){pair[1]}"),
        )

    return st.recursive(st.one_of(literals, names), grown, max_leaves=6)


def compiled(text: str, one: str, word: str, mark: str) -> CompiledPack:
    grammar = (
        f"%param kind: entry(text)\ntext: ({text})? one two\none: ({one})? WORD MARK\n"
        f'two: "，" | "丙，"\nWORD: {word}\nMARK: {mark}\n'
    )
    runs = {"WORD": "(?s:.)", "MARK": "(?s:.)"}
    try:
        return compile_pack(abstract(grammar, unbounded_runs=runs))
    except PackError:
        reject()


def written(grammar: str, data: st.DataObject) -> str:
    """What a writer makes whom the engine holds to the grammar, finished or not."""
    writer = matcher(grammar)
    text = ""
    for _ in range(14):
        if writer.is_accepting() and data.draw(st.booleans()):
            break
        lawful = [c for c in LETTERS if writer.validate_tokens(list(c.encode())) == 3]
        if not lawful:
            break
        text += data.draw(st.sampled_from(lawful))
        writer.consume_tokens(list(text[-1].encode()))
    return text


def judgements(pack: CompiledPack, data: st.DataObject) -> Iterator[tuple[str, bool, bool]]:
    """Texts, what the engine says of them, and what lark says: accepted or not."""
    made = pack.instantiate(DocumentState("abstract"))
    earley = Earley(pack, made)
    for _ in range(4):
        text = written(made, data)
        place = data.draw(st.integers(0, len(text)))
        edited = text[:place] + data.draw(st.sampled_from(["", *LETTERS])) + text[place + 1 :]
        for tried in (text, edited):
            accepted = judge(made, tried).kind == "accepted"
            event(f"accepted: {accepted}")
            yield tried, accepted, earley.accepts(tried)


GENEROUS = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@GENEROUS
@given(
    text=rules("丙，。"),
    one=rules("丙，。"),
    word=st.sampled_from(WORDS),
    mark=st.sampled_from(MARKS),
    data=st.data(),
)
def test_on_grammars_at_random_the_two_say_the_same(
    text: str, one: str, word: str, mark: str, data: st.DataObject
) -> None:
    """Terminals that begin with different characters, so that no lexer has a choice."""
    for tried, engine, lark in judgements(compiled(text, one, word, mark), data):
        assert engine == lark, tried


@GENEROUS
@given(
    text=rules("甲乙，。"),
    one=rules("甲乙，。"),
    word=st.sampled_from(WORDS + OVERLAPPING),
    mark=st.sampled_from(MARKS + OVERLAPPING),
    data=st.data(),
)
def test_where_terminals_overlap_the_engine_accepts_nothing_that_lark_refuses(
    text: str, one: str, word: str, mark: str, data: st.DataObject
) -> None:
    """The engine's lexer takes the longest terminal and never goes back: it may refuse more."""
    for tried, engine, lark in judgements(compiled(text, one, word, mark), data):
        assert lark or not engine, tried
