"""Wakes whoever shows a document, once a change is committed; what changed he reads himself.

Wake-ups leave through one event loop of the process, in a thread of its own: a loop for each of
them, with a new connection to the channel layer, would cost more than the change it tells of.
"""

import asyncio
import logging
import threading
from functools import lru_cache
from typing import Any
from uuid import UUID

from channels.layers import get_channel_layer
from django.db import transaction

log = logging.getLogger(__name__)

_TIME_OUT_SECONDS = 2.0
_only_one = threading.Lock()


def document_group(document_id: UUID | str) -> str:
    return f"document.{document_id}"


def changed_on_commit(document_id: UUID | str, revision: int) -> None:
    """Tells the document's readers of its new revision after the transaction."""
    message = {"type": "document.changed", "revision": revision}
    transaction.on_commit(lambda: wake(document_group(document_id), message), robust=True)


def wake(group: str, message: dict[str, Any]) -> None:
    """Sends a message to a group of consumers, from any thread; returns at once.

    A lost wake-up costs a reader some seconds, never a change: so failures are only logged.
    """
    with _only_one:
        loop = _loop()
    asyncio.run_coroutine_threadsafe(_send(group, message), loop)


async def _send(group: str, message: dict[str, Any]) -> None:
    try:
        async with asyncio.timeout(_TIME_OUT_SECONDS):
            await get_channel_layer().group_send(group, message)
    except Exception as error:
        log.warning("wake-up of %s not sent: %s", group, type(error).__name__)


@lru_cache(maxsize=1)
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="wake-ups", daemon=True).start()
    return loop
