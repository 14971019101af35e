"""Wakes whoever shows a document, once a change is committed; what changed he reads himself."""

import asyncio
import logging
from uuid import UUID

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

log = logging.getLogger(__name__)

_TIME_OUT_SECONDS = 2.0


def document_group(document_id: UUID | str) -> str:
    return f"document.{document_id}"


def changed_on_commit(document_id: UUID | str, revision: int) -> None:
    """A lost wake-up costs a reader some seconds, never a change: so failures are only logged."""
    transaction.on_commit(lambda: _send(document_id, revision), robust=True)


def _send(document_id: UUID | str, revision: int) -> None:
    message = {"type": "document.changed", "revision": revision}

    async def send() -> None:
        layer = get_channel_layer()
        async with asyncio.timeout(_TIME_OUT_SECONDS):
            await layer.group_send(document_group(document_id), message)

    try:
        async_to_sync(send)()
    except Exception as error:
        log.warning("document %s: wake-up not sent: %s", document_id, type(error).__name__)
