"""Tells the browsers that look at a document when a job of it appears or changes its state."""

from console.drafting.models import DraftJob
from console.matters.notify import document_group, wake


def job_changed(job: DraftJob) -> None:
    """Wakes the consumers of the job's document."""
    wake(document_group(job.document_id), {"type": "job.changed"})
