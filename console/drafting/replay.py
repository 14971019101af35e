"""The state of a draft job as its events tell it. Pure.

A worker that takes a job over folds the log and goes on where it ends; the page in the browser
folds the same events by the same rules (static/src). Folding a prefix and then the rest gives what
folding everything gives; an event that was seen already (by its number) changes nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from console.drafting.events import ENDINGS, Event
from console.drafting.plan import PlannedClaim


@dataclass(frozen=True)
class Writing:
    """The claim that is being written. `ids` are the tokens of `text`, in order, of which the first
    `given` were not the model's. `ended`: the text is whole, only its check is missing.

    After claim.retry and before the next claim.started the text is empty and `attempt` is the one
    that failed.
    """

    claim_id: str
    number: int
    index: int
    attempt: int
    hint: str
    numbering: dict[str, int]
    text: str = ""
    ids: tuple[int, ...] = ()
    given: int = 0
    ended: bool = False
    discarded: bool = False


@dataclass(frozen=True)
class JobState:
    """`next_index` is the place in the plan of the next claim to begin or to go on with."""

    last_seq: int = 0
    started: bool = False
    paused: bool = False
    ending: str = ""
    plan: tuple[PlannedClaim, ...] = ()
    next_index: int = 0
    done: tuple[str, ...] = ()
    failed: int = 0
    hints: tuple[str, ...] = ()
    writing: Writing | None = None


def fold(events: Iterable[Event], state: JobState | None = None) -> JobState:
    """The state after the events; those that `state` has already seen are skipped."""
    state = state or JobState()
    for event in events:
        if event["seq"] > state.last_seq:
            state = replace(_apply(state, event), last_seq=event["seq"])
    return state


def _apply(state: JobState, event: Event) -> JobState:
    kind = event["kind"]
    if kind in ENDINGS:
        return replace(state, ending=kind, writing=None, paused=False)
    if event["kind"] == "job.started":
        plan = tuple(PlannedClaim(**planned) for planned in event.get("plan", []))
        return replace(state, started=True, paused=False, plan=plan)
    if event["kind"] == "claim.started":
        writing = Writing(
            claim_id=event["claim_id"],
            number=event["number"],
            index=event["index"],
            attempt=event["attempt"],
            hint=event["hint"],
            numbering=event.get("numbering", {}),
        )
        return replace(
            state, writing=writing, next_index=event["index"], hints=(*state.hints, event["hint"])
        )
    if event["kind"] == "job.paused":
        return replace(state, paused=True)
    if event["kind"] in ("job.resumed", "job.moved"):
        return replace(state, paused=False)
    return _apply_to_claim(state, event)


def _apply_to_claim(state: JobState, event: Event) -> JobState:
    writing = state.writing
    if event["kind"] not in ("claim.delta", "claim.retry", "claim.completed", "claim.failed"):
        return state
    if event["kind"] == "claim.failed" and "index" in event:
        # Also of a claim that was never begun: it had nothing to cite, or was gone.
        index = event["index"]
        return replace(state, writing=None, failed=state.failed + 1, next_index=index + 1)
    if writing is None or event["claim_id"] != writing.claim_id:
        return state
    if event["kind"] == "claim.delta":
        more = replace(
            writing,
            text=writing.text + event["text"],
            ids=(*writing.ids, *event.get("ids", ())),
            given=writing.given + event.get("given", 0),
            ended=event.get("ended", False),
        )
        return replace(state, writing=more)
    if event["kind"] == "claim.retry":
        discarded = replace(writing, text="", ids=(), given=0, ended=False, discarded=True)
        return replace(state, writing=discarded)
    after = replace(state, writing=None, next_index=writing.index + 1)
    if event["kind"] == "claim.completed":
        return replace(after, done=(*state.done, event["claim_id"]))
    return replace(after, failed=state.failed + 1)
