"""A node's word on each version of the rules, with the serving engine and a real etcd."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings

from inference.cluster.nodes import NodeRecord
from inference.cluster.registry import Registration
from inference.etcd import Entry, Etcd, EtcdSettings
from inference.node.acknowledging import Acknowledger, due, in_force, tried
from inference.node.engine import EngineRefusal, GrammarEngine
from inference.node.plugin import LARGEST_GRAMMAR
from inference.published import (
    PACKS,
    Acknowledgement,
    Active,
    acks_prefix,
    active_key,
    is_active_key,
    slug_of,
    version_key,
)
from rules.store.packs import PackStore
from rules.store.records import StoredPack, StoreError
from tests.inference.toy_tokenizers import byte_level
from tests.rules.store.test_packs import document
from tests.support.services import ServerProcess
from tests.support.waiting import until

GOOD = 'start: "一种" /[^。]+。/\n'
BAD = "start: missing\n"
OLD = Acknowledgement("n", 1, "a", compile_ms=3.0)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> GrammarEngine:
    file = tmp_path_factory.mktemp("toy") / "tokenizer.json"
    byte_level().save(str(file))
    return GrammarEngine(file)


def stored(grammar: str, *, version: int = 2, digest: str = "b") -> bytes:
    return StoredPack("cn-claims", version, digest, {}, grammar=grammar).encoded()


def test_keys_are_told_apart() -> None:
    assert is_active_key(active_key("cn-claims"))
    assert not is_active_key(version_key("cn-claims", 3))
    assert not is_active_key("/elsewhere/cn-claims/active")
    assert slug_of(version_key("cn-claims", 3)) == "cn-claims"


def test_an_entry_that_cannot_be_read_stops_no_other_pack() -> None:
    entries = {
        active_key("a"): Entry(active_key("a"), b"{", 1),
        active_key("b"): Entry(active_key("b"), b"[]", 1),
        active_key("c"): Entry(active_key("c"), Active(4, "d").encoded(), 1),
    }
    assert in_force(entries) == {"c": Active(4, "d")}


def test_due_is_what_the_last_word_is_not_about() -> None:
    said = {"same": OLD, "newer": OLD, "other-document": OLD}
    active = {
        "same": Active(1, "a"),
        "newer": Active(2, "b"),
        "other-document": Active(1, "b"),
        "first": Active(1, "a"),
    }
    assert set(due(active, said)) == {"newer", "other-document", "first"}


def test_a_word_survives_its_encoding_and_fields_of_newer_nodes() -> None:
    word = Acknowledgement("n", 2, "b", 1.5, "2026-01-01", "grammar_refused", "太大", kept=1)
    assert Acknowledgement.decoded("n", word.encoded()) == word
    newer = word.encoded()[:-1] + b', "later": 1}'
    assert Acknowledgement.decoded("n", newer) == word


def test_what_the_engine_builds_is_taken_up_with_its_time(engine: GrammarEngine) -> None:
    word = tried("n", Active(2, "b"), stored(GOOD), engine, OLD)
    assert (word.version, word.digest, word.taken_up, word.kept) == (2, "b", True, 0)
    assert word.compile_ms > 0


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (stored(BAD), "grammar_refused"),
        (stored(GOOD + "# " + "x" * LARGEST_GRAMMAR), "grammar_too_large"),
        (stored(GOOD, digest="c"), "version_missing"),
        (None, "version_missing"),
        (b"{", "version_unreadable"),
        (b"{}", "version_unreadable"),
    ],
)
def test_what_it_cannot_build_is_refused_and_the_old_version_kept(
    engine: GrammarEngine, record: bytes | None, code: str
) -> None:
    word = tried("n", Active(2, "b"), record, engine, OLD)
    assert (word.code, word.version, word.kept) == (code, 2, 1)
    assert word.reason
    again = tried("n", Active(3, "b"), record, engine, word)
    assert again.kept == 1


Node = Callable[..., Acknowledger]


@pytest.fixture
def node(etcd: Etcd) -> Iterator[Node]:
    """Starts a node's registration and acknowledger, without a model."""
    where = EtcdSettings(endpoints=tuple(settings.ETCD_ENDPOINTS))
    running: list[tuple[Registration, Acknowledger]] = []

    def begin(name: str, engine: object) -> Acknowledger:
        registration = Registration(where, NodeRecord(name, f"http://{name}", "m"))
        acknowledger = Acknowledger(where, registration, name, lambda: engine)  # type: ignore[arg-type,return-value]
        registration.start()
        acknowledger.start()
        running.append((registration, acknowledger))
        return acknowledger

    yield begin
    for registration, acknowledger in running:
        acknowledger.close()
        registration.close()


@pytest.fixture
def store(etcd: Etcd, tmp_path: Path) -> Iterator[PackStore]:
    opened = PackStore(EtcdSettings(endpoints=tuple(settings.ETCD_ENDPOINTS)), tmp_path / "cache")
    yield opened
    opened.close()


@pytest.mark.services
def test_every_node_acknowledges_what_is_published(
    node: Node, engine: GrammarEngine, store: PackStore, etcd: Etcd
) -> None:
    node("n1", engine)
    store.publish(document(), author="wang")
    node("n2", engine)  # finds a version in force when it starts
    until(lambda: len(store.acknowledgements("cn-claims").nodes) == 2)
    second = store.publish(document("新"), author="wang")
    found = store.wait_for_acknowledgements("cn-claims", second.version, 15)
    assert found.complete
    assert [(word.id, word.version, word.digest) for word in found.nodes] == [
        ("n1", 2, second.digest),
        ("n2", 2, second.digest),
    ]
    back = store.rollback("cn-claims", 1, over=2)
    found = store.wait_for_acknowledgements("cn-claims", 1, 15)
    assert [word.digest for word in found.nodes] == [back.digest] * 2


class Narrow:
    """An engine whose model cannot carry one of the grammars."""

    def __init__(self, engine: GrammarEngine, refused: str) -> None:
        self._engine = engine
        self._refused = refused

    def build(self, grammar: str) -> None:
        if grammar == self._refused:
            raise EngineRefusal("grammar_refused", "Too much for this model.")
        self._engine.build(grammar)


@pytest.mark.services
def test_a_node_that_cannot_says_so_and_stops_no_other(
    node: Node, engine: GrammarEngine, store: PackStore
) -> None:
    node("able", engine)
    node("narrow", Narrow(engine, GOOD))
    store.publish(document(), author="wang")
    until(lambda: len(store.acknowledgements("cn-claims").nodes) == 2)
    store.publish(document("新"), author="wang", grammar=GOOD)
    found = store.wait_for_acknowledgements("cn-claims", 2, 15)
    assert not found.missing
    able, narrow = found.nodes
    assert (able.taken_up, narrow.taken_up) == (True, False)
    assert (narrow.code, narrow.kept, narrow.reason) == (
        "grammar_refused",
        1,
        "Too much for this model.",
    )


@pytest.mark.services
def test_a_word_goes_with_its_node(
    node: Node, engine: GrammarEngine, store: PackStore, etcd: Etcd
) -> None:
    where = EtcdSettings(endpoints=tuple(settings.ETCD_ENDPOINTS))
    store.publish(document(), author="wang")
    registration = Registration(where, NodeRecord("n1", "http://n1", "m"))
    acknowledger = Acknowledger(where, registration, "n1", lambda: engine)
    registration.start()
    acknowledger.start()
    until(lambda: etcd.list(acks_prefix("cn-claims")).entries)
    acknowledger.close()
    registration.close()
    assert etcd.list(acks_prefix("cn-claims")).entries == ()


@pytest.mark.services
def test_nothing_is_lost_over_a_crash_of_etcd_and_a_compaction(
    node: Node, engine: GrammarEngine, store: PackStore, etcd: Etcd, etcd_server: ServerProcess
) -> None:
    node("n1", engine)
    store.publish(document(), author="wang")
    until(lambda: store.wait_for_acknowledgements("cn-claims", 1, 1).complete)
    etcd_server.kill()
    etcd_server.start()
    until(lambda: published(store, "重启之后"))
    version = store.active("cn-claims").version
    until(lambda: store.wait_for_acknowledgements("cn-claims", version, 1).complete, 30)
    revision = etcd.list(PACKS, keys_only=True).revision
    etcd._call(lambda client: client.compact(revision), attempts=1)
    store.publish(document("压缩之后"), author="wang")
    until(lambda: store.wait_for_acknowledgements("cn-claims", version + 1, 1).complete, 30)


def published(store: PackStore, title: str) -> bool:
    """False while etcd is away."""
    try:
        return store.publish(document(title), author="wang").version > 0
    except StoreError:
        return False
