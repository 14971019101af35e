"""Drafts by a real model on a real vLLM node, through real worker processes."""

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


def test_a_draft_of_three_claims_is_lawful_and_whole(
    worker: Worker, start_queued: Callable[..., Any], device: Any
) -> None:
    job = start_queued(matter=device)
    until(lambda: ended(job), WRITING_SECONDS)
    assert job.status == JobStatus.COMPLETED
    assert job.progress["done"] + job.progress["failed"] == 3
    written = texts(job)
    assert written
    assert all(text.endswith("。") and text.count("。") == 1 for text in written)
    assert written[0].startswith("一种血液灌流器的密封检测装置")
    assert len(set(written)) == len(written)
    document = matters.claims_document(device.pk)
    found = matters.findings(document.content, device.title)
    assert [one["rule"] for one in found if one["severity"] == "error"] == []
    finished = {
        one["claim_id"]: one["text"] for one in events(job) if one["kind"] == "claim.completed"
    }
    assert {claim: text for claim, text in delivered(job).items() if claim in finished} == finished


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
