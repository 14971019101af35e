"""The owner's pen: numbers a job's events and appends them, learns what the reader wants.

Text is held until the pump (pump.py) takes it; every other event is written at once, after the text
before it. So the log has all events in the order of their numbers.
"""

import threading
import time
from collections.abc import Callable
from typing import Any, cast

from console.drafting.eventlog import (
    PATIENCE_SECONDS,
    Control,
    EventLog,
    FencedError,
    LogUnavailableError,
    patiently,
)
from console.drafting.events import Event
from console.drafting.keeper import Holding


class StopAsked(Exception):
    """The reader wants the job to end here."""


class PauseAsked(Exception):
    """The reader wants the job to rest here; what was delivered so far stays."""


class HandOver(Exception):
    """This worker is going down, or has lost the job: another goes on from the log."""


class EventWriter:
    """Writes one job's log after event `last_seq`. Its job's thread and the pump share it.

    Each method that appends raises FencedError and LogUnavailableError.
    """

    def __init__(
        self, log: EventLog, last_seq: int, holding: Holding, draining: Callable[[], bool]
    ) -> None:
        self.log = log
        self.last_seq = last_seq
        self.lock = threading.RLock()
        # Numbered and not known to be written.
        self.unsent: list[Event] = []
        self.wish: Control = ""
        self._holding = holding
        self._draining = draining
        self._claim_id = ""
        self._text: list[str] = []
        self._ids: list[int] = []
        self._marks: dict[str, Any] = {}
        self._fenced = False
        self._sent_at = time.monotonic()

    # --- for the job's thread ---------------------------------------------------------------------

    def event(self, kind: str, **fields: Any) -> None:
        """Appends one event, after the text that is still held back."""
        with self.lock:
            self.take_text()
            self.unsent.append(self._numbered(kind, **fields))
            self.log.append(self.unsent)
            self.sent(fenced=False)
        self._holding.beat()

    def begin_text(self, claim_id: str) -> None:
        """Text from here on belongs to this claim."""
        self._claim_id = claim_id

    def text(self, text: str, ids: tuple[int, ...], **marks: Any) -> None:
        """Takes delivered text; the pump appends it within a moment. For `marks` see ClaimDelta."""
        with self.lock:
            self._text.append(text)
            self._ids.extend(ids)
            self._marks.update(marks)

    def check(self) -> None:
        """Raises StopAsked, PauseAsked or HandOver when one is due. Call it often: it is cheap."""
        self._holding.beat()
        if self._fenced:
            raise FencedError(f"Job {self.log.job_id} has another writer.")
        if self.unsent and time.monotonic() - self._sent_at > PATIENCE_SECONDS:
            raise LogUnavailableError("Valkey does not answer.")
        if self._holding.lost.is_set() or self._draining():
            self.flush()
            raise HandOver
        if self.wish == "stop":
            self.flush()
            raise StopAsked
        if self.wish == "pause":
            self.flush()
            raise PauseAsked

    def flush(self) -> None:
        """Appends held text now."""
        with self.lock:
            if self.take_text():
                self.log.append(self.unsent)
                self.sent(fenced=False)

    def assert_owner(self) -> None:
        """Appends held text now; FencedError also when another owner has written since."""
        self.flush()
        if patiently(self.log.last_seq) != self.last_seq:
            raise FencedError(f"Job {self.log.job_id} has another writer.")

    # --- for the pump, which holds the lock -------------------------------------------------------

    def take_text(self) -> bool:
        """Numbers the text that has come; whether there is anything to append."""
        if self._text:
            delta = self._numbered(
                "claim.delta",
                claim_id=self._claim_id,
                text="".join(self._text),
                ids=self._ids,
                **self._marks,
            )
            self.unsent.append(delta)
            self._text, self._ids, self._marks = [], [], {}
        elif not self.unsent:
            self._sent_at = time.monotonic()
        return bool(self.unsent)

    def sent(self, *, fenced: bool) -> None:
        """What was unsent has been appended, or refused."""
        self.unsent = []
        self._sent_at = time.monotonic()
        self._fenced = self._fenced or fenced

    def _numbered(self, kind: str, **fields: Any) -> Event:
        self.last_seq += 1
        return cast(
            Event, {"seq": self.last_seq, "kind": kind, "at": round(time.time(), 3), **fields}
        )
