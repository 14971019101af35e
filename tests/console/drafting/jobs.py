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
# Lawful, and long enough that a slow node is still in the middle of it when a test has looked.
LONG = (
    "根据权利要求1所述的多层膜，其特征在于，还包括依次设于所述涂层上的底漆、阻隔膜和耐磨面层，"
    "所述底漆由水性丙烯酸树脂制成，所述阻隔膜为聚偏二氯乙烯薄膜，所述耐磨面层含有纳米氧化铝颗粒，"
    "且各层之间通过热压复合，复合温度为110℃，压力为0.4MPa，时间为30s。"
)
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
