"""Carries the text of all drafts of a worker to their logs, a few times a second, together.

Thirty-two drafts that each append by themselves cost eight times as much. One thread takes what has
come since its last round, appends it in one round trip, and brings back what the readers want.
"""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import redis

from console.drafting.eventlog import UNREACHABLE, append_all, controls
from console.drafting.writer import EventWriter

log = logging.getLogger(__name__)

ROUND_SECONDS = 0.2
# Two jobs that begin at once must get the same pump.
_only_one = threading.Lock()


class Pump:
    """Serves the registered writers. Threads register and unregister theirs at any time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._writers: list[EventWriter] = []
        self._wanted = threading.Event()
        self._thread = threading.Thread(target=self._run, name="draft pump", daemon=True)
        self._thread.start()

    def register(self, writer: EventWriter) -> None:
        with self._lock:
            self._writers.append(writer)
        self._wanted.set()

    def unregister(self, writer: EventWriter) -> None:
        with self._lock:
            self._writers.remove(writer)
            if not self._writers:
                self._wanted.clear()

    def round(self) -> None:
        """One round. Raises what UNREACHABLE names; then the next round tries the same again."""
        with self._lock:
            writers = list(self._writers)
        if not writers:
            return
        # Held until the text is written: an event of the same job must not overtake it.
        for writer in writers:
            writer.lock.acquire()
        try:
            loaded = [writer for writer in writers if writer.take_text()]
            if loaded:
                fenced = append_all([(one.log, one.unsent) for one in loaded])
                for writer in loaded:
                    writer.sent(fenced=writer.log in fenced)
        finally:
            for writer in writers:
                writer.lock.release()
        for writer, wish in zip(
            writers, controls([one.log.job_id for one in writers]), strict=True
        ):
            writer.wish = wish

    def _run(self) -> None:
        away = False
        while True:
            self._wanted.wait()
            started = time.monotonic()
            try:
                self.round()
                away = False
            except UNREACHABLE as error:
                if not away:
                    log.warning("event logs cannot be written: %s", type(error).__name__)
                away = True
            except redis.RedisError as error:
                log.error("a round of the pump failed: %s", type(error).__name__)
            time.sleep(max(0.02, ROUND_SECONDS - (time.monotonic() - started)))


def pump() -> Pump:
    """The pump of this process."""
    with _only_one:
        return _pump()


@lru_cache(maxsize=1)
def _pump() -> Pump:
    return Pump()


@contextmanager
def pumped(writer: EventWriter) -> Iterator[None]:
    """Has the writer served by the pump as long as the block runs."""
    pump().register(writer)
    try:
        yield
    finally:
        pump().unregister(writer)
