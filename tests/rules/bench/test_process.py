"""The rule checker: its answers, and what it does with a grammar that would stop a process."""

from collections.abc import Iterator
from typing import Any

import pytest

from rules.bench.process import Bench
from rules.errors import RulesError
from tests.rules.editor.conftest import ACCEPTED, REFUSED, SUBJECT, document


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    made = Bench(processes=1, seconds=60)
    yield made
    made.close()


def test_a_pack_that_compiles_has_no_problems(bench: Bench) -> None:
    assert bench.check(document())["problems"] == []


def test_a_problem_has_place_code_and_both_languages(bench: Bench) -> None:
    broken = document(grammar=document()["grammar"].replace("CLOSING: PROSE", "CLOSING: PROZE"))
    problem = next(p for p in bench.check(broken)["problems"] if p["code"] == "undefined")
    line = broken["grammar"].split("\n")[problem["line"] - 1]
    assert line[problem["column"] - 1 :].startswith("PROZE")
    assert "PROZE" in problem["message_zh"]
    assert "PROZE" in problem["message_en"]


def test_examples_are_judged_in_their_order(bench: Bench) -> None:
    pack = document()
    verdicts = bench.judge_all(pack, pack["examples"])
    assert [(one["kind"], one["as_stated"]) for one in verdicts] == [
        ("accepted", True),
        ("refused", True),
    ]
    assert verdicts[1]["position"] is not None


@pytest.mark.parametrize("seconds", [0.0, 8.0])
def test_engine_and_lark_judge_every_example_however_short_a_question_is(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    monkeypatch.setattr("rules.bench.process.SHARE_SECONDS", seconds)
    pack = document()
    wrong = {"text": REFUSED, "state": SUBJECT, "verdict": "accepted"}
    examples = [*pack["examples"], wrong, *pack["examples"], wrong]
    failed = bench.verify(pack, examples)
    assert [(one["index"], one["outcome"]) for one in failed] == [
        (2, "wrong-verdict"),
        (5, "wrong-verdict"),
    ]


def test_a_verification_that_does_not_come_to_its_end_is_none(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rules.bench.process.VERIFY_SECONDS", -1.0)
    with pytest.raises(RulesError) as raised:
        bench.verify(document(), document()["examples"])
    assert raised.value.code == "too_slow"


def test_house_rules_may_refuse_what_their_base_accepts_and_not_the_reverse(bench: Bench) -> None:
    accepted, refused = (
        {**example, "inherited": True, "verdict": verdict}
        for example, verdict in zip(document()["examples"], ("refused", "accepted"), strict=True)
    )
    verdicts = bench.judge(document(), [accepted, refused])
    assert [one["as_stated"] for one in verdicts] == [False, True]


def test_a_state_that_admits_no_claim_is_said_where_the_verdict_would_stand(bench: Bench) -> None:
    example = {"text": ACCEPTED, "state": {"number": 2, "kind": "dependent", "subject": ""},
               "verdict": "accepted"}  # fmt: skip
    verdict = bench.judge(document(), [example])[0]
    assert (verdict["kind"], verdict["as_stated"]) == ("error", False)
    assert verdict["zh"]


def test_an_explanation_names_the_place_the_term_and_what_may_follow(bench: Bench) -> None:
    explained = bench.explain(document(), SUBJECT, REFUSED)
    place = explained["verdict"]["position"]
    assert REFUSED[place - 1 : place + 1] == "例如"
    assert explained["term"]["term"] == "例如"
    assert "CLOSING" in [name for name, _line in explained["symbols"]]
    assert "，" in explained["allowed"]


def test_a_grammar_that_cannot_be_compiled_is_not_judged_under(bench: Bench) -> None:
    with pytest.raises(RulesError) as raised:
        bench.explain(document(grammar="independent: ("), SUBJECT, ACCEPTED)
    assert str(raised.value)


def test_a_question_that_takes_too_long_ends_and_the_next_one_is_answered() -> None:
    quick = Bench(processes=1, seconds=0.05)
    with pytest.raises(RulesError) as raised:
        quick.check(document())
    assert raised.value.code == "too_slow"
    quick._seconds = 60
    assert quick.check(document())["problems"] == []
    quick.close()


def test_a_process_that_died_is_replaced(bench: Bench) -> None:
    bench.check(document())
    victim: Any = bench._idle[0]
    victim.kill()
    victim.wait()
    assert bench.check(document())["problems"] == []


def test_who_finds_no_free_process_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules.bench.process.QUEUE_SECONDS", 0.01)
    full = Bench(processes=0)
    with pytest.raises(RulesError) as raised:
        full.check(document())
    assert (raised.value.code, raised.value.status) == ("busy", 503)
