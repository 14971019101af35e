"""The rule store against a real etcd: publishing, reading, and what remains when etcd is away."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from inference.etcd import Etcd, EtcdSettings
from inference.published import Active
from rules.store.client import active_pack, pack_version
from rules.store.packs import PackStore
from rules.store.records import StoredPack, StoreError, active_key, checked, digest_of
from tests.rules.compiler.grammars import pack
from tests.support.services import ServerProcess
from tests.support.waiting import until

pytestmark = pytest.mark.services


EXAMPLE = {
    "text": "一种支架，包括底座。",
    "state": {"number": 1, "kind": "independent", "subject": "支架"},
    "verdict": "accepted",
}


def document(title: str = "权利要求", **changes: Any) -> dict[str, Any]:
    small = pack() | {"slug": "cn-claims", "title": {"zh": title, "en": "Claims"}}
    return {**small, "examples": [EXAMPLE], **changes}


def store_at(cache: Path) -> PackStore:
    return PackStore(EtcdSettings(endpoints=tuple(settings.ETCD_ENDPOINTS)), cache)


@pytest.fixture
def store(etcd: Etcd, tmp_path: Path) -> Iterator[PackStore]:
    opened = store_at(tmp_path / "cache")
    yield opened
    opened.close()


def test_the_first_publication_is_version_1_and_in_force(store: PackStore) -> None:
    published = store.publish(document(), author="wang")
    assert (published.version, published.author) == (1, "wang")
    assert store.active("cn-claims") == published
    assert store.in_force() == {"cn-claims": Active(1, published.digest)}


def test_a_change_is_the_next_version_and_the_old_one_stays_readable(store: PackStore) -> None:
    first = store.publish(document(), author="wang")
    second = store.publish(document(title="新"), author="li")
    assert second.version == 2
    assert store.active("cn-claims") == second
    assert store.version("cn-claims", 1) == first


def test_publishing_what_is_in_force_changes_nothing(store: PackStore) -> None:
    first = store.publish(document(), author="wang")
    assert store.publish(document(), author="li") == first


def test_two_authors_at_once_cannot_both_publish(store: PackStore, etcd: Etcd) -> None:
    store.publish(document(), author="wang")
    swap = store._etcd.put_if

    def after_somebody_else(expected: Any, puts: Any) -> bool:
        etcd.put(active_key("cn-claims"), Active(9, "other").encoded())
        return swap(expected, puts)

    store._etcd.put_if = after_somebody_else  # type: ignore[method-assign]
    with pytest.raises(StoreError) as raised:
        store.publish(document(title="新"), author="li")
    assert raised.value.code == "publish_conflict"


def test_an_unknown_pack_and_an_unknown_version_are_named(store: PackStore) -> None:
    with pytest.raises(StoreError, match="no-such") as raised:
        store.active("no-such")
    assert raised.value.code == "pack_unknown"
    store.publish(document(), author="wang")
    with pytest.raises(StoreError, match="7") as raised:
        store.version("cn-claims", 7)
    assert raised.value.code == "pack_unknown"


def test_a_new_built_in_pack_replaces_the_old_built_in_pack(store: PackStore) -> None:
    store.publish_builtin(document())
    assert store.publish_builtin(document(title="新")).version == 2


def test_a_new_built_in_pack_leaves_an_authors_version_in_force(store: PackStore) -> None:
    store.publish_builtin(document())
    theirs = store.publish(document(title="本所规则"), author="wang")
    assert store.publish_builtin(document(title="新")) == theirs


def test_a_rolled_back_built_in_pack_does_not_come_back_at_the_next_start(
    store: PackStore, etcd: Etcd
) -> None:
    first = store.publish_builtin(document())
    store.publish_builtin(document(title="新"))
    etcd.put(active_key("cn-claims"), Active(1, first.digest).encoded())
    assert store.publish_builtin(document(title="新")) == first


def test_rules_outlive_an_etcd_outage_also_for_a_new_process(
    store: PackStore, tmp_path: Path, etcd_server: ServerProcess
) -> None:
    published = store.publish(document(), author="wang")
    assert store.active("cn-claims") == published
    assert store.state("cn-claims").kind == "live"
    etcd_server.kill()
    try:
        assert store.active("cn-claims") == published
        assert store.state("cn-claims").kind == "stale"
        assert store.state("cn-claims").since is not None
        newcomer = store_at(tmp_path / "cache")
        assert newcomer.active("cn-claims") == published
        newcomer.close()
        stranger = store_at(tmp_path / "empty")
        assert stranger.state("cn-claims").kind == "never"
        with pytest.raises(StoreError) as raised:
            stranger.active("cn-claims")
        assert raised.value.code == "rules_unavailable"
        stranger.close()
    finally:
        etcd_server.start()
    assert store.active("cn-claims") == published
    # The connection comes back by itself, after a moment.
    until(lambda: store.state("cn-claims").kind == "live")


def test_a_cache_of_an_emptied_store_is_not_believed(store: PackStore, etcd: Etcd) -> None:
    store.publish(document(), author="wang")
    store.active("cn-claims")
    for entry in etcd.list("/claimwright/").entries:
        etcd.delete(entry.key)
    other = store_at(store._cache.folder.parent / "elsewhere")
    anew = other.publish(document(title="重建"), author="li")
    other.close()
    assert store.active("cn-claims") == anew


def test_a_cut_off_cache_file_is_read_again_from_etcd(store: PackStore, tmp_path: Path) -> None:
    published = store.publish(document(), author="wang")
    store.active("cn-claims")
    (tmp_path / "cache" / "cn-claims" / "1.json").write_text('{"slug": "cn')
    newcomer = store_at(tmp_path / "cache")
    assert newcomer.active("cn-claims") == published
    newcomer.close()


def test_the_process_wide_client_reads_what_was_published(store: PackStore) -> None:
    published = store.publish(document(), author="wang")
    assert active_pack("cn-claims") == published
    assert pack_version("cn-claims", 1, published.digest) == published


@pytest.mark.parametrize("slug", ["", "../etc", "a/b", "A", "包", "x" * 61, "a\n"])
def test_a_slug_cannot_leave_its_place_in_keys_and_folders(slug: str) -> None:
    with pytest.raises(StoreError):
        checked(slug)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), json_values))
def test_a_pack_survives_its_encoding_with_the_same_digest(content: dict[str, Any]) -> None:
    pack = StoredPack("cn-claims", 1, digest_of(content), content, "wang", "2026-01-01T00:00:00")
    decoded = StoredPack.decoded(pack.encoded())
    assert decoded == pack
    assert digest_of(decoded.document) == pack.digest
