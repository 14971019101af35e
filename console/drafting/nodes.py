"""Which node writes a claim, and what a failure of one means for the next choice."""

import threading
import time
from functools import lru_cache

from django.conf import settings

from inference.cluster.client import NodeClient
from inference.cluster.registry import Nodes, find_nodes
from inference.cluster.routing import rank
from inference.etcd import EtcdSettings

# A node that failed is left alone so long, unless it is the only one.
REST_SECONDS = 5.0


class NodePool:
    """Chooses nodes for this process. Threads share it."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._lock = threading.Lock()
        self._failed: dict[str, float] = {}
        self._clients: dict[str, NodeClient] = {}

    def choose(self, key: str) -> NodeClient | None:
        """The client of the node for `key`; None when no node is ready.

        A document's claims go to the same node, which has their common prefix in its cache.
        """
        ranked = [node.address for node in rank(self._nodes.nodes(), key)]
        now = time.monotonic()
        with self._lock:
            resting = {one for one, until in self._failed.items() if until > now}
        fresh = [address for address in ranked if address not in resting]
        if not ranked:
            return None
        return self._client((fresh or ranked)[0])

    @property
    def loading(self) -> bool:
        """True while a node is loading its model: what waits for one need not wait long."""
        return any(node.state == "starting" for node in self._nodes.nodes())

    def report_failure(self, address: str) -> None:
        with self._lock:
            self._failed[address] = time.monotonic() + REST_SECONDS

    def _client(self, address: str) -> NodeClient:
        with self._lock:
            if address not in self._clients:
                self._clients[address] = NodeClient(address)
            return self._clients[address]


@lru_cache(maxsize=1)
def node_pool() -> NodePool:
    """The pool of this process, with the nodes that the settings name."""
    return NodePool(
        find_nodes(
            settings.NODES,
            EtcdSettings(
                endpoints=tuple(settings.ETCD_ENDPOINTS),
                ca=settings.ETCD_CA,
                cert=settings.ETCD_CERT,
                key=settings.ETCD_KEY,
                user=settings.ETCD_USER,
                password=settings.ETCD_PASSWORD,
            ),
        )
    )
