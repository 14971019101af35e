"""The events of a draft job: what its log holds and what browsers receive. Pure.

Events of one job are numbered 1, 2, 3, …: whoever has seen event n asks for those after n. The log
is written by the job's owner alone; browsers get each event through `for_browser`.
"""

from typing import Any, Literal, NotRequired, TypedDict, cast

RetryReason = Literal["loop", "junk", "duplicate", "too_long", "empty", "violation", "node"]


class PlannedClaimDict(TypedDict):
    kind: Literal["independent", "dependent"]
    category: str
    subject: str


class JobQueued(TypedDict):
    kind: Literal["job.queued"]
    seq: int
    at: float
    position: int


class JobStarted(TypedDict):
    """The first event of the first owner. `plan` is what the job will write, in order."""

    kind: Literal["job.started"]
    seq: int
    at: float
    worker: str
    plan: NotRequired[list[PlannedClaimDict]]


class ClaimStarted(TypedDict):
    """`index` is the place in the plan, `numbering` the numbers of all claims at this moment."""

    kind: Literal["claim.started"]
    seq: int
    at: float
    claim_id: str
    number: int
    attempt: int
    hint: str
    index: int
    numbering: NotRequired[dict[str, int]]


class ClaimDelta(TypedDict):
    """`ids` are the tokens of `text`; a takeover replays them into model and grammar.

    Of them `given` were put in front, not written by the model. With `ended` the claim is whole:
    it was cut behind a clause, so `text` lacks what the last token says more, and nothing goes on.
    """

    kind: Literal["claim.delta"]
    seq: int
    at: float
    claim_id: str
    text: str
    ids: NotRequired[list[int]]
    given: NotRequired[int]
    ended: NotRequired[bool]


class ClaimRetry(TypedDict):
    """The text so far is discarded; claim.started with the next attempt follows."""

    kind: Literal["claim.retry"]
    seq: int
    at: float
    claim_id: str
    attempt: int
    reason: RetryReason


class ClaimCompleted(TypedDict):
    kind: Literal["claim.completed"]
    seq: int
    at: float
    claim_id: str
    number: int
    text: str
    revision: int
    findings: list[dict[str, Any]]


class ClaimFailed(TypedDict):
    """Without a `claim_id` the claim at `index` of the plan was never begun."""

    kind: Literal["claim.failed"]
    seq: int
    at: float
    claim_id: str
    number: int
    reason: str
    message: str
    index: NotRequired[int]


class JobPaused(TypedDict):
    kind: Literal["job.paused"]
    seq: int
    at: float


class JobResumed(TypedDict):
    kind: Literal["job.resumed"]
    seq: int
    at: float


class JobMoved(TypedDict):
    """Another worker or node goes on; or none is there and the job waits ("waiting_for_node",
    "node_loading")."""

    kind: Literal["job.moved"]
    seq: int
    at: float
    reason: str


class JobCompleted(TypedDict):
    kind: Literal["job.completed"]
    seq: int
    at: float
    done: int
    failed: int


class JobStopped(TypedDict):
    kind: Literal["job.stopped"]
    seq: int
    at: float


class JobFailed(TypedDict):
    kind: Literal["job.failed"]
    seq: int
    at: float
    code: str
    message: str


Event = (
    JobQueued | JobStarted | ClaimStarted | ClaimDelta | ClaimRetry | ClaimCompleted | ClaimFailed
    | JobPaused | JobResumed | JobMoved | JobCompleted | JobStopped | JobFailed
)  # fmt: skip

ENDINGS = frozenset({"job.completed", "job.stopped", "job.failed"})
# What a takeover needs and a browser does not.
_SERVER_ONLY = frozenset({"ids", "given", "ended", "numbering", "plan", "worker"})


def for_browser(event: Event) -> Event:
    """The event without what stays on the server."""
    return cast(Event, {name: value for name, value in event.items() if name not in _SERVER_ONLY})
