"""Follows the event logs that this process's browsers look at, with one blocking read for all.

The log itself wakes its readers (XREAD BLOCK), so no wake-up can be lost, and each event is read
once per process however many tabs follow it.
"""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast
from weakref import WeakKeyDictionary

import redis.asyncio
from django.conf import settings
from redis.exceptions import RedisError

from console.drafting.eventlog import decode, events_key
from console.drafting.events import Event

log = logging.getLogger(__name__)

BLOCK_MILLISECONDS = 200
# Batches of several jobs that come within this time are read at once.
GATHER_SECONDS = 0.03
RETRY_SECONDS = 0.5
_PAGE = 500


class Subscription:
    """The events of one job after `position`, in order, each once.

    Reads the log itself at first, and again whenever it has fallen behind (a slow browser): at most
    `_PAGE` events are ever held for it.
    """

    def __init__(self, connection: "redis.asyncio.Redis", job_id: str, position: int) -> None:
        self.job_id = job_id
        self._redis = connection
        self._position = position
        self._fresh: deque[Event] = deque()
        self._behind = True
        self._wake = asyncio.Event()
        self._wake.set()

    def offer(self, events: list[Event]) -> None:
        """New events; dropped, and read from the log later, when there are too many."""
        if len(self._fresh) + len(events) > _PAGE:
            self._fresh.clear()
            self._behind = True
        else:
            self._fresh.extend(events)
        self._wake.set()

    def look_again(self) -> None:
        """The log may hold more than was offered."""
        self._behind = True
        self._wake.set()

    async def next(self) -> list[Event]:
        """The next events; waits for them. Safe to cancel: nothing is lost."""
        while True:
            await self._wake.wait()
            events = await self._read_log() if self._behind else self._take_fresh()
            if events:
                return events

    def _take_fresh(self) -> list[Event]:
        events = [event for event in self._fresh if event["seq"] > self._position]
        self._fresh.clear()
        self._wake.clear()
        if events and events[0]["seq"] != self._position + 1:
            self.look_again()
            return []
        return self._advance(events)

    async def _read_log(self) -> list[Event]:
        try:
            answer = await self._redis.xrange(
                events_key(self.job_id), f"({self._position}-0", "+", count=_PAGE
            )
        except (RedisError, OSError):
            await asyncio.sleep(RETRY_SECONDS)
            return []
        page = cast("list[tuple[bytes, dict[bytes, bytes]]]", answer)
        if len(page) < _PAGE:
            self._behind = False
            if not self._fresh:
                self._wake.clear()
        return self._advance([decode(fields) for _, fields in page])

    def _advance(self, events: list[Event]) -> list[Event]:
        if events:
            self._position = events[-1]["seq"]
        return events


class Tailer:
    """One per event loop; see `tailer()`."""

    def __init__(self) -> None:
        self._redis = redis.asyncio.Redis.from_url(settings.REDIS_URL)
        self._subscriptions: dict[str, set[Subscription]] = {}
        self._positions: dict[str, str] = {}
        self._task: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def follow(self, job_id: str, after: int) -> AsyncIterator[Subscription]:
        """A subscription to the job's events after number `after`."""
        subscription = Subscription(self._redis, job_id, after)
        self._subscriptions.setdefault(job_id, set()).add(subscription)
        self._positions.setdefault(job_id, f"{after}-0")
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        try:
            yield subscription
        finally:
            remaining = self._subscriptions[job_id]
            remaining.discard(subscription)
            if not remaining:
                del self._subscriptions[job_id]
                del self._positions[job_id]

    async def _run(self) -> None:
        """Runs as long as anybody follows anything."""
        while self._subscriptions:
            await self._read_while_followed()
            await self._redis.aclose()

    async def _read_while_followed(self) -> None:
        broken = False
        while self._subscriptions:
            try:
                await self._read()
                if broken:
                    self._everybody_looks_again()
                broken = False
            except (RedisError, OSError) as error:
                if not broken:
                    log.warning("event logs cannot be read: %s", type(error).__name__)
                broken = True
                await asyncio.sleep(RETRY_SECONDS)

    async def _read(self) -> None:
        answer = cast(
            "list[tuple[bytes, list[tuple[bytes, Any]]]] | None",
            await self._redis.xread(
                {events_key(job_id): last for job_id, last in self._positions.items()},
                block=BLOCK_MILLISECONDS,
            ),
        )
        for key, entries in answer or []:
            job_id = key.decode().split(":")[2]
            if job_id not in self._positions:
                continue
            self._positions[job_id] = entries[-1][0].decode()
            events = [decode(fields) for _, fields in entries]
            for subscription in self._subscriptions[job_id]:
                subscription.offer(events)
        if answer:
            await asyncio.sleep(GATHER_SECONDS)

    def _everybody_looks_again(self) -> None:
        for subscriptions in self._subscriptions.values():
            for subscription in subscriptions:
                subscription.look_again()


_tailers: "WeakKeyDictionary[asyncio.AbstractEventLoop, Tailer]" = WeakKeyDictionary()


def tailer() -> Tailer:
    """The tailer of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _tailers:
        _tailers[loop] = Tailer()
    return _tailers[loop]
