"""The registry against a real etcd, its crash and its restart."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from inference.cluster.nodes import NodeRecord
from inference.cluster.registry import (
    LEASE_SECONDS,
    PREFIX,
    EtcdNodes,
    Registration,
    StaticNodes,
    find_nodes,
)
from inference.etcd import Etcd, EtcdError, EtcdSettings
from tests.support.services import ServerProcess
from tests.support.waiting import until

NODE = NodeRecord(id="n1", address="http://127.0.0.1:8100", model="gemma3-270m-cn")


def etcd_settings() -> EtcdSettings:
    return EtcdSettings(endpoints=tuple(settings.ETCD_ENDPOINTS))


@pytest.fixture
def nodes(etcd: Etcd) -> Iterator[EtcdNodes]:
    found = EtcdNodes(etcd_settings())
    assert found.wait_listed(5.0)
    yield found
    found.close()


@pytest.fixture
def registration(etcd: Etcd) -> Iterator[Registration]:
    kept = Registration(etcd_settings(), NODE)
    kept.start()
    yield kept
    kept.close()


@pytest.mark.services
def test_a_node_appears_changes_and_goes(nodes: EtcdNodes, etcd: Etcd) -> None:
    registration = Registration(etcd_settings(), NODE)
    registration.start()
    until(lambda: nodes.nodes() == (NODE,))
    registration.update(state="ready", load={"running": 2.0})
    until(lambda: [(n.state, n.load) for n in nodes.nodes()] == [("ready", {"running": 2.0})])
    registration.close()
    until(lambda: nodes.nodes() == ())


@pytest.mark.services
def test_a_node_that_is_killed_goes_when_its_lease_runs_out(nodes: EtcdNodes, etcd: Etcd) -> None:
    lease = etcd.grant_lease(LEASE_SECONDS)
    etcd.put(PREFIX + NODE.id, NODE.to_json(), lease=lease)
    until(lambda: nodes.nodes() == (NODE,))
    until(lambda: nodes.nodes() == ())


@pytest.mark.services
def test_the_last_known_nodes_stay_through_an_outage(
    nodes: EtcdNodes, registration: Registration, etcd_server: ServerProcess
) -> None:
    until(lambda: nodes.nodes() == (NODE,))
    etcd_server.kill()
    try:
        until(lambda: not nodes.connected)
        assert nodes.nodes() == (NODE,)
        registration.update(state="ready")
    finally:
        etcd_server.start()
    until(lambda: nodes.connected and [n.state for n in nodes.nodes()] == ["ready"])


@pytest.mark.services
def test_a_node_whose_lease_ran_out_registers_again(
    nodes: EtcdNodes, registration: Registration, etcd: Etcd
) -> None:
    until(lambda: nodes.nodes() == (NODE,))
    entry = etcd.get(PREFIX + NODE.id)
    assert entry is not None
    etcd.revoke_lease(entry.lease)
    until(lambda: etcd.get(PREFIX + NODE.id) not in (None, entry))
    until(lambda: nodes.nodes() == (NODE,))


@pytest.mark.services
def test_what_is_missed_during_a_compaction_is_found_again(
    nodes: EtcdNodes, etcd: Etcd, etcd_server: ServerProcess
) -> None:
    etcd.put(PREFIX + NODE.id, NODE.to_json())
    until(lambda: nodes.nodes() == (NODE,))
    etcd_server.kill()
    etcd_server.start()
    until(lambda: _put_again(etcd, NodeRecord(id="n2", address="http://b", model="m")))
    etcd._call(lambda client: client.compact(etcd.list(PREFIX).revision), attempts=1)
    until(lambda: {n.id for n in nodes.nodes()} == {"n1", "n2"})


@pytest.mark.services
def test_a_value_that_is_no_node_is_passed_over(nodes: EtcdNodes, etcd: Etcd) -> None:
    etcd.put(PREFIX + "junk", b"{")
    etcd.put(PREFIX + "list", b"[]")
    etcd.put(PREFIX + NODE.id, NODE.to_json())
    until(lambda: nodes.nodes() == (NODE,))


def test_listed_addresses_take_the_place_of_the_registry() -> None:
    nodes = find_nodes(["http://a:8100/", "http://b:8100"], EtcdSettings())
    assert isinstance(nodes, StaticNodes)
    assert [(n.address, n.state) for n in nodes.nodes()] == [
        ("http://a:8100", "ready"),
        ("http://b:8100", "ready"),
    ]
    assert nodes.connected
    nodes.close()


@given(
    st.builds(
        NodeRecord,
        id=st.text(),
        address=st.text(),
        model=st.text(),
        weight=st.integers(0, 100),
        load=st.dictionaries(st.text(), st.floats(allow_nan=False)),
    )
)
def test_a_record_survives_its_json(record: NodeRecord) -> None:
    assert NodeRecord.from_json(record.id, record.to_json()) == record


def test_a_reader_understands_a_newer_node() -> None:
    data = NODE.to_json().replace(b"{", b'{"invented_later": 1, ', 1)
    assert NodeRecord.from_json(NODE.id, data) == NODE


def _put_again(etcd: Etcd, record: NodeRecord) -> bool:
    try:
        etcd.put(PREFIX + record.id, record.to_json())
    except EtcdError:
        return False
    return True
