"""What is left to the next worker or the next node, and what it makes of it."""

from collections.abc import Callable
from typing import Any

import pytest

from console.drafting import leases, services
from console.drafting.claimwork import ClaimWork
from console.drafting.eventlog import EventLog, FencedError
from console.drafting.keeper import Keeper
from console.drafting.models import DraftJob, JobStatus
from console.drafting.runner import run_job
from console.matters import services as matter_services
from tests.console.drafting.conftest import DISCLOSURE
from tests.console.drafting.in_thread import InThread, Recorder
from tests.console.drafting.jobs import (
    CLAIMS,
    LOOP,
    delivered,
    events,
    has_text,
    kinds,
    texts,
)
from tests.console.drafting.test_leases import lapse
from tests.support.waiting import until

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def test_a_stream_that_breaks_goes_on_at_the_next_node_token_for_token(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    first, second = node(CLAIMS, break_after=12), node(CLAIMS, break_after=12)
    job = start()
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert texts(job) == CLAIMS
    assert list(delivered(job).values()) == CLAIMS
    assert CLAIMS[0][:12] in first.resumed + second.resumed
    assert "stream_broken" in [one["reason"] for one in events(job) if one["kind"] == "job.moved"]
    assert job.tokens["replayed"] >= 12
    assert job.tokens["delivered"] == sum(map(len, CLAIMS))


def test_a_paused_claim_goes_on_in_the_middle_when_the_job_is_resumed(
    start: Callable[..., Any], node: Any, keeper: Keeper, queued: list[str]
) -> None:
    slow = node(CLAIMS, pauses={CLAIMS[0]: 0.2})
    job = start()
    with InThread(job, keeper):
        until(has_text(job, 5))
        services.pause(job=job)
    job.refresh_from_db()
    assert job.status == JobStatus.PAUSED
    assert slow.closed_by_reader.is_set()
    slow.pauses.clear()
    services.resume(job=job)
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert (job.status, texts(job)) == (JobStatus.COMPLETED, CLAIMS)
    assert list(delivered(job).values()) == CLAIMS
    assert slow.resumed
    assert "job.resumed" in kinds(job)


def test_a_pause_after_each_claim_lets_the_worker_go(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    node(CLAIMS)
    job = start(pause_after_each=True)
    for done in (1, 2):
        run_job(str(job.pk), keeper)
        job.refresh_from_db()
        assert (job.status, len(texts(job))) == (JobStatus.PAUSED, done)
        services.resume(job=job)
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert (job.status, texts(job)) == (JobStatus.COMPLETED, CLAIMS)


def test_a_worker_that_goes_down_hands_the_claim_over_in_the_middle(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    slow = node(CLAIMS, pauses={CLAIMS[0]: 0.2})
    job = start()
    with InThread(job, keeper):
        until(has_text(job, 5))
        keeper.drain()
    assert keeper.dispatch.jobs == [str(job.pk)]
    run_job(str(job.pk), keeper)
    slow.pauses.clear()
    run_job(str(job.pk), Keeper(Recorder()))
    job.refresh_from_db()
    assert (job.status, texts(job)) == (JobStatus.COMPLETED, CLAIMS)
    assert list(delivered(job).values()) == CLAIMS
    assert {"kind": "job.moved", "reason": "worker"}.items() <= next(
        one for one in events(job) if one["kind"] == "job.moved"
    ).items()


def test_a_worker_that_lost_its_job_changes_nothing_more(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    slow = node([*CLAIMS, *CLAIMS], pauses={CLAIMS[0]: 0.2})
    job = start()
    with InThread(job, keeper):
        until(has_text(job, 5))
        # Another worker has taken the job over, and has written to the log.
        lapse(job)
        leases.acquire(job.pk, "other")
        EventLog(job.pk, "other").append_next("job.moved", reason="worker")
    job.refresh_from_db()
    assert (job.status, job.lease_owner) == (JobStatus.RUNNING, "other")
    assert kinds(job)[-1] == "job.moved"
    slow.pauses.clear()
    lapse(job)
    run_job(str(job.pk), Keeper(Recorder()))
    assert texts(job) == CLAIMS
    assert list(delivered(job).values()) == CLAIMS


def test_a_claim_that_has_said_its_note_ends_there_and_whoever_takes_over_leaves_it_so(
    start: Callable[..., Any],
    node: Any,
    keeper: Keeper,
    make_matter: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    longer = CLAIMS[1].rstrip("。") + "，所述涂层为氧化硅涂层，还包括胶层。"
    written = node([CLAIMS[0], longer, CLAIMS[2]])
    # So little that each dependent claim must leave the rest to the next one.
    scarce = "".join(line for line in DISCLOSURE.splitlines(True) if "方法" not in line)
    job = start(matter=make_matter(disclosure=scarce.replace("进一步，所述涂层为氧化硅涂层。", "")))
    fill = ClaimWork._fill

    def lost_at_the_second(work: ClaimWork, begun: Any, attempt: Any) -> str:
        if begun.number == 2:
            work.writer.flush()
            raise FencedError("the worker is lost before it can say that the claim is finished")
        return fill(work, begun, attempt)

    monkeypatch.setattr(ClaimWork, "_fill", lost_at_the_second)
    run_job(str(job.pk), keeper)
    last = events(job)[-1]
    assert (last["kind"], last["ended"], last["text"][-1]) == ("claim.delta", True, "。")
    # The token of the comma was delivered, and would be gone on from.
    assert "".join(map(chr, last["ids"])).endswith("，")

    monkeypatch.setattr(ClaimWork, "_fill", fill)
    lapse(job)
    run_job(str(job.pk), Keeper(Recorder()))
    job.refresh_from_db()
    assert (job.status, texts(job)) == (JobStatus.COMPLETED, CLAIMS)
    assert list(delivered(job).values()) == CLAIMS
    assert len(written.requests) == 3
    assert job.tokens["delivered"] == sum(map(len, CLAIMS))


def test_what_was_given_is_not_counted_as_written_by_the_worker_that_takes_over(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    given = "根据权利要求1所述的多层膜，其特征在于，所述基材层"
    slow = node([CLAIMS[0], LOOP, *CLAIMS[1:]], pauses={CLAIMS[1]: 0.3})
    job = start()
    with InThread(job, keeper):
        until(lambda: slow.resumed)
        until(lambda: len([*delivered(job).values()][-1]) > len(given) + 2)
        keeper.drain()
    slow.pauses.clear()
    run_job(str(job.pk), Keeper(Recorder()))
    job.refresh_from_db()
    assert texts(job) == CLAIMS
    assert [text.startswith(given) for text in slow.resumed] == [True, True]
    assert job.tokens["given"] == len(given)
    assert job.tokens["replayed"] == len(slow.resumed[1]) - len(given)
    assert job.tokens["delivered"] == sum(map(len, CLAIMS)) - len(given)


def test_a_claim_filled_by_a_worker_that_died_before_it_could_say_so_is_not_written_twice(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    written = node(CLAIMS[1:])
    job = start()
    leases.acquire(job.pk, "dead")
    log = EventLog(job.pk, "dead")
    plan = [{"kind": "independent", "category": "product", "subject": "多层膜"}]
    plan += [{"kind": "dependent", "category": "product", "subject": "多层膜"}] * 2
    log.append_next("job.started", worker="dead", plan=plan)
    begun = matter_services.begin_claim(document_id=job.document_id, after_id=None, job_id=job.pk)
    log.append_next(
        "claim.started",
        claim_id=begun.claim_id,
        number=1,
        attempt=1,
        hint="",
        index=0,
        numbering=begun.numbering,
    )
    log.append_next("claim.delta", claim_id=begun.claim_id, text=CLAIMS[0], ids=[1, 2])
    matter_services.fill_claim(
        document_id=job.document_id,
        claim_id=begun.claim_id,
        text=CLAIMS[0],
        numbering=begun.numbering,
        job_id=job.pk,
    )
    lapse(job)
    run_job(str(job.pk), keeper)
    assert texts(job) == CLAIMS
    assert len(written.requests) == 2
    assert kinds(job).count("claim.completed") == 3


def test_a_log_that_was_lost_does_not_lose_the_job(
    start: Callable[..., Any], node: Any, keeper: Keeper, valkey: Any
) -> None:
    node(CLAIMS)
    job = start(pause_after_each=True)
    run_job(str(job.pk), keeper)
    before = EventLog(job.pk).last_seq()
    valkey.flushall()
    DraftJob.objects.filter(pk=job.pk).update(
        status=JobStatus.QUEUED, params={**job.params, "pause_after_each": False}
    )
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert (job.status, texts(job)) == (JobStatus.COMPLETED, CLAIMS)
    assert events(job)[0]["seq"] > before


def test_a_job_that_failed_inside_says_so_and_frees_its_document(
    start: Callable[..., Any], node: Any, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    node(CLAIMS)
    job = start()

    def broken(*_: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr("console.drafting.runner.plan_claims", broken)
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert (job.status, job.error_code) == (JobStatus.FAILED, "internal_error")
    assert kinds(job)[-1] == "job.failed"


def test_the_next_waiting_job_of_the_user_is_called_when_one_ends(
    start: Callable[..., Any],
    node: Any,
    keeper: Keeper,
    make_matter: Callable[..., Any],
    settings: Any,
) -> None:
    settings.MAX_RUNNING_DRAFTS_PER_USER = 1
    node(CLAIMS)
    job = start()
    waiting = start(matter=make_matter())
    run_job(str(job.pk), keeper)
    assert keeper.dispatch.jobs == [str(waiting.pk)]
