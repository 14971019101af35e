"""The regression over stored texts: what changes is counted; clients' texts are not shown."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from rules import regression
from rules.bench.process import Bench
from rules.models import PackVersion, Regression
from rules.regression import StoredText, run, stored_texts
from rules.tasks import carry_out
from tests.rules.editor.conftest import ACCEPTED, SUBJECT, banning, document, post
from tests.support.waiting import until
from tests.support.worker import Worker

PACK = "/rules/packs/cn-small/"
TEXTS = [
    StoredText("CN1A", 1, ACCEPTED, SUBJECT, public=True),
    StoredText("CN2A", 1, ACCEPTED.replace("翅片", "风扇"), SUBJECT, public=True),
    StoredText("document:7", 1, ACCEPTED.replace("底座", "壳体"), SUBJECT, public=False),
]


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    made = Bench(processes=1, seconds=60)
    yield made
    made.close()


@pytest.fixture
def few_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regression, "stored_texts", lambda _document: iter(TEXTS))


@pytest.fixture
def made(draft: PackVersion, rule_author: Any) -> Regression:
    draft.document = banning("翅片")
    draft.save()
    return Regression.objects.create(version=draft, revision=1, started_by=rule_author)


def test_texts_with_another_verdict_are_listed_with_their_place(
    made: Regression, bench: Bench, few_texts: None
) -> None:
    run(made, document(), bench)
    made.refresh_from_db()
    assert (made.status, made.done, made.total) == ("done", 3, 3)
    assert (made.refused_count, made.accepted_count) == (2, 0)
    public, confidential = made.refused
    assert public["text"] == ACCEPTED
    assert ACCEPTED[public["position"]] in "翅片"
    assert (confidential["source"], confidential["text"]) == ("document:7", "")


def test_the_reverse_is_listed_too(made: Regression, bench: Bench, few_texts: None) -> None:
    run(made, banning("底座"), bench)
    assert (made.accepted_count, made.refused_count) == (1, 1)


def test_a_wish_to_stop_is_seen_after_a_batch(
    made: Regression, bench: Bench, few_texts: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regression, "EXAMPLES_AT_ONCE", 1)
    Regression.objects.filter(pk=made.pk).update(stop_wanted=True)
    run(made, document(), bench)
    made.refresh_from_db()
    assert (made.status, made.done, made.total) == ("stopped", 1, 3)


def test_a_draft_that_does_not_compile_ends_the_regression(
    made: Regression, few_texts: None
) -> None:
    made.version.document = document(grammar="independent: (")
    made.version.save()
    carry_out(str(made.pk))
    made.refresh_from_db()
    assert made.status == "failed"


def test_the_stored_texts_hold_public_sets_and_the_agencys_claims(agent: Any, team: Any) -> None:
    from console.matters import selectors, services

    matter = services.create_matter(user=agent, team_id=team.pk, title="一种散热装置")
    claims = selectors.claims_document(matter.pk)
    begun = services.begin_claim(document_id=claims.pk, after_id=None, job_id="j")
    services.fill_claim(
        document_id=claims.pk,
        claim_id=begun.claim_id,
        text=ACCEPTED,
        numbering=begun.numbering,
        job_id="j",
    )
    texts = list(stored_texts(document()))
    own = [text for text in texts if text.source == f"document:{claims.pk}"]
    assert [(text.text, text.public, text.state["subject"]) for text in own] == [
        (ACCEPTED, False, "散热装置")
    ]
    assert sum(text.public for text in texts) > 1000
    assert list(stored_texts(document(kind="abstract"))) == []


@pytest.mark.services
def test_it_is_queued_shown_and_stopped_from_the_page(
    rule_author_client: Client, draft: PackVersion, valkey: Any
) -> None:
    path = f"{PACK}{draft.pk}/regression/"
    assert rule_author_client.get(path).json() == {"regression": None}
    assert post(rule_author_client, path).json()["regression"]["status"] == "waiting"
    assert valkey.llen("rules") == 1
    assert post(rule_author_client, path).json()["regression"]["status"] == "waiting"
    assert valkey.llen("rules") == 1
    stopped = post(rule_author_client, f"{path}stop/").json()["regression"]
    assert stopped["status"] == "stopped"


@pytest.mark.services
def test_a_worker_carries_it_out_with_progress_and_stops_when_asked(
    transactional_db: None, rule_author_client: Client, draft: PackVersion, valkey: Any,
    tmp_path: Path,
) -> None:  # fmt: skip
    path = f"{PACK}{draft.pk}/regression/"
    with Worker(tmp_path, nodes=[]):
        post(rule_author_client, path)

        def seen() -> Any:
            return rule_author_client.get(path).json()["regression"]

        until(lambda: seen()["done"] > 0, 120)
        assert (seen()["status"], seen()["total"] > 1000) == ("running", True)
        post(rule_author_client, f"{path}stop/")
        until(lambda: seen()["status"] == "stopped", 120)
        assert seen()["done"] < seen()["total"]
