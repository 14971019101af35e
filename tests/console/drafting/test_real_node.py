"""Drafts by a real model on a real vLLM node, through real worker processes."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from console.drafting import services
from console.drafting.models import JobStatus
from console.matters import selectors as matters
from inference.cluster.client import NodeClient
from tests.console.drafting.jobs import delivered, events, has_text, kinds, texts
from tests.console.drafting.test_workers import ended
from tests.support.waiting import until
from tests.support.worker import Worker

pytestmark = [
    pytest.mark.node,
    pytest.mark.services,
    pytest.mark.django_db(transaction=True),
]

DEVICE = (Path(__file__).parent / "data" / "sealing_test_device.txt").read_text("utf-8")
TITLE = "一种血液灌流器的密封检测装置"
WRITING_SECONDS = 240.0


@pytest.fixture
def device(make_matter: Callable[..., Any]) -> Any:
    return make_matter(title=TITLE, disclosure=DEVICE)


@pytest.fixture
def worker(live_node: str, tmp_path: Path, rules_in_force: None, valkey: Any) -> Iterator[Worker]:
    with Worker(tmp_path, nodes=[live_node]) as one:
        yield one


def written_by(job: Any, count: int) -> list[str]:
    """The document's claims once the job has written `count` of them, all whole and lawful."""
    until(lambda: ended(job), WRITING_SECONDS)
    said = [one for one in events(job) if one["kind"] in ("claim.retry", "claim.failed")]
    assert (job.status, job.error_code) == (JobStatus.COMPLETED, "")
    assert (job.progress["done"], job.progress["failed"]) == (count, 0), said
    written = texts(job)
    assert all(text.endswith("。") and text.count("。") == 1 for text in written)
    assert len(set(written)) == len(written)
    found = matters.findings(
        matters.claims_document(job.document.matter_id).content, job.document.matter.title
    )
    assert [one["rule"] for one in found if one["severity"] == "error"] == []
    return written


def test_a_draft_of_three_claims_is_lawful_and_whole(
    worker: Worker, start_queued: Callable[..., Any], device: Any
) -> None:
    job = start_queued(matter=device)
    written = written_by(job, 3)
    assert written[0].startswith("一种血液灌流器的密封检测装置")
    assert all(text.startswith("根据权利要求") for text in written[1:])
    finished = {
        one["claim_id"]: one["text"] for one in events(job) if one["kind"] == "claim.completed"
    }
    assert {claim: text for claim, text in delivered(job).items() if claim in finished} == finished


@pytest.mark.parametrize(
    ("categories", "beginnings"),
    [
        (["method"], ["一种多层膜的制备方法"]),
        (["product", "method"], ["一种多层膜", "一种多层膜的制备方法"]),
    ],
    ids=["method", "both"],
)
def test_an_independent_claim_is_written_in_each_category_that_is_asked_for(
    worker: Worker,
    start_queued: Callable[..., Any],
    categories: list[str],
    beginnings: list[str],
) -> None:
    job = start_queued(count=len(categories), categories=categories)
    written = written_by(job, len(categories))
    for text, beginning in zip(written, beginnings, strict=True):
        assert re.match(f"{beginning}(?:，|：|其特征|其中|包括)", text), text


def test_an_agent_s_own_first_claim_gets_its_dependent_which_is_written_anew_on_demand(
    worker: Worker, start_queued: Callable[..., Any], matter: Any, agent: Any
) -> None:
    own = "一种多层膜，其特征在于，包括基材层和涂层，所述涂层设于所述基材层的表面。"
    first, second = written_by(start_queued(count=2, first_claim=own), 1)
    assert first == own
    assert second.startswith("根据权利要求1所述的多层膜")

    anew = services.regenerate(
        user=agent,
        matter=matter,
        claim_id=matters.claim_set(matters.claims_document(matter.pk).pk)[1]["id"],
        instruction="所述涂层上设有保护层",
        request_id="anew",
    )
    first, third = written_by(anew, 1)
    assert (first, third.startswith("根据权利要求1所述的多层膜")) == (own, True)
    assert third != second
    assert "保护层" in third


def test_stop_leaves_the_node_without_a_running_request_within_a_second(
    worker: Worker, live_node: str, start_queued: Callable[..., Any], device: Any
) -> None:
    client = NodeClient(live_node)
    job = start_queued(matter=device, count=30)
    until(lambda: client.running_requests() > 0, WRITING_SECONDS)
    stopped = time.monotonic()
    services.stop(job=job)
    until(lambda: client.running_requests() == 0)
    assert time.monotonic() - stopped < 1.0
    until(lambda: ended(job))
    assert job.status == JobStatus.STOPPED
    assert all(row["state"] == "proposed" for row in matters.claim_set(job.document_id))


def test_a_claim_goes_on_after_a_crash_as_if_nothing_had_happened(
    worker: Worker,
    live_node: str,
    start_queued: Callable[..., Any],
    make_matter: Callable[..., Any],
    tmp_path: Path,
) -> None:
    undisturbed = start_queued(matter=make_matter(title=TITLE, disclosure=DEVICE), count=1)
    until(lambda: ended(undisturbed), WRITING_SECONDS)

    disturbed = start_queued(matter=make_matter(title=TITLE, disclosure=DEVICE), count=1)
    until(has_text(disturbed, 5), WRITING_SECONDS)
    worker.kill()
    with Worker(tmp_path, nodes=[live_node], name="second"):
        until(lambda: ended(disturbed), WRITING_SECONDS)
    assert disturbed.status == JobStatus.COMPLETED
    assert texts(disturbed) == texts(undisturbed)
    assert list(delivered(disturbed).values()) == texts(disturbed)
    assert kinds(disturbed).count("claim.completed") == 1
