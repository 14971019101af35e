"""The meeting point of the thread that reads a stream and the loop that fills it."""

import asyncio
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future

from inference.cluster.request import NodeError
from inference.cluster.stream import FinishReason, Piece

# A reader that is this many pieces behind makes the stream wait for it.
BUFFERED_PIECES = 1024


class Generation:
    """A running generation. One thread reads; any thread may cancel."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._arrived = threading.Condition()
        self._pieces: deque[Piece] = deque()
        self._error: NodeError | None = None
        self._ended = False
        self._over = threading.Event()
        self._reason: FinishReason | None = None
        self._room = asyncio.Event()
        self._work: Future[None] | None = None

    def read(self, timeout: float, *, settle: float = 0.0) -> list[Piece]:
        """All pieces that have arrived; waits up to `timeout` seconds for the first.

        `settle` seconds more, or as long as the stream lasts, are given to the pieces after it: a
        reader with many streams then wakes up once for several pieces, which halves what reading
        costs.
        [] when none came, or when the stream has ended and all was read. Raises NodeError, again
        at each call, after the pieces that came before the failure have been read.
        """
        with self._arrived:
            if not self._pieces and not self._ended:
                self._arrived.wait(timeout)
            coming = bool(self._pieces) and not self._ended
        if settle and coming:
            self._over.wait(settle)
        with self._arrived:
            pieces = list(self._pieces)
            self._pieces.clear()
            if not pieces and self._error is not None:
                raise self._error
        if len(pieces) >= BUFFERED_PIECES:
            self._loop.call_soon_threadsafe(self._room.set)
        return pieces

    @property
    def finished(self) -> bool:
        """True when the stream has ended without a failure and every piece was read."""
        with self._arrived:
            return self._ended and not self._pieces and self._error is None

    @property
    def finish_reason(self) -> FinishReason | None:
        """stop: the text is complete; length: max_tokens reached; error: the node gave the request
        up after text had come (the grammar refused a sampled token). None before the end, after a
        failure and after cancel()."""
        with self._arrived:
            return self._reason if self._ended else None

    def cancel(self) -> None:
        """Closes the stream, so that the node aborts the request. Returns at once; pieces that
        have arrived can still be read."""
        self.end(None, None)
        if self._work is not None:
            self._work.cancel()

    # For the loop's side.

    @property
    def failed(self) -> bool:
        with self._arrived:
            return self._error is not None

    def runs_as(self, work: "Future[None]") -> None:
        self._work = work

    async def put(self, pieces: Sequence[Piece]) -> None:
        """Hands pieces over; waits while the reader is too far behind."""
        with self._arrived:
            if self._ended:
                return
            self._pieces.extend(pieces)
            full = len(self._pieces) >= BUFFERED_PIECES
            if full:
                self._room.clear()
            self._arrived.notify()
        if full:
            await self._room.wait()

    def end(self, reason: FinishReason | None, error: NodeError | None) -> None:
        """The first end counts: a cancelled generation does not fail afterwards."""
        with self._arrived:
            if not self._ended:
                self._ended, self._reason, self._error = True, reason, error
                self._arrived.notify_all()
        self._over.set()
