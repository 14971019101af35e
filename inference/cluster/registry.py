"""Which nodes there are: registered in etcd under a lease, or listed in the settings."""

import logging
import threading
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Protocol

from inference.cluster.nodes import NodeRecord
from inference.etcd import Entry, Etcd, EtcdError, EtcdSettings, connect
from inference.etcd_mirror import PrefixMirror

log = logging.getLogger(__name__)

PREFIX = "/claimwright/v1/nodes/"
LEASE_SECONDS = 5
BEAT_SECONDS = 1.0


class Nodes(Protocol):
    """Where the console learns of nodes. nodes() never blocks and never fails."""

    def nodes(self) -> tuple[NodeRecord, ...]: ...

    @property
    def connected(self) -> bool:
        """False while nodes() may be out of date."""
        ...

    def close(self) -> None: ...


class EtcdNodes:
    """The nodes registered in etcd. While etcd is away the last known ones stay."""

    def __init__(self, settings: EtcdSettings) -> None:
        self._mirror = PrefixMirror(settings, PREFIX)
        self._mirror.start()

    def wait_listed(self, timeout: float) -> bool:
        """True when the registry has been read, within `timeout` seconds."""
        return self._mirror.wait_listed(timeout)

    def nodes(self) -> tuple[NodeRecord, ...]:
        return tuple(_records(self._mirror.entries().values()))

    @property
    def connected(self) -> bool:
        return self._mirror.connected

    def close(self) -> None:
        self._mirror.close()


class StaticNodes:
    """A fixed list of base URLs; all count as ready."""

    connected = True

    def __init__(self, addresses: Iterable[str]) -> None:
        self._nodes = tuple(
            NodeRecord(id=address, address=address.rstrip("/"), model="", state="ready")
            for address in addresses
        )

    def nodes(self) -> tuple[NodeRecord, ...]:
        return self._nodes

    def close(self) -> None:
        """Nothing is held."""


def find_nodes(addresses: Iterable[str], settings: EtcdSettings) -> Nodes:
    """The listed addresses when there are any, else the registry in etcd."""
    listed = tuple(addresses)
    return StaticNodes(listed) if listed else EtcdNodes(settings)


class Registration:
    """Keeps one node registered. A thread renews the lease; after an outage of etcd that outlived
    it, the node registers again by itself."""

    def __init__(self, settings: EtcdSettings, record: NodeRecord) -> None:
        self._etcd: Etcd = connect(settings)
        self._lock = threading.Lock()
        self._record = record
        self._kept: dict[str, bytes] = {}
        self._written: dict[str, bytes] = {}
        self._lease = 0
        self._wake = threading.Event()
        self._closed = False
        self._lost = False
        self._thread = threading.Thread(target=self._run, name=f"register {record.id}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def update(self, **changes: Any) -> None:
        """Changes fields of the record, such as state or load; written within a moment."""
        with self._lock:
            self._record = replace(self._record, **changes)
        self._wake.set()

    def keep(self, key: str, value: bytes) -> None:
        """Writes the entry under the node's lease: it goes with the node, and comes back with it
        after an outage. Written within a moment."""
        with self._lock:
            self._kept[key] = value
        self._wake.set()

    def close(self) -> None:
        """Takes the node out of the registry, with everything that was kept beside it."""
        self._closed = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        try:
            if self._lease:
                self._etcd.revoke_lease(self._lease)
        except EtcdError as error:
            log.warning("%s The registration ends when its lease runs out.", error)
        self._etcd.close()

    def _run(self) -> None:
        while not self._closed:
            try:
                self._beat()
                if self._lost:
                    log.warning("etcd is back; the node is registered.")
                self._lost = False
            except EtcdError as error:
                if not self._lost:
                    log.warning("%s The node goes on and keeps trying to register.", error)
                self._lost = True
            self._wake.wait(BEAT_SECONDS)
            self._wake.clear()

    def _beat(self) -> None:
        with self._lock:
            wanted = {PREFIX + self._record.id: self._record.to_json(), **self._kept}
        if not self._lease or not self._etcd.keep_alive(self._lease):
            self._lease = self._etcd.grant_lease(LEASE_SECONDS)
            self._written = {}
        for key, value in wanted.items():
            if self._written.get(key) != value:
                self._etcd.put(key, value, lease=self._lease)
                self._written[key] = value


def _records(entries: Iterable[Entry]) -> Iterable[NodeRecord]:
    for entry in entries:
        try:
            yield NodeRecord.from_json(entry.key.removeprefix(PREFIX), entry.value)
        except ValueError:
            log.warning("The registration %s cannot be read and is passed over.", entry.key)
