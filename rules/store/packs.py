"""Rule packs in etcd, with the last good ones on this machine's disk."""

import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from django.utils.translation import gettext as _

from inference.etcd import Entry, EtcdError, EtcdSettings, connect
from rules.store.cache import PackCache
from rules.store.records import (
    ACKS,
    BUILTIN,
    PREFIX,
    Acknowledgement,
    Acknowledgements,
    Active,
    StoredPack,
    StoreError,
    active_key,
    checked,
    digest_of,
    version_key,
    versions_prefix,
)


@dataclass(frozen=True)
class StoreState:
    """`live`: the last read came from etcd. `stale`: it came from the cache, since `since`.
    `never`: nothing has been read yet. `reason` is a sentence, empty while live."""

    kind: Literal["live", "stale", "never"]
    since: datetime | None = None
    reason: str = ""


class PackStore:
    """Threads may share it. It connects at the first call (do that after a fork)."""

    def __init__(self, settings: EtcdSettings, cache: Path) -> None:
        self._etcd = connect(settings)
        self._cache = PackCache(cache)
        self._lock = threading.Lock()
        self._state = StoreState("never")
        self._versions: dict[tuple[str, int], StoredPack] = {}

    @property
    def state(self) -> StoreState:
        return self._state

    def active(self, slug: str) -> StoredPack:
        """The version in force, or the last known one while etcd is away.

        Raises StoreError: pack_unknown, rules_unavailable, store_refused.
        """
        try:
            entry = self._etcd.get(active_key(slug))
        except EtcdError as error:
            active = self._while_away(error, self._cache.active(slug))
        else:
            self._mark_live()
            if entry is None:
                raise StoreError(
                    "pack_unknown", _("规则库中没有规则包 %(slug)s。") % {"slug": slug}
                )
            active = Active.decoded(entry.value)
            self._cache.keep_active(slug, active)
        pack = self.version(slug, active.version)
        if pack.digest != active.digest:
            # etcd was emptied and filled anew: what this machine kept belongs to its former life.
            self._cache.forget(slug, active.version)
            del self._versions[slug, active.version]
            pack = self.version(slug, active.version)
        return pack

    def version(self, slug: str, version: int) -> StoredPack:
        """That version, in force or not. Versions never change, so a known one is not read again.

        Raises StoreError: pack_unknown, rules_unavailable, store_refused.
        """
        known = self._versions.get((slug, version)) or self._cache.version(slug, version)
        if known is None:
            try:
                entry = self._etcd.get(version_key(slug, version))
            except EtcdError as error:
                known = self._while_away(error, None)
            else:
                self._mark_live()
                if entry is None:
                    raise StoreError(
                        "pack_unknown",
                        _("规则包 %(slug)s 没有第 %(version)d 版。")
                        % {"slug": slug, "version": version},
                    )
                known = StoredPack.decoded(entry.value)
                self._cache.keep(known)
        self._versions[slug, version] = known
        return known

    def in_force(self) -> dict[str, Active]:
        """Which version of each pack is in force, from etcd itself. Raises EtcdError."""
        found = {}
        for entry in self._etcd.list(PREFIX).entries:
            slug, _slash, rest = entry.key.removeprefix(PREFIX).partition("/")
            if rest == "active":
                found[slug] = Active.decoded(entry.value)
        return found

    def publish(
        self,
        document: dict[str, Any],
        *,
        author: str,
        reason: str = "",
        over: int | None = None,
    ) -> StoredPack:
        """Writes the document as the next version and puts it into force, in one transaction.

        `over`: the version that the author saw in force; another one there is a publish_conflict.
        A document that is in force already is left as it is. Raises StoreError: publish_conflict,
        rules_unavailable, store_refused. After rules_unavailable the write may have happened:
        publishing again is safe.
        """
        slug = document["slug"]
        digest = digest_of(document)
        try:
            in_force = self._etcd.get(active_key(slug))
            if in_force is not None:
                current = Active.decoded(in_force.value)
                if current.digest == digest:
                    return self.version(slug, current.version)
                if over is not None and current.version != over:
                    raise _conflict(slug)
            number = 1 + max(
                map(_number, self._etcd.list(versions_prefix(slug)).entries), default=0
            )
            pack = StoredPack(
                slug=slug,
                version=number,
                digest=digest,
                document=document,
                author=author,
                published_at=datetime.now(UTC).isoformat(timespec="seconds"),
            )
            written = self._etcd.put_if(
                expected={
                    version_key(slug, number): 0,
                    active_key(slug): in_force.mod_revision if in_force else 0,
                },
                puts={
                    version_key(slug, number): pack.encoded(),
                    active_key(slug): Active(number, digest).encoded(),
                },
            )
        except EtcdError as error:
            raise _refusal(error) from error
        if not written:
            raise _conflict(slug)
        self._mark_live()
        return pack

    def rollback(self, slug: str, version: int, *, over: int | None = None) -> StoredPack:
        """Puts a stored version into force in the place of `over`, in one transaction.

        Raises StoreError: pack_unknown, publish_conflict, rules_unavailable, store_refused.
        """
        pack = self.version(slug, version)
        try:
            in_force = self._etcd.get(active_key(slug))
            if in_force is None or over not in (None, Active.decoded(in_force.value).version):
                raise _conflict(slug)
            written = self._etcd.put_if(
                expected={active_key(slug): in_force.mod_revision},
                puts={active_key(slug): Active(version, pack.digest).encoded()},
            )
        except EtcdError as error:
            raise _refusal(error) from error
        if not written:
            raise _conflict(slug)
        self._mark_live()
        return pack

    def acknowledgements(self, slug: str) -> Acknowledgements:
        """What each node says about the pack, from etcd itself. Raises StoreError."""
        prefix = f"{ACKS}{checked(slug)}/"
        try:
            entries = self._etcd.list(prefix).entries
        except EtcdError as error:
            raise _refusal(error) from error
        return Acknowledgements(
            tuple(
                Acknowledgement.decoded(entry.key.removeprefix(prefix), entry.value)
                for entry in entries
            )
        )

    def publish_builtin(self, document: dict[str, Any]) -> StoredPack:
        """Publishes a pack that came with the software, unless that would undo a person's decision:
        a version by an author is in force, or this document was in force once and was rolled back.

        Returns the version in force afterwards.
        """
        slug = document["slug"]
        try:
            in_force = self._etcd.get(active_key(slug))
            entries = self._etcd.list(versions_prefix(slug)).entries
        except EtcdError as error:
            raise _refusal(error) from error
        stored = {_number(entry): StoredPack.decoded(entry.value) for entry in entries}
        if in_force is not None:
            current = stored[Active.decoded(in_force.value).version]
            known = any(pack.digest == digest_of(document) for pack in stored.values())
            if known or current.author != BUILTIN:
                return current
        return self.publish(document, author=BUILTIN)

    def close(self) -> None:
        self._etcd.close()

    def _mark_live(self) -> None:
        with self._lock:
            self._state = StoreState("live")

    def _while_away(self, error: EtcdError, last_good: Any) -> Any:
        if error.code != "etcd_unreachable" or last_good is None:
            raise _refusal(error) from error
        with self._lock:
            if self._state.kind != "stale":
                self._state = StoreState("stale", datetime.now(UTC), str(error))
        return last_good


def _number(entry: Entry) -> int:
    return int(entry.key.rpartition("/")[2])


def _conflict(slug: str) -> StoreError:
    return StoreError(
        "publish_conflict",
        _("规则包 %(slug)s 刚被他人发布过，请查看后再发布。") % {"slug": slug},
    )


def _refusal(error: EtcdError) -> StoreError:
    if error.code == "etcd_unreachable":
        return StoreError(
            "rules_unavailable", _("规则库暂时无法访问，本机也没有保存过该规则包。请稍后重试。")
        )
    return StoreError("store_refused", str(error))
