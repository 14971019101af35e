"""What the agent wants in the moment in which the worker leaves the job."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from console.drafting import jobrecord, leases, services
from console.drafting.eventlog import controls
from console.drafting.keeper import Keeper
from console.drafting.models import JobStatus
from console.drafting.runner import run_job
from tests.console.drafting.jobs import CLAIMS, events, kinds, texts

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def as_it_leaves(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Does something once a worker has decided to leave, and before the database knows."""
    really = leases.leave

    def arrange(step: Callable[[], object]) -> None:
        def leave(*args: Any, **changes: Any) -> bool:
            monkeypatch.setattr(jobrecord.leases, "leave", really)
            step()
            return really(*args, **changes)

        monkeypatch.setattr(jobrecord.leases, "leave", leave)

    return arrange


@pytest.mark.parametrize("claim_by_claim", [True, False])
def test_a_stop_while_the_job_comes_to_rest_is_heeded(
    start: Callable[..., Any],
    node: Any,
    keeper: Keeper,
    as_it_leaves: Callable[[Callable[[], object]], None],
    claim_by_claim: bool,
) -> None:
    node(CLAIMS)
    job = start(pause_after_each=claim_by_claim)
    if not claim_by_claim:
        services.pause(job=job)
    as_it_leaves(lambda: services.stop(job=job))
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert job.status == JobStatus.STOPPED
    assert kinds(job)[-2:] == ["job.paused", "job.stopped"]
    assert texts(job) == (CLAIMS[:1] if claim_by_claim else [])
    assert controls([str(job.pk)]) == [""]


def test_a_pause_that_is_taken_back_while_the_job_comes_to_rest_is_none(
    start: Callable[..., Any],
    node: Any,
    keeper: Keeper,
    queued: list[str],
    as_it_leaves: Callable[[Callable[[], object]], None],
) -> None:
    node(CLAIMS)
    job = start()
    services.pause(job=job)
    as_it_leaves(lambda: services.resume(job=job))
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert job.status == JobStatus.QUEUED
    assert queued[-1] == str(job.pk)
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert (job.status, texts(job)) == (JobStatus.COMPLETED, CLAIMS)


def test_a_restart_of_valkey_at_the_end_of_a_claim_is_waited_out(
    start: Callable[..., Any],
    node: Any,
    keeper: Keeper,
    valkey_server: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from console.drafting.writer import EventWriter

    node(CLAIMS)
    job = start()
    really = EventWriter.flush

    def flush(writer: EventWriter) -> None:
        really(writer)
        monkeypatch.setattr(EventWriter, "flush", really)
        valkey_server.stop()
        threading.Timer(0.7, valkey_server.start).start()

    monkeypatch.setattr(EventWriter, "flush", flush)
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert (job.status, texts(job)) == (JobStatus.COMPLETED, CLAIMS)
    assert [event["seq"] for event in events(job)] == list(range(1, len(events(job)) + 1))
