from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from console.drafting import leases
from console.drafting.models import DraftJob, JobStatus

pytestmark = [pytest.mark.services, pytest.mark.django_db]


def lapse(job: Any) -> None:
    DraftJob.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_a_job_has_one_owner(start: Callable[..., Any]) -> None:
    job = start()
    owned = leases.acquire(job.pk, "one")
    assert owned is not None
    assert (owned.status, owned.lease_owner) == (JobStatus.RUNNING, "one")
    assert leases.acquire(job.pk, "two") is None


def test_a_lapsed_lease_passes_to_the_next_and_the_former_owner_cannot_leave(
    start: Callable[..., Any],
) -> None:
    job = start()
    leases.acquire(job.pk, "one")
    lapse(job)
    assert [one.pk for one in leases.abandoned()] == [job.pk]
    assert leases.acquire(job.pk, "two") is not None
    assert leases.renew(["one", "two"]) == {"two"}
    assert not leases.leave(job.pk, "one", JobStatus.COMPLETED)
    assert leases.leave(job.pk, "two", JobStatus.COMPLETED)
    assert leases.acquire(job.pk, "three") is None


def test_a_job_given_back_can_be_taken_at_once(start: Callable[..., Any]) -> None:
    job = start()
    leases.acquire(job.pk, "one")
    assert leases.give_back(job.pk, "one")
    assert leases.acquire(job.pk, "two") is not None


def test_only_a_job_that_nobody_holds_is_ended_from_outside(start: Callable[..., Any]) -> None:
    job = start()
    leases.acquire(job.pk, "one")
    assert not leases.end_unowned(job.pk, JobStatus.STOPPED)
    leases.leave(job.pk, "one", JobStatus.PAUSED)
    assert leases.end_unowned(job.pk, JobStatus.STOPPED)
    assert not leases.end_unowned(job.pk, JobStatus.STOPPED)


def test_a_job_whose_worker_is_lost_can_be_ended_too(start: Callable[..., Any]) -> None:
    job = start()
    leases.acquire(job.pk, "one")
    lapse(job)
    assert leases.end_unowned(job.pk, JobStatus.STOPPED)
    assert not leases.leave(job.pk, "one", JobStatus.COMPLETED)


def test_a_job_waits_for_a_worker_until_one_holds_it_or_what_stands_before_it(
    start: Callable[..., Any], make_matter: Callable[..., Any], settings: Any
) -> None:
    settings.MAX_RUNNING_DRAFTS_PER_USER = 1
    first, second = start(), start(matter=make_matter())
    assert (leases.waits_for_a_worker(first), leases.waits_for_a_worker(second)) == (True, True)
    leases.acquire(first.pk, "one")
    assert (leases.waits_for_a_worker(first), leases.waits_for_a_worker(second)) == (False, False)
    lapse(first)
    assert (leases.waits_for_a_worker(first), leases.waits_for_a_worker(second)) == (True, True)
    leases.acquire(first.pk, "two")
    leases.leave(first.pk, "two", JobStatus.PAUSED)
    assert (leases.waits_for_a_worker(first), leases.waits_for_a_worker(second)) == (False, True)


def test_a_users_jobs_run_in_their_order_and_never_more_than_allowed(
    start: Callable[..., Any], make_matter: Callable[..., Any], settings: Any
) -> None:
    settings.MAX_RUNNING_DRAFTS_PER_USER = 2
    jobs = [start(matter=make_matter()) for _ in range(4)]
    assert [leases.queue_position(job) for job in jobs] == [0, 0, 1, 2]
    assert leases.acquire(jobs[2].pk, "w") is None
    assert leases.acquire(jobs[0].pk, "a") is not None
    assert leases.acquire(jobs[1].pk, "b") is not None
    assert leases.acquire(jobs[2].pk, "c") is None
    leases.leave(jobs[0].pk, "a", JobStatus.COMPLETED)
    assert [job.pk for job in leases.abandoned()] == [jobs[2].pk]
    assert leases.acquire(jobs[3].pk, "d") is None
    assert leases.acquire(jobs[2].pk, "c") is not None


def test_other_users_do_not_wait_for_a_busy_one(
    start: Callable[..., Any], make_matter: Callable[..., Any], member: Any, settings: Any
) -> None:
    settings.MAX_RUNNING_DRAFTS_PER_USER = 1
    first = start()
    start(matter=make_matter())
    leases.acquire(first.pk, "a")
    other = start(matter=make_matter(user=member), user=member)
    assert leases.acquire(other.pk, "b") is not None
