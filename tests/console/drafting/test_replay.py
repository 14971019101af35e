from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from console.drafting.events import Event
from console.drafting.plan import PlannedClaim
from console.drafting.replay import JobState, fold

PLAN = [{"kind": "independent", "category": "product", "subject": "膜"}] + [
    {"kind": "dependent", "category": "product", "subject": "膜"}
] * 2


def numbered(*bodies: dict[str, Any]) -> list[Event]:
    return [
        cast(Event, {"seq": seq, "at": 0.0, **body}) for seq, body in enumerate(bodies, start=1)
    ]


def started(claim: str, index: int, attempt: int = 1, hint: str = "") -> dict[str, Any]:
    return {
        "kind": "claim.started",
        "claim_id": claim,
        "number": index + 1,
        "attempt": attempt,
        "hint": hint,
        "index": index,
        "numbering": {claim: index + 1},
    }


def delta(claim: str, text: str, *ids: int) -> dict[str, Any]:
    return {"kind": "claim.delta", "claim_id": claim, "text": text, "ids": list(ids)}


def completed(claim: str, number: int) -> dict[str, Any]:
    return {
        "kind": "claim.completed",
        "claim_id": claim,
        "number": number,
        "text": "一种膜。",
        "revision": number,
        "findings": [],
    }


START = [
    {"kind": "job.queued", "position": 0},
    {"kind": "job.started", "worker": "w", "plan": PLAN},
]


def test_a_takeover_in_the_middle_of_a_claim_finds_text_and_tokens() -> None:
    state = fold(
        numbered(
            *START,
            started("a", 0),
            delta("a", "一种", 5, 6),
            delta("a", "膜。", 7),
            completed("a", 1),
            started("b", 1, hint="厚度为20μm"),
            delta("b", "根据权利要求", 8, 9),
            {"kind": "job.moved", "reason": "worker"},
            delta("b", "1所述的", 10),
        )
    )
    assert state.plan[0] == PlannedClaim("independent", "product", "膜")
    assert state.done == ("a",)
    assert state.next_index == 1
    writing = state.writing
    assert writing is not None
    assert (writing.text, writing.ids) == ("根据权利要求1所述的", (8, 9, 10))
    assert (writing.hint, writing.numbering, writing.attempt) == ("厚度为20μm", {"b": 2}, 1)


def test_a_discarded_text_is_not_gone_on_with() -> None:
    retry = {"kind": "claim.retry", "claim_id": "a", "attempt": 1, "reason": "loop"}
    state = fold(numbered(*START, started("a", 0), delta("a", "一种", 5), retry))
    assert state.writing is not None
    assert (state.writing.text, state.writing.ids, state.writing.discarded) == ("", (), True)


def test_a_failed_claim_is_passed_over() -> None:
    failed = {
        "kind": "claim.failed",
        "claim_id": "a",
        "number": 1,
        "reason": "loop",
        "message": "",
    }
    state = fold(numbered(*START, started("a", 0), failed))
    assert (state.next_index, state.failed, state.writing) == (1, 1, None)


def test_a_claim_that_was_never_begun_is_passed_over_too() -> None:
    failed = {
        "kind": "claim.failed",
        "claim_id": "",
        "number": 2,
        "reason": "no_independent",
        "message": "",
        "index": 1,
    }
    state = fold(numbered(*START, started("a", 0), completed("a", 1), failed))
    assert (state.next_index, state.failed, state.done) == (2, 1, ("a",))


def test_a_takeover_knows_what_was_given_and_what_is_whole() -> None:
    given = {**delta("a", "一种膜，", 5, 6, 7), "given": 3}
    ended = {**delta("a", "设有孔。", 8, 9), "ended": True}
    state = fold(numbered(*START, started("a", 0), given, ended))
    assert state.writing is not None
    assert (state.writing.given, state.writing.ended) == (3, True)
    again = fold(numbered(*START, started("a", 0), given, ended, started("a", 0, attempt=2)))
    assert again.writing is not None
    assert (again.writing.given, again.writing.ended) == (0, False)


def test_the_state_says_whether_the_job_rests_or_has_ended() -> None:
    assert fold(numbered(*START, {"kind": "job.paused"})).paused
    assert not fold(numbered(*START, {"kind": "job.paused"}, {"kind": "job.resumed"})).paused
    assert fold(numbered(*START, {"kind": "job.stopped"})).ending == "job.stopped"


BODIES = st.one_of(
    st.builds(started, st.sampled_from("abc"), st.integers(0, 2), st.integers(1, 4), st.text()),
    st.builds(delta, st.sampled_from("abc"), st.text(max_size=5), st.integers(0, 9)),
    st.builds(
        lambda body, given, ended: {**body, "given": given, "ended": ended},
        st.builds(delta, st.sampled_from("abc"), st.text(max_size=5), st.integers(0, 9)),
        st.integers(0, 1),
        st.booleans(),
    ),
    st.builds(completed, st.sampled_from("abc"), st.integers(1, 3)),
    st.sampled_from(
        [
            *START,
            {"kind": "job.paused"},
            {"kind": "job.resumed"},
            {"kind": "job.moved", "reason": "worker"},
            {"kind": "job.completed", "done": 1, "failed": 0},
            {"kind": "claim.retry", "claim_id": "a", "attempt": 1, "reason": "loop"},
        ]
    ),
)


@given(st.lists(BODIES, max_size=30), st.integers(0, 30))
def test_a_prefix_and_the_rest_fold_to_what_the_whole_folds_to(
    bodies: list[dict[str, Any]], cut: int
) -> None:
    events = numbered(*bodies)
    assert fold(events[cut:], fold(events[:cut])) == fold(events)


@given(st.lists(BODIES, max_size=20), st.integers(0, 20))
def test_events_seen_already_change_nothing(bodies: list[dict[str, Any]], back: int) -> None:
    events = numbered(*bodies)
    state = fold(events)
    assert fold(events[max(0, len(events) - back) :], state) == state
    assert fold([], state) is state
    assert fold([]) == JobState()
