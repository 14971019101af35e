"""Who carries out a job: a lease in the database that changes by compare-and-set only.

A worker holds a job while its lease runs and renews it all the time. When a worker dies, the lease
runs out and another takes the job over; when it must go, it gives the job back at once.
"""

import uuid
from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from console.accounts.models import User
from console.drafting.models import ACTIVE, DraftJob, JobStatus

LEASE_SECONDS = 10


def new_owner(worker: str) -> str:
    """A name for one acquisition, so that a worker never mistakes a former lease for its own."""
    return f"{worker[:60]}/{uuid.uuid4().hex[:12]}"


def _free() -> Q:
    return Q(lease_until__isnull=True) | Q(lease_until__lt=timezone.now())


def acquire(job_id: UUID | str, owner: str) -> DraftJob | None:
    """The job, now owned; None when it is owned, ended, paused, or has to wait its turn.

    Of one user's jobs at most MAX_RUNNING_DRAFTS_PER_USER run at a time, the oldest first.
    """
    with transaction.atomic():
        job = DraftJob.objects.select_related("document__matter").filter(pk=job_id).first()
        if job is None:
            return None
        User.objects.select_for_update().get(pk=job.user_id)
        job.refresh_from_db(fields=["status", "lease_until", "lease_owner", "started_at"])
        if job.status == JobStatus.QUEUED and queue_position(job) > 0:
            return None
        now = timezone.now()
        owned = DraftJob.objects.filter(
            _free(), pk=job_id, status__in=[JobStatus.QUEUED, JobStatus.RUNNING]
        ).update(
            status=JobStatus.RUNNING,
            lease_owner=owner,
            lease_until=now + timedelta(seconds=LEASE_SECONDS),
            started_at=job.started_at or now,
        )
        if not owned:
            return None
        job.refresh_from_db()
        return job


def queue_position(job: DraftJob) -> int:
    """How many of the user's other jobs must end before this queued one may begin."""
    others = DraftJob.objects.filter(user_id=job.user_id).exclude(pk=job.pk)
    running = others.filter(status=JobStatus.RUNNING).count()
    ahead = others.filter(status=JobStatus.QUEUED, created_at__lt=job.created_at).count()
    return max(0, running + ahead + 1 - settings.MAX_RUNNING_DRAFTS_PER_USER)


def renew(owners: Iterable[str]) -> set[str]:
    """Renews the leases of these owners; the owners that still hold theirs."""
    names = list(owners)
    if not names:
        return set()
    held = DraftJob.objects.filter(lease_owner__in=names, status=JobStatus.RUNNING)
    held.update(lease_until=timezone.now() + timedelta(seconds=LEASE_SECONDS))
    return set(held.values_list("lease_owner", flat=True))


def give_back(job_id: UUID | str, owner: str) -> bool:
    """Leaves a running job for the next worker, at once. False when it was not ours any more."""
    return _leave(job_id, owner, JobStatus.RUNNING)


def leave(job_id: UUID | str, owner: str, status: JobStatus, **changes: object) -> bool:
    """Ends or pauses a job that is ours. False when it was not ours any more."""
    return _leave(job_id, owner, status, **changes)


def _leave(job_id: UUID | str, owner: str, status: JobStatus, **changes: object) -> bool:
    return bool(
        DraftJob.objects.filter(pk=job_id, lease_owner=owner, status=JobStatus.RUNNING).update(
            status=status, lease_owner="", lease_until=None, **changes
        )
    )


def end_unowned(job_id: UUID | str, status: JobStatus) -> bool:
    """Ends a job that no worker holds. False when one holds it or it has ended."""
    return bool(
        DraftJob.objects.filter(_free(), pk=job_id, status__in=ACTIVE).update(
            status=status, finished_at=timezone.now(), lease_owner="", lease_until=None
        )
    )


def waits_for_a_worker(job: DraftJob) -> bool:
    """Whether the job cannot go on because no worker holds it, nor any other job: then it does not
    wait for its turn, there is no worker."""
    job.refresh_from_db(fields=["status"])
    held = DraftJob.objects.filter(lease_until__gte=timezone.now())
    return job.status in (JobStatus.QUEUED, JobStatus.RUNNING) and not held.exists()


def abandoned() -> list[DraftJob]:
    """Running jobs whose lease ran out or was given back, and queued ones whose turn it is."""
    waiting = DraftJob.objects.filter(_free(), status__in=[JobStatus.QUEUED, JobStatus.RUNNING])
    return [
        job
        for job in waiting.order_by(F("created_at"))
        if job.status == JobStatus.RUNNING or queue_position(job) == 0
    ]
