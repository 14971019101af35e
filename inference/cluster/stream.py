"""What a node's event stream says: lines to events, events to pieces. Pure: no network here."""

import codecs
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

FinishReason = Literal["stop", "length", "error"]

LONGEST_LINE = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Piece:
    """Text and the tokens that make exactly this text: both end at the same character.

    Only the last piece of a stream may have an empty text (the end-of-sequence token).
    """

    text: str
    token_ids: tuple[int, ...]


class MalformedStream(Exception):
    """The other side does not speak the expected form of server-sent events."""


class EventLines:
    """Cuts bytes into the payloads of `data:` lines; keeps an unfinished line for the next call."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        lines = (self._rest + data if self._rest else data).split(b"\n")
        self._rest = lines.pop()
        if len(self._rest) > LONGEST_LINE:
            raise MalformedStream("A line of the stream does not end.")
        for line in lines:
            if line.startswith(b"data:"):
                yield line[5:].strip()


@dataclass(frozen=True, slots=True)
class Event:
    """One event of /v1/completions. A node that has begun to stream reports errors as an event too:
    `error_status` is the HTTP status it would have had. `error` is the node's own message, which
    may quote a grammar and with it a client's text: it must not be logged."""

    text: str = ""
    token_ids: Sequence[int] = ()
    finish_reason: str | None = None
    error_status: int | None = None
    error: str = ""


def parse_event(payload: bytes) -> Event:
    try:
        document: dict[str, Any] = json.loads(payload)
        if "error" in document:
            error = document["error"]
            return Event(error_status=int(error["code"]), error=str(error["message"]))
        choices = document["choices"]
        if not choices:
            return Event()
        choice = choices[0]
        return Event(choice["text"], choice.get("token_ids") or (), choice["finish_reason"])
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as trouble:
        raise MalformedStream("An event of the stream is not a completion.") from trouble


class Assembler:
    """Joins events into pieces.

    A node holds text back while a character is incomplete, but sends the ids at once; with
    speculation one event can carry a finished character and the first byte of the next. `partial`
    maps the ids of all tokens that are not whole characters to their bytes, so that such ids wait
    for their text. Without it (a plain vLLM server) ids wait only while no text comes at all.
    """

    def __init__(self, partial: Mapping[int, bytes]) -> None:
        self._partial = partial
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._text = ""
        self._ids: list[int] = []
        self._whole = 0

    def add(self, text: str, token_ids: Sequence[int]) -> Piece | None:
        for token_id in token_ids:
            self._ids.append(token_id)
            if self._ends_character(token_id):
                self._whole = len(self._ids)
        self._text += text
        if not self._text or not self._whole:
            return None
        piece = Piece(self._text, tuple(self._ids[: self._whole]))
        del self._ids[: self._whole]
        self._text, self._whole = "", 0
        return piece

    def finish(self) -> Piece | None:
        """What is left when the stream has ended."""
        if not self._text and not self._ids:
            return None
        piece = Piece(self._text, tuple(self._ids))
        self._text, self._ids, self._whole = "", [], 0
        return piece

    def _ends_character(self, token_id: int) -> bool:
        data = self._partial.get(token_id)
        if data is None:
            self._decoder.reset()
            return True
        self._decoder.decode(data)
        return not self._decoder.getstate()[0]
