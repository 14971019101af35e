"""Reads of draft jobs, for pages, consumers and the command line."""

from typing import cast
from uuid import UUID

import redis
from django.db.models import Case, Value, When
from django.utils.translation import gettext as _

from console.drafting import leases
from console.drafting.errors import DraftingError
from console.drafting.eventlog import EventLog
from console.drafting.models import ACTIVE, WORKING, DraftJob, JobStatus
from console.drafting.protocol import DraftParams, JobView
from console.matters import selectors as matters


def job_view(document_id: UUID | str) -> JobView | None:
    """The view of the document's present job, else None."""
    job = current_job(document_id)
    return view_of(job) if job else None


def current_job(document_id: UUID | str) -> DraftJob | None:
    """The job that works, else one that rests, else the newest."""
    jobs = DraftJob.objects.filter(document_id=document_id).annotate(
        rank=Case(
            When(status__in=WORKING, then=Value(0)),
            When(status=JobStatus.PAUSED, then=Value(1)),
            default=Value(2),
        )
    )
    return jobs.order_by("rank", "-created_at").first()


def job_of(document_id: UUID | str, job_id: UUID | str) -> DraftJob:
    """The job, if it is one of this document's. Raises DraftingError job_not_found."""
    job = DraftJob.objects.filter(pk=job_id, document_id=document_id).first()
    if job is None:
        raise DraftingError("job_not_found", _("没有这个起草任务。"))
    return job


def view_of(job: DraftJob) -> JobView:
    """The job as its team sees it."""
    waiting = job.status == JobStatus.QUEUED
    return {
        "id": str(job.pk),
        "status": job.status,
        "params": cast(DraftParams, job.params),
        "done": int(job.progress.get("done", 0)),
        "total": int(job.progress.get("total", job.params["count"])),
        "error": {"code": job.error_code, "message": job.error_message} if job.error_code else None,
        "last_seq": _last_seq(job),
        "queue_position": leases.queue_position(job) + 1 if waiting else None,
        "current_claim_id": _claim_in_work(job),
    }


def _last_seq(job: DraftJob) -> int:
    """From the log; from the database when Valkey is away or has let the ended job's log go."""
    try:
        return EventLog(job.pk).last_seq() or job.last_seq
    except redis.RedisError:
        return job.last_seq


def _claim_in_work(job: DraftJob) -> str | None:
    if job.status not in ACTIVE:
        return None
    return matters.claim_in_work(job.document_id, job.pk)
