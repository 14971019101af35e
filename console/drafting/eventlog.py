"""The event log of a job: a Valkey stream whose entry ids are the events' numbers.

A writer names the id of each entry (seq-0). Valkey refuses an id that is not above the last one, so
of two workers that both think they own a job only the first to write goes on: the other is fenced.
What a reader wants (stop, pause) stands beside it and is read several times a second.

    cw:job:<id>:events    the stream          cw:job:<id>:control   "stop" or "pause"
"""

import json
import time
import uuid
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal, TypeVar, cast
from uuid import UUID

import redis
from django.conf import settings

from console.drafting.events import ENDINGS, Event

Control = Literal["", "stop", "pause"]
Result = TypeVar("Result")

KEEP_AFTER_END_SECONDS = 7 * 24 * 3600
CONTROL_SECONDS = 24 * 3600
# How long a writer waits for a Valkey that restarts before it gives the job up.
PATIENCE_SECONDS = 120.0
UNREACHABLE = (redis.ConnectionError, redis.TimeoutError, redis.BusyLoadingError)
_PAGE = 500
# Entries in order, up to the first that is refused; how many were written.
_APPEND = """
for place = 2, #ARGV, 2 do
    local answer = redis.pcall('XADD', KEYS[1], ARGV[place], 'e', ARGV[place + 1], 'o', ARGV[1])
    if type(answer) == 'table' and answer.err then
        if string.find(answer.err, 'equal or smaller', 1, true) then return place / 2 - 1 end
        return answer
    end
end
return (#ARGV - 1) / 2
"""


class FencedError(Exception):
    """Somebody else writes this job's log: stop at once, change nothing more."""

    code = "fenced"


class LogUnavailableError(Exception):
    """Valkey did not answer for PATIENCE_SECONDS."""

    code = "log_unavailable"


def events_key(job_id: UUID | str) -> str:
    return f"cw:job:{job_id}:events"


def control_key(job_id: UUID | str) -> str:
    return f"cw:job:{job_id}:control"


@lru_cache(maxsize=4)
def _connection(url: str) -> "redis.Redis":
    return redis.Redis.from_url(url, socket_timeout=30, health_check_interval=30)


def connection() -> "redis.Redis":
    """This process's connection pool; threads share it."""
    return _connection(settings.REDIS_URL)


def encode(event: Event) -> str:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"))


def decode(fields: dict[bytes, bytes]) -> Event:
    return cast(Event, json.loads(fields[b"e"]))


class EventLog:
    """One job's log for synchronous code. `owner` marks this writer's entries."""

    def __init__(self, job_id: UUID | str, owner: str = "") -> None:
        self.job_id = str(job_id)
        self.owner = owner or uuid.uuid4().hex[:12]
        self._redis = connection()

    def read(self, after: int = 0) -> list[Event]:
        """All events numbered above `after`, in order."""
        events: list[Event] = []
        start = f"({after}-0" if after else "-"
        while True:
            page = cast(
                "list[tuple[bytes, dict[bytes, bytes]]]",
                self._redis.xrange(events_key(self.job_id), start, "+", count=_PAGE),
            )
            events += [decode(fields) for _, fields in page]
            if len(page) < _PAGE:
                return events
            start = f"({page[-1][0].decode()}"

    def wait(self, after: int, seconds: float) -> list[Event]:
        """Events above `after`; waits up to `seconds` for the first of them."""
        answer = cast(
            "list[tuple[bytes, list[tuple[bytes, dict[bytes, bytes]]]]] | None",
            self._redis.xread(
                {events_key(self.job_id): f"{after}-0"}, block=max(1, int(seconds * 1000))
            ),
        )
        return [decode(fields) for _, entries in answer or [] for _, fields in entries]

    def last_seq(self) -> int:
        """The number of the newest event, 0 for an empty log."""
        newest = cast(
            "list[tuple[bytes, Any]]",
            self._redis.xrevrange(events_key(self.job_id), count=1),
        )
        return int(newest[0][0].split(b"-")[0]) if newest else 0

    def append(self, events: Sequence[Event]) -> None:
        """Appends events in one round trip. Raises FencedError, LogUnavailableError.

        Waits out a restart of Valkey.
        """
        if patiently(lambda: append_all([(self, events)])):
            raise FencedError(f"Job {self.job_id} has another writer.")

    def append_next(self, kind: str, **fields: Any) -> Event:
        """Appends one event with the next free number, whoever wrote the last one."""
        while True:
            event = cast(
                Event, {"seq": self.last_seq() + 1, "kind": kind, "at": time.time(), **fields}
            )
            try:
                self.append([event])
            except FencedError:
                continue
            return event

    def is_mine(self, seq: int) -> bool:
        """Whether entry `seq` is ours: a connection may break after Valkey took it."""
        found = cast(
            "list[tuple[bytes, dict[bytes, bytes]]]",
            self._redis.xrange(events_key(self.job_id), f"{seq}-0", f"{seq}-0"),
        )
        return bool(found) and found[0][1].get(b"o") == self.owner.encode()


def patiently(step: Callable[[], Result]) -> Result:
    """Does the step, again and again while Valkey restarts. Raises LogUnavailableError."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return step()
        except UNREACHABLE as error:
            if time.monotonic() > deadline:
                raise LogUnavailableError("Valkey does not answer.") from error
            time.sleep(0.25)


def append_all(batch: Sequence[tuple[EventLog, Sequence[Event]]]) -> list[EventLog]:
    """Appends to many logs in one round trip; the logs that have another writer by now.

    Of such a log nothing behind the refused event is written. Raises what UNREACHABLE names when
    Valkey is away: some entries may have been written then, and the batch may be appended again.
    """
    pipe = connection().pipeline(transaction=False)
    for log, events in batch:
        entries = [part for event in events for part in (f"{event['seq']}-0", encode(event))]
        pipe.eval(_APPEND, 1, events_key(log.job_id), log.owner, *entries)
        if events and events[-1]["kind"] in ENDINGS:
            pipe.expire(events_key(log.job_id), KEEP_AFTER_END_SECONDS)
        else:
            pipe.echo("")
    written = pipe.execute()[::2]
    refused = [
        (log, events[done:])
        for (log, events), done in zip(batch, written, strict=True)
        if done < len(events)
    ]
    return [log for log, events in refused if not _is_repetition(log, events)]


def _is_repetition(log: EventLog, events: Sequence[Event]) -> bool:
    """Whether refused events were written by this log's owner before; the rest is written now.

    A connection may break after Valkey took an append and before it could say so.
    """
    rest = list(events)
    while rest and log.is_mine(rest[0]["seq"]):
        del rest[0]
    if rest and len(rest) < len(events):
        return not append_all([(log, rest)])
    return not rest


def controls(job_ids: Sequence[str]) -> list[Control]:
    """What the readers of these jobs want."""
    found = cast("list[bytes | None]", connection().mget([control_key(one) for one in job_ids]))
    return [cast(Control, one.decode()) if one else "" for one in found]


def set_control(job_id: UUID | str, control: Control) -> None:
    """Tells the job's owner to stop or to pause; it reads this within a quarter of a second."""
    connection().set(control_key(job_id), control, ex=CONTROL_SECONDS)


def take_control(job_id: UUID | str) -> Control:
    """What the reader wanted last, "" for nothing; it no longer wants it."""
    found = cast("bytes | None", connection().getdel(control_key(job_id)))
    return cast(Control, found.decode()) if found else ""


def clear_control(job_id: UUID | str) -> None:
    connection().delete(control_key(job_id))
