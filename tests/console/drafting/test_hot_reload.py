"""A version that is published in the middle of a stream: the running job keeps its rules, the next
one has the new ones, and no process is started again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from console.drafting.models import JobStatus
from rules.packs import load_builtin
from rules.store.client import store
from tests.console.drafting.jobs import CLAIMS, LONG, has_text, texts
from tests.support.waiting import until
from tests.support.worker import Worker

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

TERM = "耐候性较佳"


def stricter() -> dict[str, Any]:
    """The built-in pack with one row more in its table of forbidden terms."""
    document = load_builtin("cn-claims")
    row = next(row for row in document["forbidden"] if row["rule"] in document["enforces"])
    added = {"term": TERM, "rule": row["rule"], "severity": row["severity"]}
    return {**document, "forbidden": [*document["forbidden"], added]}


def grammars(node: Any) -> list[str]:
    return [body["structured_outputs"]["grammar"] for body in node.requests]


def test_a_job_finishes_under_its_version_and_the_next_begins_under_the_new_one(
    start_queued: Callable[..., Any],
    make_matter: Callable[..., Any],
    node: Any,
    tmp_path: Path,
) -> None:
    first_texts = [CLAIMS[0], LONG, CLAIMS[2]]
    writer = node([*first_texts, *CLAIMS], pauses={LONG: 0.1})
    with Worker(tmp_path, nodes=[writer.url]):
        first = start_queued()
        until(has_text(first, 60), 60)
        published = store().publish(stricter(), author="wang")
        writer.pauses.clear()
        until(lambda: ended(first), 60)
        second = start_queued(matter=make_matter())
        until(lambda: ended(second), 60)
    assert (first.pack_version, second.pack_version) == (published.version - 1, published.version)
    assert (first.status, second.status) == (JobStatus.COMPLETED, JobStatus.COMPLETED)
    assert (texts(first), texts(second)) == (first_texts, CLAIMS)
    # The first job's third claim was asked for after the publication, and yet under the old rules.
    assert [TERM in grammar for grammar in grammars(writer)] == [False] * 3 + [True] * 3


def ended(job: Any) -> bool:
    job.refresh_from_db()
    return job.status in (JobStatus.COMPLETED, JobStatus.FAILED)
