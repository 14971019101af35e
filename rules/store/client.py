"""The rule store of this process, as the settings describe it."""

from functools import lru_cache

from django.conf import settings

from inference.etcd import EtcdSettings
from rules.store.packs import PackStore
from rules.store.records import StoredPack, StoreError

__all__ = [
    "StoreError",
    "StoredPack",
    "active_pack",
    "etcd_settings",
    "pack_version",
    "store",
]


@lru_cache(maxsize=1)
def store() -> PackStore:
    return PackStore(etcd_settings(), settings.DATA_DIR / "rules")


def etcd_settings() -> EtcdSettings:
    """Where the settings say that etcd is, and how it lets us in."""
    return EtcdSettings(
        endpoints=tuple(settings.ETCD_ENDPOINTS),
        ca=settings.ETCD_CA,
        cert=settings.ETCD_CERT,
        key=settings.ETCD_KEY,
        user=settings.ETCD_USER,
        password=settings.ETCD_PASSWORD,
    )


def active_pack(slug: str) -> StoredPack:
    """The version in force. Raises StoreError: pack_unknown, rules_unavailable, store_refused."""
    return store().active(slug)


def pack_version(slug: str, version: int, digest: str = "") -> StoredPack:
    """That version; with the digest that a job pinned, no other document of that number.

    Raises StoreError as `active_pack` does.
    """
    return store().version(slug, version, digest)
