"""manage.py draft with files as they come, and where something it needs is missing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from console.drafting.models import DraftJob, JobStatus
from console.matters.linting import FindingView
from console.matters.models import Matter
from tests.console.drafting.jobs import CLAIMS
from tests.console.drafting.test_workers import draft
from tests.console.matters.importing.samples import docx, p
from tests.support.ports import free_ports
from tests.support.worker import Worker

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

OWN = "一种多层膜，其特征在于，包括基材层和涂层，所述涂层优选设于所述基材层的表面。"


@pytest.fixture
def disclosure(tmp_path: Path) -> Path:
    file = tmp_path / "交底书.txt"
    file.write_text(
        "技术交底书\n一、发明名称\n一种多层膜\n二、技术方案\n一种多层膜，包括基材层和涂层。\n",
        encoding="gbk",
    )
    return file


def refusal(command: Any) -> tuple[int, str]:
    """Exit code and the one line that is said."""
    out, err = command.communicate(timeout=90)
    assert out == ""
    assert len(err.splitlines()) == 1, err
    return command.returncode, err.strip()


def test_an_own_first_claim_in_gbk_is_taken_and_its_faults_are_among_the_findings(
    agent: Any,
    rules_in_force: None,
    valkey: Any,
    node: Callable[..., Any],
    disclosure: Path,
    tmp_path: Path,
) -> None:
    own = tmp_path / "权利要求1.txt"
    own.write_text(f"1. {OWN}\r\n", encoding="gbk")
    with Worker(tmp_path, nodes=[node(CLAIMS[1:2]).url]):
        command = draft(
            *("--disclosure", str(disclosure), "--first-claim", str(own), "--claims", "2"),
            *("--categories", "product", "--json"),
        )
        out, err = command.communicate(timeout=90)
    assert command.returncode == 0, err
    result = json.loads(out.splitlines()[-1])
    assert Matter.objects.get().title == "一种多层膜"
    assert [claim["text"] for claim in result["claims"]] == [OWN, CLAIMS[1]]
    finding = next(one for one in result["findings"] if one["rule"].startswith("W"))
    assert set(finding) == set(FindingView.__annotations__)
    assert (finding["claim"], finding["severity"]) == (1, "warning")
    assert OWN[finding["start"] : finding["end"]] == "优选"
    assert finding["claim_id"]
    assert finding["article"]
    assert finding["message"]
    assert finding["message_en"]


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("bytes.txt", bytes(range(256)) * 8, "不是文字"),
        ("empty.txt", b"", "没有文字"),
        ("broken.docx", docx(p(OWN))[:100], "损坏"),
        ("two.txt", f"1. {OWN}\n2. {CLAIMS[1]}\n".encode(), "should hold your claim 1 only"),
        ("long.txt", ("一种" + "膜" * 10_000).encode(), "first_claim"),
    ],
    ids=["bytes", "empty", "broken", "two", "long"],
)
def test_a_first_claim_that_cannot_be_taken_is_one_sentence(
    name: str, data: bytes, words: str, agent: Any, disclosure: Path, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_bytes(data)
    code, said = refusal(draft("--disclosure", str(disclosure), "--first-claim", str(file)))
    assert code == 2
    assert words in said


@pytest.mark.parametrize(
    "address", ["sqlite:////nowhere/at/all.sqlite3", "sqlite:///{folder}/new.sqlite3", "{closed}"]
)
def test_without_a_database_it_says_so(
    address: str,
    agent: Any,
    rules_in_force: None,
    valkey: Any,
    disclosure: Path,
    tmp_path: Path,
) -> None:
    closed = f"postgresql://somebody@127.0.0.1:{free_ports(1)[0]}/nothing"
    url = address.format(folder=tmp_path, closed=closed)
    code, said = refusal(draft("--disclosure", str(disclosure), DATABASE_URL=url))
    assert (code, said.startswith("The database cannot be used")) == (3, True)


def test_without_valkey_it_says_so_and_leaves_no_matter_behind(
    agent: Any, rules_in_force: None, disclosure: Path
) -> None:
    away = f"redis://127.0.0.1:{free_ports(1)[0]}/0"
    code, said = refusal(draft("--disclosure", str(disclosure), CLAIMWRIGHT_REDIS_URL=away))
    assert (code, said.startswith("Valkey cannot be reached")) == (3, True)
    assert not Matter.objects.exists()


def test_without_etcd_it_says_so_and_leaves_no_matter_behind(
    agent: Any, valkey: Any, disclosure: Path, tmp_path: Path
) -> None:
    away = {"CLAIMWRIGHT_ETCD": f"127.0.0.1:{free_ports(1)[0]}", "CLAIMWRIGHT_DATA": str(tmp_path)}
    code, said = refusal(draft("--disclosure", str(disclosure), **away))
    assert (code, said.startswith("rules_unavailable: ")) == (3, True)
    assert not Matter.objects.exists()


def test_without_a_worker_the_job_is_stopped_after_a_while(
    agent: Any, rules_in_force: None, valkey: Any, disclosure: Path
) -> None:
    command = draft("--disclosure", str(disclosure), "--wait", "2", "--json")
    out, err = command.communicate(timeout=90)
    assert command.returncode == 3
    assert err.strip() == (
        "No worker has taken the job for 2 s, so it was stopped. Is a worker running (make run)?"
    )
    assert json.loads(out.splitlines()[-1])["status"] == "stopped"
    assert DraftJob.objects.get().status == JobStatus.STOPPED


def test_an_unknown_pack_is_wrong_use(
    agent: Any, rules_in_force: None, valkey: Any, disclosure: Path
) -> None:
    code, said = refusal(draft("--disclosure", str(disclosure), "--pack", "no-such-pack"))
    assert (code, said.startswith("pack_unknown: ")) == (2, True)
    assert not Matter.objects.exists()


def test_wrong_use_is_told_even_where_nothing_runs(
    agent: Any, disclosure: Path, tmp_path: Path
) -> None:
    away = f"redis://127.0.0.1:{free_ports(1)[0]}/0"
    own = tmp_path / "own.txt"
    own.write_text(OWN, encoding="utf-8")
    for arguments, words in (
        (("--matter", "no-such-thing"), "There is no matter no-such-thing."),
        (
            ("--disclosure", str(disclosure), "--first-claim", str(own), "--claims", "1"),
            "must be 2 or more",
        ),
    ):
        code, said = refusal(draft(*arguments, CLAIMWRIGHT_REDIS_URL=away))
        assert (code, words in said) == (2, True)


def test_a_disclosure_without_a_title_asks_for_one(
    agent: Any, rules_in_force: None, valkey: Any, tmp_path: Path
) -> None:
    file = tmp_path / "交底书.txt"
    file.write_text("技术交底书\n技术领域\n本发明涉及膜。\n", encoding="utf-8")
    code, said = refusal(draft("--disclosure", str(file)))
    assert (code, "--title" in said) == (2, True)
    assert not Matter.objects.exists()
