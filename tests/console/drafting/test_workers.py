"""Real worker processes: what one loses when it is ended, another finds."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from console.drafting.models import JobStatus
from tests.console.drafting.jobs import CLAIMS, LONG, delivered, events, has_text, kinds, texts
from tests.support.waiting import until
from tests.support.worker import ROOT, Worker

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def ended(job: Any) -> bool:
    job.refresh_from_db()
    return job.status not in (JobStatus.QUEUED, JobStatus.RUNNING)


def assert_whole(job: Any) -> None:
    """Everything is there, and nothing is there twice."""
    assert (job.status, texts(job)) == (JobStatus.COMPLETED, CLAIMS)
    assert list(delivered(job).values()) == CLAIMS
    assert [event["seq"] for event in events(job)] == list(range(1, len(events(job)) + 1))
    assert kinds(job).count("claim.completed") == len(CLAIMS)


def test_a_worker_killed_in_the_middle_of_a_claim_is_followed_by_another(
    start_queued: Callable[..., Any], node: Any, tmp_path: Path
) -> None:
    slow = node(CLAIMS, pauses={CLAIMS[0]: 0.3})
    with (
        Worker(tmp_path, nodes=[slow.url], name="first") as first,
        Worker(tmp_path, nodes=[slow.url], name="second") as second,
    ):
        job = start_queued()
        until(has_text(job, 8))
        job.refresh_from_db()
        workers = {str(first.process.pid): first, str(second.process.pid): second}
        workers[job.lease_owner.split(":")[1]].kill()
        slow.pauses.clear()
        until(lambda: ended(job), 30)
    assert_whole(job)
    assert slow.resumed
    assert [one["reason"] for one in events(job) if one["kind"] == "job.moved"] == ["worker"]


def test_a_worker_asked_to_end_hands_its_claim_over_and_leaves_in_good_order(
    start_queued: Callable[..., Any], node: Any, tmp_path: Path
) -> None:
    slow = node(CLAIMS, pauses={CLAIMS[0]: 0.3})
    with Worker(tmp_path, nodes=[slow.url], name="first") as first:
        job = start_queued()
        until(has_text(job, 8))
        assert first.terminate() == 0
        job.refresh_from_db()
        assert (job.status, job.lease_owner) == (JobStatus.RUNNING, "")
        slow.pauses.clear()
        with Worker(tmp_path, nodes=[slow.url], name="second"):
            until(lambda: ended(job), 30)
    assert_whole(job)


def test_a_job_that_the_queue_lost_is_found_by_a_worker(
    start: Callable[..., Any], node: Any, tmp_path: Path
) -> None:
    # Made without the queue: no message tells a worker of it.
    job = start()
    with Worker(tmp_path, nodes=[node(CLAIMS).url]):
        until(lambda: ended(job), 30)
    assert_whole(job)


def draft(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    """`manage.py draft` on the test's services, or on others that `environment` names.

    Ctrl-C reaches it also where the tests run in the background, with the signal ignored.
    """
    return subprocess.Popen(
        [sys.executable, "manage.py", "draft", *arguments],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def test_the_command_drafts_through_the_same_job_and_ends_with_one_line_of_json(
    matter: Any, rules_in_force: None, valkey: Any, node: Any, tmp_path: Path
) -> None:
    with Worker(tmp_path, nodes=[node(CLAIMS).url]):
        command = draft(
            *("--matter", str(matter.pk), "--claims", "3", "--pack", "cn-claims"),
            *("--categories", "product", "--json"),
        )
        out, err = command.communicate(timeout=60)
    assert command.returncode == 0, err
    result = json.loads(out.strip().splitlines()[-1])
    assert result["claims"] == [
        {"number": number, "text": text} for number, text in enumerate(CLAIMS, start=1)
    ]
    assert result["tokens"]["delivered"] == sum(map(len, CLAIMS))
    assert [finding["rule"] for finding in result["findings"]] == []
    assert [line for line in err.splitlines() if line[:2] in ("1.", "2.", "3.")] == [
        f"{number}.{text}" for number, text in enumerate(CLAIMS, start=1)
    ]


def test_ctrl_c_stops_the_job_and_the_model(
    matter: Any, rules_in_force: None, valkey: Any, node: Any, tmp_path: Path
) -> None:
    slow = node([CLAIMS[0], LONG], pauses={LONG: 0.3})
    with Worker(tmp_path, nodes=[slow.url]):
        command = draft("--matter", str(matter.pk), "--categories", "product", "--json")
        until(lambda: len(slow.requests) == 2, 60)
        command.send_signal(signal.SIGINT)
        out, _ = command.communicate(timeout=30)
        assert slow.closed_by_reader.wait(5.0)
    assert command.returncode == 130
    assert json.loads(out.strip().splitlines()[-1])["status"] == "stopped"


def test_the_command_makes_a_matter_of_a_disclosure_file(
    agent: Any, rules_in_force: None, valkey: Any, node: Any, tmp_path: Path
) -> None:
    file = tmp_path / "交底书.txt"
    file.write_text("一种多层膜\n技术方案\n一种多层膜，包括基材层和涂层。\n", encoding="utf-8")
    with Worker(tmp_path, nodes=[node(CLAIMS).url]):
        command = draft("--disclosure", str(file), "--claims", "3")
        out, err = command.communicate(timeout=60)
    assert command.returncode == 0, err
    assert out.splitlines()[-3:] == [f"{n}.{text}" for n, text in enumerate(CLAIMS, start=1)]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--matter", "no-such-thing"], 2, "There is no matter"),
        (["--disclosure", "/nowhere.txt"], 2, "cannot be read"),
        (["--matter", "00000000-0000-0000-0000-000000000000", "--claims", "31"], 2, "1 to 30"),
    ],
)
def test_wrong_use_is_one_clear_sentence(
    arguments: list[str], code: int, words: str, agent: Any
) -> None:
    command = draft(*arguments)
    _, err = command.communicate(timeout=60)
    assert command.returncode == code
    assert words in err
    assert "Traceback" not in err
