import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from console.drafting import tailer as tailing
from console.drafting.eventlog import EventLog
from console.drafting.tailer import tailer
from tests.console.drafting.test_eventlog import event

pytestmark = pytest.mark.services


async def write(job: str, first: int, last: int) -> None:
    await sync_to_async(EventLog(job, "w").append)([event(n) for n in range(first, last + 1)])


async def collect(subscription: Any, count: int) -> list[int]:
    seen: list[int] = []
    while len(seen) < count:
        async with asyncio.timeout(10):
            seen += [one["seq"] for one in await subscription.next()]
    return seen


async def test_a_reader_gets_what_it_missed_and_then_what_comes(valkey: Any) -> None:
    await write("j", 1, 5)
    async with tailer().follow("j", 2) as subscription:
        assert await collect(subscription, 3) == [3, 4, 5]
        await write("j", 6, 8)
        assert await collect(subscription, 3) == [6, 7, 8]


async def test_readers_at_different_places_each_get_all_of_theirs(valkey: Any) -> None:
    await write("j", 1, 3)
    async with tailer().follow("j", 3) as late, tailer().follow("j", 0) as early:
        await write("j", 4, 4)
        assert await collect(late, 1) == [4]
        assert await collect(early, 4) == [1, 2, 3, 4]
        await write("j", 5, 6)
        assert await collect(early, 2) == [5, 6]
        assert await collect(late, 2) == [5, 6]


async def test_a_reader_far_behind_reads_the_log_in_pages_and_in_order(valkey: Any) -> None:
    async with tailer().follow("j", 0) as subscription:
        for start in range(1, 1_400, 100):
            await write("j", start, start + 99)
        # Nothing was taken meanwhile: more than a subscription may hold has gone by.
        await asyncio.sleep(0.5)
        assert await collect(subscription, 1_400) == list(range(1, 1_401))


async def test_jobs_are_followed_side_by_side(valkey: Any) -> None:
    async with tailer().follow("a", 0) as one, tailer().follow("b", 0) as two:
        await write("a", 1, 2)
        await write("b", 1, 3)
        assert await collect(two, 3) == [1, 2, 3]
        assert await collect(one, 2) == [1, 2]


async def test_a_waiting_reader_can_be_cancelled_without_losing_events(valkey: Any) -> None:
    async with tailer().follow("j", 0) as subscription:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await subscription.next()
        await write("j", 1, 2)
        assert await collect(subscription, 2) == [1, 2]


async def test_a_restart_of_valkey_loses_nothing(
    valkey: Any, valkey_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tailing, "RETRY_SECONDS", 0.05)
    await write("j", 1, 2)
    async with tailer().follow("j", 0) as subscription:
        assert await collect(subscription, 2) == [1, 2]
        await sync_to_async(valkey_server.stop)()
        await sync_to_async(valkey_server.start)()
        await write("j", 3, 4)
        assert await collect(subscription, 2) == [3, 4]


async def test_after_the_last_reader_a_new_one_begins_afresh(valkey: Any) -> None:
    async with tailer().follow("j", 0):
        pass
    await asyncio.sleep(0.3)
    await write("j", 1, 1)
    async with tailer().follow("j", 0) as subscription:
        assert await collect(subscription, 1) == [1]
