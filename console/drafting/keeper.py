"""One thread in each worker that renews the leases of its jobs and finds jobs that nobody holds."""

import logging
import os
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from django.db import DatabaseError, close_old_connections

from console.drafting import leases

log = logging.getLogger(__name__)

ROUND_SECONDS = 2.0
# A job whose thread has not been heard of for so long is not renewed: it hangs.
SILENT_SECONDS = 60.0


class Holding:
    """A running job in this worker. `lost` is set when another worker may have it."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.lost = threading.Event()
        self._heard = time.monotonic()

    def beat(self) -> None:
        self._heard = time.monotonic()

    @property
    def silent(self) -> bool:
        return time.monotonic() - self._heard > SILENT_SECONDS


class Dispatch(Protocol):
    """Hands a job's id to the queue; with `again` even if that was done a moment ago."""

    def __call__(self, job_id: str, *, again: bool = False) -> None: ...


class Keeper:
    """The keeper of one worker, which `worker` names."""

    def __init__(self, dispatch: Dispatch) -> None:
        self.dispatch = dispatch
        self.worker = f"{socket.gethostname()[:30]}:{os.getpid()}:{uuid.uuid4().hex[:6]}"
        self.draining = threading.Event()
        self._lock = threading.Lock()
        self._holdings: set[Holding] = set()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="draft keeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(ROUND_SECONDS * 2)

    def drain(self) -> None:
        """From now on every running job is given back within a moment, and none is taken."""
        self.draining.set()

    @contextmanager
    def holding(self, owner: str) -> Iterator[Holding]:
        """Renews the owner's lease as long as the block runs and its holding beats."""
        holding = Holding(owner)
        with self._lock:
            self._holdings.add(holding)
        try:
            yield holding
        finally:
            with self._lock:
                self._holdings.discard(holding)

    def round(self) -> None:
        """One round: renew what is held, queue what nobody holds."""
        with self._lock:
            alive = {one.owner: one for one in self._holdings if not one.silent}
        kept = leases.renew(alive)
        for owner in alive.keys() - kept:
            alive[owner].lost.set()
        if not self.draining.is_set():
            for job in leases.abandoned():
                self.dispatch(str(job.pk))

    def _run(self) -> None:
        while not self._stop.wait(ROUND_SECONDS):
            try:
                close_old_connections()
                self.round()
            except DatabaseError as error:
                log.warning("leases not renewed: %s", type(error).__name__)
            except Exception:
                log.exception("a round of the draft keeper failed")
