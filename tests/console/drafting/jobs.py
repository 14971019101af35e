"""What the tests of jobs look at, and the claims that their scripted nodes write."""

from collections.abc import Callable
from typing import Any

from console.drafting.eventlog import EventLog
from console.matters import selectors as matters

CLAIMS = [
    "一种多层膜，其特征在于，包括基材层和涂层，所述涂层设于所述基材层的表面。",
    "根据权利要求1所述的多层膜，其特征在于，所述基材层的厚度为20μm。",
    "根据权利要求1或2所述的多层膜，其特征在于，还包括设于所述涂层上的保护层。",
]
LOOP = "根据权利要求1所述的多层膜，其特征在于，" + "所述涂层的表面设有所述涂层，" * 20


def events(job: Any) -> list[Any]:
    return EventLog(job.pk).read()


def kinds(job: Any) -> list[str]:
    """The kinds of the job's events, each run of deltas as one."""
    found: list[str] = []
    for event in events(job):
        if event["kind"] != "claim.delta" or found[-1] != "claim.delta":
            found.append(event["kind"])
    return found


def texts(job: Any) -> list[str]:
    return [row["text"] for row in matters.claim_set(job.document_id)]


def delivered(job: Any) -> dict[str, str]:
    """What a reader of the log has of each claim: the deltas since the claim's last start."""
    found: dict[str, str] = {}
    for event in events(job):
        if event["kind"] in ("claim.started", "claim.retry"):
            found[event["claim_id"]] = ""
        if event["kind"] == "claim.delta":
            found[event["claim_id"]] += event["text"]
    return found


def has_text(job: Any, letters: int) -> Callable[[], bool]:
    return lambda: any(len(text) >= letters for text in delivered(job).values())
