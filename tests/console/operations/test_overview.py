"""The operators' page: who may read it, and what it says when something is away."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from django.test import Client
from django.urls import reverse

from console.drafting.models import DraftJob, JobStatus
from console.matters.models import Document, DocumentKind, Matter
from console.operations import registry, selectors
from inference.cluster.nodes import NodeRecord
from inference.cluster.registry import PREFIX
from inference.etcd import Etcd
from inference.published import Acknowledgement, acks_prefix
from rules.store.client import store
from rules.store.records import digest_of
from tests.support.services import ServerProcess

pytestmark = pytest.mark.services
PAGE = reverse("operations:overview")


@pytest.fixture(autouse=True)
def fresh_registry() -> Iterator[None]:
    yield
    if registry.registry.cache_info().currsize:
        registry.registry().close()
        registry.registry.cache_clear()


@pytest.fixture
def job(agent: Any, team: Any) -> DraftJob:
    matter = Matter.objects.create(team=team, title="机密的发明", created_by=agent)
    document = Document.objects.create(matter=matter, kind=DocumentKind.CLAIMS)
    return DraftJob.objects.create(
        document=document,
        user=agent,
        request_id=uuid.uuid4().hex,
        params={"count": 8},
        pack_slug="cn-claims",
        pack_version=1,
        pack_digest="x",
        status=JobStatus.RUNNING,
        progress={"done": 3, "total": 8},
    )


@pytest.mark.parametrize("who", ["agent", "outsider", "rule_author"])
def test_others_are_refused(who: str, request: pytest.FixtureRequest) -> None:
    client: Client = request.getfixturevalue(f"{who}_client")
    assert client.get(PAGE).status_code == 403


def test_a_stranger_is_asked_to_sign_in(client: Client, db: None) -> None:
    assert client.get(PAGE).status_code == 302


def test_an_operator_sees_nodes_jobs_rules_and_connections(
    operator_client: Client, job: DraftJob, etcd: Etcd, valkey: redis.Redis
) -> None:
    record = NodeRecord(id="local", address="http://127.0.0.1:8100", model="m", state="ready")
    etcd.put(f"{PREFIX}local", record.to_json())
    etcd.put(f"{PREFIX}other", NodeRecord("other", "http://127.0.0.1:8101", "m").to_json())
    store().publish({"slug": "cn-claims"}, author="wang", grammar="")
    digest = digest_of({"slug": "cn-claims"})
    refused = Acknowledgement("local", 1, digest, code="grammar_refused", reason="太大", kept=0)
    etcd.put(f"{acks_prefix('cn-claims')}local", refused.encoded())
    response = operator_client.get(PAGE)
    assert response.status_code == 200
    shown = response.context["overview"]
    assert {state.name: state.connected for state in shown.connections} == {
        "database": True,
        "valkey": True,
        "etcd": True,
    }
    assert [(node.id, node.state) for node in shown.nodes] == [
        ("local", "ready"),
        ("other", "starting"),
    ]
    assert shown.nodes_current
    assert [(each.id, each.done, each.total) for each in shown.jobs] == [(str(job.pk), 3, 8)]
    (rules,) = shown.rules
    assert (rules.slug, rules.version, rules.state) == ("cn-claims", 1, "live")
    assert (rules.taken_up, rules.refused, rules.missing) == ((), (refused,), ("other",))
    assert "太大" in response.content.decode()


def test_no_client_text_reaches_operators(
    operator_client: Client, job: DraftJob, etcd: Etcd, valkey: redis.Redis
) -> None:
    page = operator_client.get(PAGE).content.decode()
    assert str(job.pk)[:8] in page
    assert "机密的发明" not in page


def test_the_page_answers_and_says_what_is_away(
    operator_client: Client,
    etcd: Etcd,
    etcd_server: ServerProcess,
    valkey_server: ServerProcess,
) -> None:
    store().publish({"slug": "cn-claims"}, author="wang", grammar="")
    store().active("cn-claims")
    etcd_server.kill()
    valkey_server.kill()
    try:
        response = operator_client.get(PAGE)
    finally:
        etcd_server.start()
        valkey_server.start()
    assert response.status_code == 200
    shown = response.context["overview"]
    away = {state.name: state.reason for state in shown.connections if not state.connected}
    assert set(away) == {"etcd", "valkey"}
    assert all(away.values())
    assert not shown.nodes_current
    assert [(rules.version, rules.state) for rules in shown.rules] == [(1, "stale")]
    assert shown.rules[0].since is not None


def test_a_pile_of_jobs_does_not_make_the_page_heavy(
    job: DraftJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "LONGEST_JOB_LIST", 1)
    other = Document.objects.create(matter=job.document.matter, kind=DocumentKind.ABSTRACT)
    DraftJob.objects.create(
        document=other,
        user=job.user,
        request_id="second",
        params={"count": 1},
        pack_slug="cn-claims",
        pack_version=1,
        pack_digest="x",
    )
    assert [each.id for each in selectors.running_jobs()] == [str(job.pk)]
