"""The regression over stored texts: what changes is counted; clients' texts are not shown."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db.models.signals import post_save
from django.test import Client

from rules import comparison, regression
from rules.bench.process import Bench
from rules.compiler import ClaimState
from rules.models import PackVersion, Regression
from rules.regression import StoredText, run, stored_texts
from rules.tasks import carry_out
from tests.rules.editor.conftest import ACCEPTED, banning, document, post
from tests.support.waiting import until
from tests.support.worker import Worker

PACK = "/rules/packs/cn-small/"
STATE = ClaimState(1, "independent", "散热装置")
TEXTS = [
    StoredText("CN1A", 1, ACCEPTED, STATE, public=True),
    StoredText("CN2A", 1, ACCEPTED.replace("翅片", "风扇"), STATE, public=True),
    StoredText("document:7", 1, ACCEPTED.replace("底座", "壳体"), STATE, public=False),
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
    monkeypatch.setattr(comparison, "AT_ONCE", 1)
    Regression.objects.filter(pk=made.pk).update(stop_wanted=True)
    run(made, document(), bench)
    made.refresh_from_db()
    assert (made.status, made.done, made.total) == ("stopped", 1, 3)


def test_how_far_it_has_come_can_be_read_meanwhile(
    made: Regression, bench: Bench, few_texts: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison, "AT_ONCE", 1)
    seen: list[tuple[str, int]] = []

    def read(sender: Any, **_rest: Any) -> None:
        now = sender.objects.get(pk=made.pk)
        seen.append((now.status, now.done))

    post_save.connect(read, sender=Regression)
    try:
        run(made, document(), bench)
    finally:
        post_save.disconnect(read, sender=Regression)
    assert seen == [("running", 0), ("running", 1), ("running", 2), ("running", 3), ("done", 3)]


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
    assert [(text.text, text.public, text.state.subject) for text in own] == [
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
def test_a_worker_carries_it_out_and_stops_when_asked(
    transactional_db: None, rule_author_client: Client, draft: PackVersion, valkey: Any,
    tmp_path: Path,
) -> None:  # fmt: skip
    path = f"{PACK}{draft.pk}/regression/"

    def seen() -> Any:
        return rule_author_client.get(path).json()["regression"]

    # The wish is there before the worker: it is seen after the first texts, however fast it is.
    post(rule_author_client, path)
    Regression.objects.update(stop_wanted=True)
    with Worker(tmp_path, nodes=[]):
        until(lambda: seen()["status"] == "stopped", 300)
        assert 0 < seen()["done"] < seen()["total"]
        post(rule_author_client, path)
        until(lambda: seen()["status"] == "done", 300)
        assert seen()["done"] == seen()["total"]
