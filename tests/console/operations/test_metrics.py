"""/metrics: who may read it, and what it says of the rules."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from inference.cluster.nodes import NodeRecord
from inference.cluster.registry import PREFIX
from inference.etcd import Etcd
from inference.published import Acknowledgement, acks_prefix
from rules.store.client import store
from tests.support.services import ServerProcess

pytestmark = [pytest.mark.services, pytest.mark.django_db]
PAGE = reverse("metrics")
PACK = {"slug": "cn-claims"}
TOKEN = "nineteen-geese"


@pytest.mark.parametrize("who", ["agent", "outsider", "rule_author"])
def test_others_are_refused(who: str, request: pytest.FixtureRequest) -> None:
    client: Client = request.getfixturevalue(f"{who}_client")
    assert client.get(PAGE).status_code == 403


@pytest.mark.parametrize("header", ["", "Bearer ", "Bearer wrong", TOKEN + "x"])
def test_a_stranger_needs_the_token(header: str, client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN
    assert client.get(PAGE, headers={"authorization": header}).status_code == 403


def test_without_a_token_in_the_settings_an_empty_one_opens_nothing(client: Client) -> None:
    assert client.get(PAGE, headers={"authorization": "Bearer "}).status_code == 403


def values(client: Client) -> dict[str, float]:
    lines = client.get(PAGE, headers={"authorization": f"Bearer {TOKEN}"}).content.decode()
    pairs = (line.rsplit(" ", 1) for line in lines.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


def test_rules_in_force_and_the_nodes_words(client: Client, settings: Any, etcd: Etcd) -> None:
    settings.METRICS_TOKEN = TOKEN
    digest = store().publish(PACK, author="wang", grammar="").digest
    for word in (
        Acknowledgement("n1", 1, digest, compile_ms=12.5),
        Acknowledgement("n2", 1, digest, code="grammar_refused", reason="太大"),
    ):
        etcd.put(PREFIX + word.id, NodeRecord(word.id, "http://n", "m").to_json())
        etcd.put(acks_prefix("cn-claims") + word.id, word.encoded())
    etcd.put(PREFIX + "n3", NodeRecord("n3", "http://n", "m").to_json())
    assert values(client) == {
        'claimwright_rules_state{pack="cn-claims",state="live"}': 1,
        'claimwright_rules_state{pack="cn-claims",state="stale"}': 0,
        'claimwright_rules_version{pack="cn-claims"}': 1,
        'claimwright_rules_nodes{pack="cn-claims",word="taken_up"}': 1,
        'claimwright_rules_nodes{pack="cn-claims",word="refused"}': 1,
        'claimwright_rules_nodes{pack="cn-claims",word="missing"}': 1,
        'claimwright_rules_compile_seconds{node="n1",pack="cn-claims"}': 0.0125,
    }


def test_rules_that_are_stale(
    operator_client: Client, settings: Any, etcd: Etcd, etcd_server: ServerProcess
) -> None:
    settings.METRICS_TOKEN = TOKEN
    store().publish(PACK, author="wang", grammar="")
    store().active("cn-claims")
    etcd_server.kill()
    try:
        found = values(operator_client)
    finally:
        etcd_server.start()
    assert found['claimwright_rules_state{pack="cn-claims",state="stale"}'] == 1
    assert found['claimwright_rules_version{pack="cn-claims"}'] == 1
    assert found['claimwright_rules_stale_since_seconds{pack="cn-claims"}'] > 1e9
    assert not any(name.startswith("claimwright_rules_nodes") for name in found)


def test_operators_need_no_token(operator_client: Client, etcd: Etcd) -> None:
    assert operator_client.get(PAGE).status_code == 200
