"""The one door to etcd: settings, connection, and the few operations that the ports use.

The client library is pyetcd. Three of its habits are handled here, so that no port meets them:
an endpoint that failed is shut out for 300 s (here 0.5 s, with failover), a token that the server
forgot in a restart is never renewed (here it is, once per call), and the gRPC channel waits up to
two minutes before it tries again (here one second).

Channels do not survive a fork: an Etcd connects at its first call, so make that call after it.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import grpc
import pyetcd

from inference.etcd_channel import open_client, token_trouble, unreachable
from inference.etcd_settings import EtcdError, EtcdSettings

__all__ = [
    "Compacted",
    "Entry",
    "Etcd",
    "EtcdError",
    "EtcdSettings",
    "Listing",
    "Watch",
    "connect",
]

Result = TypeVar("Result")


class Compacted(Exception):
    """The revision that a watch wanted to start from is gone: list again."""


@dataclass(frozen=True)
class Entry:
    key: str
    value: bytes
    mod_revision: int
    lease: int = 0


@dataclass(frozen=True)
class Listing:
    """The entries under a prefix, and the store's revision at which they were read."""

    entries: tuple[Entry, ...]
    revision: int


class Watch:
    """Iterates over batches of changes: for each, {key: Entry, or None when it was deleted}.

    Ends when cancelled or when the stream closes; raises EtcdError or Compacted when it breaks.
    """

    def __init__(
        self,
        responses: Any,
        cancel: Callable[[], None],
        explained: Callable[[Exception], EtcdError],
    ) -> None:
        self._responses = responses
        self._explained = explained
        self._cancel = cancel

    def __iter__(self) -> Iterator[dict[str, Entry | None]]:
        try:
            for response in self._responses:
                yield {event.key.decode(): _changed(event) for event in response.events}
        except pyetcd.exceptions.RevisionCompactedError as error:
            raise Compacted from error
        except (pyetcd.Etcd3Exception, grpc.RpcError) as error:
            raise self._explained(error) from error

    def cancel(self) -> None:
        """Ends the iteration. Raises EtcdError where the connection is lost already."""
        try:
            self._cancel()
        except (pyetcd.Etcd3Exception, grpc.RpcError) as error:
            raise self._explained(error) from error


class Etcd:
    """A connection that threads may share. Every method raises EtcdError."""

    def __init__(self, settings: EtcdSettings) -> None:
        self.settings = settings
        self._lock = threading.Lock()
        self._client: Any = None

    def get(self, key: str, *, revision: int = 0) -> Entry | None:
        """As it was at `revision`, 0 for now; a revision that was compacted is etcd_refused."""
        value, meta = self._call(
            lambda client: client.get(key, revision=revision), attempts=self._attempts
        )
        return None if meta is None else _entry(value, meta)

    def list(self, prefix: str, *, keys_only: bool = False) -> Listing:
        """With `keys_only` the values are empty: the versions of a pack are megabytes."""
        response = self._call(
            lambda client: client.get_prefix_response(prefix, keys_only=keys_only),
            attempts=self._attempts,
        )
        entries = tuple(
            Entry(kv.key.decode(), kv.value, kv.mod_revision, kv.lease) for kv in response.kvs
        )
        return Listing(entries, response.header.revision)

    def put(self, key: str, value: bytes, *, lease: int = 0) -> int:
        """Writes the value, bound to `lease` when given; returns the store's new revision."""
        response = self._call(
            lambda client: client.put(key, value, lease=lease), attempts=self._attempts
        )
        return int(response.header.revision)

    def delete(self, key: str) -> bool:
        """True when the key was there."""
        return bool(self._call(lambda client: client.delete(key), attempts=self._attempts))

    def put_if(
        self, expected: Mapping[str, int], puts: Mapping[str, bytes], *, lease: int = 0
    ) -> bool:
        """Writes all `puts` if every key in `expected` has that mod revision (0: is absent).

        False when one has not. Not repeated after a lost connection: EtcdError(etcd_unreachable)
        then leaves open whether the write happened, so read before you try again.
        """

        def swap(client: Any) -> bool:
            operations = client.transactions
            done, _ = client.transaction(
                compare=[operations.mod(key) == revision for key, revision in expected.items()],
                success=[operations.put(key, value, lease) for key, value in puts.items()],
                failure=[],
            )
            return bool(done)

        return self._call(swap, attempts=1)

    def grant_lease(self, ttl_seconds: int) -> int:
        return int(self._call(lambda client: client.lease(ttl_seconds).id, attempts=self._attempts))

    def keep_alive(self, lease: int) -> bool:
        """Renews the lease; False when it has run out, and everything bound to it with it."""
        answers = self._call(
            lambda client: list(client.refresh_lease(lease)), attempts=self._attempts
        )
        return bool(answers) and answers[0].TTL > 0

    def revoke_lease(self, lease: int) -> None:
        self._call(lambda client: client.revoke_lease(lease), attempts=1)

    def watch(self, prefix: str, *, start_revision: int) -> "Watch":
        """The changes under a prefix from a revision on. It ends when the connection breaks;
        inference.etcd_mirror turns it into something that lasts."""
        responses, cancel = self._call(
            lambda client: client.watch_prefix_response(
                prefix, start_revision=start_revision, progress_notify=True
            ),
            attempts=1,
        )
        return Watch(responses, cancel, self._explained)

    def close(self) -> None:
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    @property
    def _attempts(self) -> int:
        return len(self.settings.endpoints)

    def _call(self, operation: Callable[[Any], Result], *, attempts: int) -> Result:
        renewed = False
        while True:
            try:
                return operation(self._connected())
            except pyetcd.exceptions.RevisionCompactedError as error:
                raise Compacted from error
            except (pyetcd.Etcd3Exception, grpc.RpcError) as error:
                if token_trouble(error) and not renewed:
                    renewed = True
                    self.close()
                    continue
                attempts -= 1
                if attempts <= 0 or not unreachable(error):
                    raise self._explained(error) from error

    def _connected(self) -> Any:
        with self._lock:
            if self._client is None:
                self._client = open_client(self.settings)
            return self._client

    def _explained(self, error: Exception) -> EtcdError:
        where = ", ".join(self.settings.endpoints)
        if unreachable(error):
            return EtcdError("etcd_unreachable", f"etcd does not answer at {where}.")
        detail = error.details() if isinstance(error, grpc.Call) else str(error)
        return EtcdError("etcd_refused", f"etcd at {where} refused the request: {detail}")


def connect(settings: EtcdSettings) -> Etcd:
    """An Etcd for these settings. It connects at its first call, not here."""
    return Etcd(settings)


def _changed(event: Any) -> Entry | None:
    if isinstance(event, pyetcd.events.DeleteEvent):
        return None
    return Entry(event.key.decode(), event.value, event.mod_revision, event.lease)


def _entry(value: bytes, meta: Any) -> Entry:
    return Entry(meta.key.decode(), value, meta.mod_revision, meta.lease_id)
