"""The owner's pen: numbers a job's events, appends them in batches, reads what is asked."""

import time
from collections.abc import Callable
from typing import Any, cast

from console.drafting.eventlog import Control, EventLog, FencedError
from console.drafting.events import Event
from console.drafting.keeper import Holding

# Text is appended about five times a second: a reader sees it flow, and the log stays cheap.
BATCH_SECONDS = 0.2


class StopAsked(Exception):
    """The reader wants the job to end here."""


class PauseAsked(Exception):
    """The reader wants the job to rest here; what was delivered so far stays."""


class HandOver(Exception):
    """This worker is going down, or has lost the job: another goes on from the log."""


class EventWriter:
    """Writes one job's log after event `last_seq`.

    Each method that appends raises FencedError and LogUnavailableError. `check` and `text` raise
    what the reader, or the end of this worker, asks for; other events are always written first.
    """

    def __init__(
        self, log: EventLog, last_seq: int, holding: Holding, draining: Callable[[], bool]
    ) -> None:
        self.last_seq = last_seq
        self._log = log
        self._holding = holding
        self._draining = draining
        self._claim_id = ""
        self._text: list[str] = []
        self._ids: list[int] = []
        self._flushed = 0.0

    def event(self, kind: str, **fields: Any) -> None:
        """Appends one event, after the text that is still held back."""
        self._append([*self._pending(), self._numbered(kind, **fields)])

    def begin_text(self, claim_id: str) -> None:
        """Text from here on belongs to this claim."""
        self._claim_id = claim_id
        self._flushed = time.monotonic()

    def text(self, text: str, ids: tuple[int, ...]) -> None:
        """Takes delivered text; appends it when the batch is due."""
        self._text.append(text)
        self._ids.extend(ids)

    def tick(self) -> None:
        """Appends what is due and raises what is asked. Call it at least every BATCH_SECONDS."""
        if time.monotonic() - self._flushed >= BATCH_SECONDS:
            self.check()

    def check(self) -> None:
        """Appends held text now. Raises StopAsked, PauseAsked or HandOver when one is due."""
        control = self._append(self._pending())
        if self._holding.lost.is_set() or self._draining():
            raise HandOver
        if control == "stop":
            raise StopAsked
        if control == "pause":
            raise PauseAsked

    def assert_owner(self) -> None:
        """Appends held text now, and raises FencedError when another owner has written since."""
        self._append(self._pending())
        if self._log.last_seq() != self.last_seq:
            raise FencedError(f"Job {self._log.job_id} has another writer.")

    def until_due(self) -> float:
        """Seconds until the next tick has something to do."""
        return max(0.0, self._flushed + BATCH_SECONDS - time.monotonic())

    def _append(self, events: list[Event]) -> Control:
        self._holding.beat()
        control = self._log.append(events)
        self._flushed = time.monotonic()
        return control

    def _pending(self) -> list[Event]:
        if not self._text:
            return []
        delta = self._numbered(
            "claim.delta", claim_id=self._claim_id, text="".join(self._text), ids=self._ids
        )
        self._text, self._ids = [], []
        return [delta]

    def _numbered(self, kind: str, **fields: Any) -> Event:
        self.last_seq += 1
        return cast(
            Event, {"seq": self.last_seq, "kind": kind, "at": round(time.time(), 3), **fields}
        )
