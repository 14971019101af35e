"""What the nodes say about the versions in force, gathered."""

import time
from dataclasses import dataclass

from inference.cluster.registry import PREFIX as NODES
from inference.etcd import Etcd
from inference.published import Acknowledgement, Active, acks_prefix, active_key

LOOK_SECONDS = 0.03


@dataclass(frozen=True)
class Acknowledgements:
    """`nodes` in the order of their ids. `missing`: registered nodes that have said nothing."""

    nodes: tuple[Acknowledgement, ...]
    missing: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Every registered node has taken the version up."""
        return not self.missing and all(word.taken_up for word in self.nodes)


def gathered(etcd: Etcd, slug: str) -> Acknowledgements:
    """Raises EtcdError."""
    prefix = acks_prefix(slug)
    words = tuple(
        Acknowledgement.decoded(entry.key.removeprefix(prefix), entry.value)
        for entry in etcd.list(prefix).entries
    )
    return Acknowledgements(words, _silent(etcd, words))


def waited_for(etcd: Etcd, slug: str, version: int, timeout: float) -> Acknowledgements:
    """The words on that version alone. Raises EtcdError."""
    deadline = time.monotonic() + timeout
    while True:
        words = tuple(word for word in gathered(etcd, slug).nodes if word.version == version)
        found = Acknowledgements(words, _silent(etcd, words))
        if not found.missing or time.monotonic() > deadline:
            return found
        active = etcd.get(active_key(slug))
        if active is None or Active.decoded(active.value).version != version:
            return found
        time.sleep(LOOK_SECONDS)


def _silent(etcd: Etcd, words: tuple[Acknowledgement, ...]) -> tuple[str, ...]:
    said = {word.id for word in words}
    registered = (entry.key.removeprefix(NODES) for entry in etcd.list(NODES).entries)
    return tuple(node for node in registered if node not in said)
