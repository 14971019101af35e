"""A job in one worker, from its first claim to its last."""

from collections.abc import Callable
from typing import Any

import pytest

from console.drafting import services
from console.drafting.keeper import Keeper
from console.drafting.models import JobStatus
from console.drafting.runner import run_job
from console.matters import selectors as matters
from console.matters import services as matter_services
from tests.console.drafting.in_thread import InThread
from tests.console.drafting.jobs import (
    CLAIMS,
    LONG,
    LOOP,
    delivered,
    events,
    kinds,
    texts,
)
from tests.support.waiting import until

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def test_a_job_writes_its_claims_one_after_the_other(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    written = node(CLAIMS)
    job = start()
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert (job.status, texts(job)) == (JobStatus.COMPLETED, CLAIMS)
    assert kinds(job) == [
        "job.queued",
        "job.started",
        *["claim.started", "claim.delta", "claim.completed"] * 3,
        "job.completed",
    ]
    assert [event["seq"] for event in events(job)] == list(range(1, len(events(job)) + 1))
    assert list(delivered(job).values()) == CLAIMS
    assert job.tokens["delivered"] == sum(map(len, CLAIMS))
    assert job.progress == {"done": 3, "failed": 0, "index": 3, "total": 3}
    # The prompts of dependents begin alike up to their notes: the node's prefix cache stays warm.
    before_note, _ = written.prompts[1].split("要点：")
    assert written.prompts[2].startswith(before_note)
    # Claim 1 is written from the core alone, so that something is left for its dependents.
    assert "进一步" not in written.prompts[0]
    assert "要点：" not in written.prompts[0]


def test_each_dependent_gets_another_note_from_the_disclosure(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    node(CLAIMS)
    job = start()
    run_job(str(job.pk), keeper)
    hints = [one["hint"] for one in events(job) if one["kind"] == "claim.started"]
    assert hints[0] == ""
    assert len({*hints}) == 3
    assert all(hint in "".join(hints) for hint in ("基材层的厚度为20μm",))


def test_stop_closes_the_stream_at_once_and_keeps_what_is_finished(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    slow = node([CLAIMS[0], LONG], pauses={LONG: 0.2})
    job = start()
    with InThread(job, keeper):
        until(lambda: len(slow.requests) == 2)
        services.stop(job=job)
        # A second on a machine that does nothing else, which test_real_node.py asserts.
        assert slow.closed_by_reader.wait(5.0)
    job.refresh_from_db()
    assert job.status == JobStatus.STOPPED
    assert texts(job) == CLAIMS[:1]
    assert kinds(job)[-1] == "job.stopped"


def test_a_loop_is_discarded_and_the_claim_begun_anew_with_its_first_words_given(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    written = node([CLAIMS[0], LOOP, *CLAIMS[1:]])
    job = start()
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert texts(job) == CLAIMS
    retry = next(one for one in events(job) if one["kind"] == "claim.retry")
    assert (retry["reason"], retry["attempt"]) == ("loop", 1)
    assert 40 < job.tokens["discarded"]["loop"] < len(LOOP)
    # The second attempt keeps the note and is given the words up to what it is about.
    notes = [one["hint"] for one in events(job) if one["kind"] == "claim.started"]
    assert notes[1] == notes[2] == "基材层的厚度为20μm"
    assert written.resumed == ["根据权利要求1所述的多层膜，其特征在于，所述基材层"]
    assert job.tokens["given"] == len(written.resumed[0])


def test_a_claim_that_cannot_be_completed_is_reported_and_not_stored(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    head = "根据权利要求1所述的多层膜，其特征在于，"
    endless = [head + "所述基材层的厚度为20μm，且", head + "所述涂层为氧化硅涂层，且"]
    written = node([CLAIMS[0], *endless, CLAIMS[2].replace("或2", "")])
    job = start()
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert texts(job) == [CLAIMS[0], CLAIMS[2].replace("或2", "")]
    assert [body["temperature"] for body in written.requests[1:5]] == [0.0, 0.0, 0.0, 0.9]
    failed = next(one for one in events(job) if one["kind"] == "claim.failed")
    assert failed["reason"] == "too_long"
    assert (job.status, job.progress["failed"]) == (JobStatus.COMPLETED, 1)


def test_a_text_that_breaks_an_enforced_rule_is_written_again(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    node([CLAIMS[0], "根据权利要求7所述的多层膜，其特征在于，还包括胶层。", *CLAIMS[1:]])
    job = start()
    run_job(str(job.pk), keeper)
    assert [one["reason"] for one in events(job) if one["kind"] == "claim.retry"] == ["violation"]
    assert texts(job) == CLAIMS


def test_a_claim_that_the_agent_removes_while_it_is_written_is_passed_over(
    start: Callable[..., Any], node: Any, keeper: Keeper, agent: Any
) -> None:
    slow = node([CLAIMS[0], LONG, CLAIMS[1]], pauses={LONG: 0.2})
    job = start()
    with InThread(job, keeper):
        until(lambda: len(slow.requests) == 2)
        row = matters.claim_set(job.document_id)[1]
        matter_services.apply_operation(
            document_id=job.document_id,
            user=agent,
            base_revision=matters.claims_document(job.document.matter_id).revision,
            op={"kind": "remove", "claim_id": row["id"]},
        )
        slow.pauses.clear()
    assert texts(job) == CLAIMS[:2]
    failed = [one for one in events(job) if one["kind"] == "claim.failed"]
    assert [(one["reason"], one["number"]) for one in failed] == [("removed", 2)]


def test_without_an_independent_claim_its_dependents_are_not_tried(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    written = node([LOOP] * 4)
    job = start()
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert (job.status, job.error_code) == (JobStatus.FAILED, "nothing_written")
    assert len(written.requests) == 4
    assert texts(job) == []
    # Each of them is reported, with the number that it would have had.
    failed = [one for one in events(job) if one["kind"] == "claim.failed"]
    assert [(one["number"], one["reason"]) for one in failed] == [
        (1, "loop"),
        (2, "no_independent"),
        (3, "no_independent"),
    ]
    assert "没有可供引用的独立权利要求" in failed[1]["message"]
    assert job.progress["failed"] == 3
