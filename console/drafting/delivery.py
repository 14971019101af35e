"""The text of one attempt at a claim, streamed from a node, and from the next one when it fails.

A node that dies, stalls or drains in the middle costs the reader a pause: what was delivered goes
with the prompt to another node, which replays it into model and grammar and goes on from there.
"""

import re
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from console.drafting.duplicates import CopyWatch
from console.drafting.loops import LoopDetector
from console.drafting.nodes import NodePool
from console.drafting.replay import Writing
from console.drafting.writer import EventWriter
from inference.cluster.client import Generation, GenerationRequest, NodeClient, NodeError, Piece

Outcome = Literal["complete", "too_long", "loop", "junk", "duplicate", "violation", "node"]

# How long a job waits for any node to be ready.
NO_NODE_SECONDS = 600.0
# Answers without a new token, one after the other, after which an attempt is given up: such a
# request may be what breaks the nodes.
MAX_FAILURES = 5
REST_SECONDS = 1.0
_POLL_SECONDS = 0.2
# Pieces are taken in batches: with 32 streams, threads that wake for each token would cost more
# than the tokens' way to the reader.
_SETTLE_SECONDS = 0.1
# Behind this place a claim has begun to say something, the same or not.
_HEAD_CHARACTERS = 160
# Failures that say nothing about the request itself.
_WAITING = ("node_unreachable", "overloaded")


class NoNodeError(Exception):
    """No node was ready for NO_NODE_SECONDS."""

    code = "no_node"


class PromptTooLongError(Exception):
    """The node's model cannot take this prompt."""

    code = "prompt_too_long"


@dataclass(frozen=True)
class Order:
    """What is to be written: the same whichever node writes it."""

    prompt: str
    grammar: str
    max_tokens: int
    temperature: float
    seed: int
    key: str
    # Words that the claim begins with, as if the model had written them; see beginnings.py.
    given: str = ""
    # Claims of which this one must not begin a copy: dependents of its family, and its root.
    siblings: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    # Whether the claim may end here, at the end of a clause: it has said what it was to say.
    may_end: Callable[[str], bool] | None = None


@dataclass
class Tally:
    """Tokens by what became of them; added up over a job.

    `delivered`, `given` and `discarded` count at the end of an attempt, by whoever ends it: an
    owner that is lost in the middle has counted nothing of it.
    """

    prompt: int = 0
    delivered: int = 0
    replayed: int = 0
    given: int = 0
    discarded: dict[str, int] = field(default_factory=dict)

    def discard(self, reason: str, tokens: int) -> None:
        if tokens:
            self.discarded[reason] = self.discarded.get(reason, 0) + tokens


class Delivery:
    """Carries out one Order. `text` and `ids` are what the reader has; a takeover begins with what
    the former owner had `begun`.

    Raises what EventWriter raises, NoNodeError, PromptTooLongError.
    """

    def __init__(
        self,
        order: Order,
        pool: NodePool,
        writer: EventWriter,
        tally: Tally,
        begun: Writing | None = None,
    ) -> None:
        self.text = begun.text if begun else ""
        self.ids = list(begun.ids) if begun else []
        # How many of the tokens the model did not write.
        self.given = begun.given if begun else 0
        self._ended = begun.ended if begun else False
        self._order = order
        self._pool = pool
        self._writer = writer
        self._tally = tally
        self._detector = LoopDetector()
        self._detector.feed(self.text)
        self._copies = CopyWatch(order.siblings, order.parents)
        self._prompts: dict[str, tuple[int, ...]] = {}
        self._moved = ""

    def run(self) -> Outcome:
        """Streams until the claim ends, one way or another."""
        if self._ended:
            # Its former owner was lost before it could say so. The node would write on.
            return "complete"
        failures = 0
        deadline = time.monotonic() + NO_NODE_SECONDS
        while True:
            had = len(self.ids)
            node = self._pool.choose(self._order.key)
            try:
                if node is not None:
                    return self._stream(node)
                self._say_moved("node_loading" if self._pool.loading else "waiting_for_node")
            except NodeError as error:
                outcome = self._outcome_of(error)
                if outcome:
                    return outcome
                self._after_failure(node, error)
                failures += error.code not in _WAITING
            if len(self.ids) > had:
                # The first failure of a stream costs no pause: another node is asked at once.
                failures, deadline = 0, time.monotonic() + NO_NODE_SECONDS
                continue
            if failures >= MAX_FAILURES:
                return "node"
            if time.monotonic() > deadline:
                raise NoNodeError("No inference node could write for ten minutes.")
            self._rest(REST_SECONDS)

    def _after_failure(self, node: NodeClient | None, error: NodeError) -> None:
        if node is not None and error.code != "overloaded":
            self._pool.report_failure(node.base_url)
        self._say_moved(error.code)

    def _say_moved(self, reason: str) -> None:
        if reason != self._moved:
            self._moved = reason
            self._writer.event("job.moved", reason=reason)

    def _outcome_of(self, error: NodeError) -> Outcome | None:
        """What a failure ends the attempt with; None to go on at the next node."""
        if error.code == "prompt_too_long":
            raise PromptTooLongError(str(error)) from error
        # The delivered text does not fit the document of now: the claim is begun again.
        return "violation" if error.code == "node_refused_grammar" else None

    def _stream(self, node: NodeClient) -> Outcome:
        left = self._order.max_tokens - len(self.ids)
        if left <= 0:
            return "too_long"
        generation = node.generate(self._request(node, left))
        try:
            while not generation.finished:
                for piece in generation.read(_POLL_SECONDS, settle=_SETTLE_SECONDS):
                    verdict = self._take(piece)
                    if verdict:
                        return verdict
                self._writer.check()
        finally:
            if not generation.finished:
                generation.cancel()
        return self._ending(generation)

    def _ending(self, generation: Generation) -> Outcome:
        if generation.finish_reason == "length":
            return "too_long"
        return "violation" if generation.finish_reason == "error" else "complete"

    def _take(self, piece: Piece) -> Outcome | None:
        self._moved = ""
        ended = self._end_in(piece.text)
        text = piece.text if ended is None else ended
        self.text += text
        self.ids.extend(piece.token_ids)
        if ended is not None:
            self._writer.text(text, piece.token_ids, ended=True)
            return "complete"
        self._writer.text(text, piece.token_ids)
        if "\n" in text:
            # A pack may allow it, but in the prompt a claim is one line: behind a line break the
            # model writes the next one.
            return "violation"
        if len(self.text) < _HEAD_CHARACTERS and self._copies.sees(self.text):
            return "duplicate"
        return self._detector.feed(text)

    def _end_in(self, text: str) -> str | None:
        """The text up to the first clause at whose end the claim may end, with a full stop."""
        if self._order.may_end is None:
            return None
        for mark in re.finditer("[，；]", text):
            ended = text[: mark.start()] + "。"
            if self._order.may_end(self.text + ended):
                return ended
        return None

    def _request(self, node: NodeClient, left: int) -> GenerationRequest:
        prompt = self._prompts.get(node.base_url)
        if prompt is None:
            prompt = self._prompts[node.base_url] = tuple(node.tokenize(self._order.prompt))
        if self._order.given and not self.ids:
            self._give(node)
            left -= self.given
        self._tally.prompt += len(prompt)
        self._tally.replayed += len(self.ids) - self.given
        return GenerationRequest(
            prompt_ids=(*prompt, *self.ids),
            resume_tokens=len(self.ids),
            grammar=self._order.grammar,
            max_tokens=left,
            temperature=self._order.temperature,
            top_p=0.95,
            seed=self._order.seed,
            request_id=f"draft-{uuid.uuid4().hex}",
        )

    def _give(self, node: NodeClient) -> None:
        """Puts the given words before what the model writes; the reader sees them at once."""
        ids = tuple(node.tokenize(self._order.given)[1:])
        self.text, self.ids, self.given = self._order.given, list(ids), len(ids)
        self._writer.text(self.text, ids, given=self.given)

    def _rest(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._writer.check()
            time.sleep(_POLL_SECONDS)
