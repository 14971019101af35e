"""Which node a request goes to. Pure."""

import math
from collections.abc import Iterable
from hashlib import blake2b

from inference.cluster.nodes import NodeRecord


def rank(nodes: Iterable[NodeRecord], key: str) -> list[NodeRecord]:
    """The ready nodes, best first, by weighted rendezvous hashing of `key`.

    The same key meets the same node, and with it its warm cache, as long as that node is there:
    when a node joins or leaves, only the keys that it wins or held move. A node gets keys in
    proportion to its weight; with weight 0 it gets none.
    """
    able = [node for node in nodes if node.state == "ready" and node.weight > 0]
    return sorted(able, key=lambda node: (_distance(node, key), node.id))


def pick(nodes: Iterable[NodeRecord], key: str) -> NodeRecord | None:
    """The node for `key`, or None when no node is ready."""
    ranked = rank(nodes, key)
    return ranked[0] if ranked else None


def _distance(node: NodeRecord, key: str) -> float:
    digest = blake2b(f"{key}\0{node.id}".encode(), digest_size=8).digest()
    # Strictly between 0 and 1, so that the logarithm is finite and below zero.
    uniform = (int.from_bytes(digest) + 0.5) / 2**64
    return -math.log(uniform) / node.weight
