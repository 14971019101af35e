"""Rule packs in etcd, with the last good ones on this machine's disk."""

import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from inference.etcd import EtcdError, EtcdSettings, connect
from inference.published import PACKS, Active, is_active_key, slug_of, versions_prefix
from rules.store.acknowledged import Acknowledgements, gathered, waited_for
from rules.store.cache import PackCache
from rules.store.probe import probe_grammar
from rules.store.records import (
    BUILTIN,
    PackState,
    StoredPack,
    StoreError,
    active_key,
    checked,
    digest_of,
    version_key,
)


class PackStore:
    """Threads may share it. It connects at the first call (do that after a fork)."""

    def __init__(self, settings: EtcdSettings, cache: Path) -> None:
        self._etcd = connect(settings)
        self._cache = PackCache(cache)
        self._lock = threading.Lock()
        self._away_since: datetime | None = None
        self._versions: dict[tuple[str, int], StoredPack] = {}

    # --- Reading

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
        return self.version(slug, active.version, active.digest)

    def version(self, slug: str, version: int, digest: str = "") -> StoredPack:
        """That version, in force or not. Versions never change, so a known one is not read again,
        unless its digest shows that etcd was emptied and filled anew since.

        Raises StoreError: pack_unknown, rules_unavailable, store_refused.
        """
        known = self._versions.get((slug, version)) or self._cache.version(slug, version)
        if known is not None and digest and known.digest != digest:
            self._cache.forget(slug, version)
            known = None
        if known is None:
            try:
                entry = self._etcd.get(version_key(slug, version))
            except EtcdError as error:
                known = self._while_away(error, None)
            else:
                self._mark_live()
                known = None if entry is None else StoredPack.decoded(entry.value)
                if known is None or (digest and known.digest != digest):
                    raise StoreError(
                        "pack_unknown",
                        _("规则包 %(slug)s 没有第 %(version)d 版。")
                        % {"slug": slug, "version": version},
                    )
                self._cache.keep(known)
        self._versions[slug, version] = known
        return known

    def versions(self, slug: str) -> tuple[int, ...]:
        """The numbers of all versions, ascending, from etcd itself. Raises EtcdError."""
        listing = self._etcd.list(versions_prefix(checked(slug)), keys_only=True)
        return tuple(sorted(int(entry.key.rpartition("/")[2]) for entry in listing.entries))

    def in_force(self) -> dict[str, Active]:
        """Which version of each pack is in force, from etcd itself. Raises EtcdError."""
        keys = [
            entry.key
            for entry in self._etcd.list(PACKS, keys_only=True).entries
            if is_active_key(entry.key)
        ]
        found = {slug_of(key): self._etcd.get(key) for key in keys}
        self._mark_live()
        return {slug: Active.decoded(entry.value) for slug, entry in found.items() if entry}

    def state(self, slug: str) -> PackState:
        """How the pack stands for this process, asked of etcd now. Never raises StoreError."""
        return self.states().get(slug, PackState("never"))

    def states(self) -> dict[str, PackState]:
        """The same for every pack that is known; a pack that is not in it was never loaded."""
        try:
            return {slug: PackState("live", active) for slug, active in self.in_force().items()}
        except EtcdError as error:
            since, reason = self._mark_away(), str(error)
            return {
                slug: PackState("stale", active, since, reason)
                for slug, active in self._cache.usable().items()
            }

    def acknowledgements(self, slug: str) -> Acknowledgements:
        """What each node says about the pack, from etcd itself. Raises StoreError."""
        try:
            return gathered(self._etcd, checked(slug))
        except EtcdError as error:
            raise _refusal(error) from error

    def wait_for_acknowledgements(
        self, slug: str, version: int, timeout: float
    ) -> Acknowledgements:
        """See rules.store. `timeout` in seconds. Raises StoreError."""
        try:
            return waited_for(self._etcd, checked(slug), version, timeout)
        except EtcdError as error:
            raise _refusal(error) from error

    # --- Publishing

    def publish(
        self,
        document: dict[str, Any],
        *,
        author: str,
        reason: str = "",
        over: int | None = None,
        grammar: str | None = None,
    ) -> StoredPack:
        """Writes the document as the next version and puts it into force, in one transaction.

        `over`: the version that the author saw in force; another one there is a publish_conflict.
        `grammar`: probe_grammar(document), where the caller has compiled it already. A document
        that is in force already is left as it is. Raises PackError, and StoreError:
        publish_conflict, rules_unavailable, store_refused. After rules_unavailable the write may
        have happened: publishing again is safe.
        """
        slug = document["slug"]
        digest = digest_of(document)
        if grammar is None:
            grammar = probe_grammar(document)
        try:
            in_force = self._etcd.get(active_key(slug))
            if in_force is not None:
                current = Active.decoded(in_force.value)
                if current.digest == digest:
                    return self.version(slug, current.version, digest)
                if over is not None and current.version != over:
                    raise _conflict(slug)
            number = 1 + max(self.versions(slug), default=0)
            pack = StoredPack(
                slug=slug,
                version=number,
                digest=digest,
                document=document,
                author=author,
                published_at=datetime.now(UTC).isoformat(timespec="seconds"),
                reason=reason,
                grammar=grammar,
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

    def publish_builtin(self, document: dict[str, Any]) -> StoredPack:
        """Publishes a pack that came with the software, unless that would undo a person's decision:
        a version by an author is in force, or this document was in force once and was rolled back.

        Returns the version in force. Raises as publish does.
        """
        slug = document["slug"]
        try:
            entry = self._etcd.get(active_key(slug))
            if entry is not None:
                current = Active.decoded(entry.value)
                in_force = self.version(slug, current.version, current.digest)
                if in_force.author != BUILTIN or self._was_published(slug, digest_of(document)):
                    return in_force
        except EtcdError as error:
            raise _refusal(error) from error
        return self.publish(document, author=BUILTIN)

    def close(self) -> None:
        self._etcd.close()

    def _was_published(self, slug: str, digest: str) -> bool:
        keys = (version_key(slug, number) for number in reversed(self.versions(slug)))
        entries = (self._etcd.get(key) for key in keys)
        return any(entry and StoredPack.decoded(entry.value).digest == digest for entry in entries)

    def _mark_live(self) -> None:
        with self._lock:
            self._away_since = None

    def _mark_away(self) -> datetime:
        with self._lock:
            if self._away_since is None:
                self._away_since = datetime.now(UTC)
            return self._away_since

    def _while_away(self, error: EtcdError, last_good: Any) -> Any:
        if error.code == "etcd_unreachable":
            self._mark_away()
        if error.code != "etcd_unreachable" or last_good is None:
            raise _refusal(error) from error
        return last_good


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
