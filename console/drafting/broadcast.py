"""Tells the browsers that look at a document when a job of it appears or changes its state."""

import logging

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from console.drafting.models import DraftJob
from console.matters.notify import document_group

log = logging.getLogger(__name__)


def job_changed(job: DraftJob) -> None:
    """Wakes the consumers of the job's document. A lost wake-up costs a moment, never an event."""
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        async_to_sync(layer.group_send)(
            document_group(job.document_id), {"type": "job.changed", "job": str(job.pk)}
        )
    except Exception as error:
        log.warning("no wake-up for job %s: %s", job.pk, type(error).__name__)
