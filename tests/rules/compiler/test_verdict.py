import pytest

from rules.compiler import CitableClaim, ClaimState, compile_pack
from rules.compiler.verdict import (
    GrammarError,
    Judge,
    Verdict,
    explain,
    judge,
    judge_from,
    matcher,
)
from tests.rules.compiler.grammars import pack

GRAMMAR = "start: TEXT\nTEXT: /[一-鿿]+。/\n"


def test_the_position_of_a_refusal_counts_characters() -> None:
    assert judge(GRAMMAR, "甲乙丙，丁。") == Verdict("refused", 3)
    assert judge(GRAMMAR, "甲。") == Verdict("accepted")
    assert judge(GRAMMAR, "甲") == Verdict("incomplete")
    assert judge(GRAMMAR, "") == Verdict("incomplete")


def test_a_refused_text_leaves_the_matcher_fit_for_the_next_one() -> None:
    start = matcher(GRAMMAR)
    assert judge_from(start, "x").kind == "refused"
    assert judge_from(start, "甲。").kind == "accepted"


def test_a_grammar_the_engine_cannot_build_is_an_error_with_its_words() -> None:
    with pytest.raises(GrammarError) as caught:
        judge("start: missing\n", "甲")
    assert "missing" in str(caught.value)


def test_a_matcher_that_the_engine_has_given_up_is_replaced() -> None:
    judged = Judge(GRAMMAR)
    assert judged("甲。").kind == "accepted"
    judged.start.consume_tokens(list(b"x"))
    assert judged.start.is_error()
    with pytest.raises(GrammarError):
        judge_from(judged.start, "甲。")
    assert judged("甲。").kind == "accepted"
    for _ in range(2):
        with pytest.raises(GrammarError):
            Judge("start: missing\n")("甲")


def test_an_explanation_names_the_place_and_what_could_stand_there() -> None:
    compiled = compile_pack(pack())
    state = ClaimState(3, "dependent", "板", (CitableClaim(1, "板"), CitableClaim(2, "板")))
    explanation = explain(compiled, state, "权利要求3所述的板，甲。")
    assert explanation.verdict == Verdict("refused", 4)
    assert set(explanation.allowed) == {"1", "2"}
    assert explain(compiled, state, "权利要求1所述的板，甲。").allowed == ()
    unfinished = explain(compiled, state, "权利要求1所述的板，甲")
    assert unfinished.verdict.kind == "incomplete"
    assert "。" in unfinished.allowed
