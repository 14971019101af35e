"""The node registry as this process sees it."""

from functools import lru_cache

from django.conf import settings

from inference.cluster.registry import EtcdNodes, Nodes, find_nodes
from rules.store.client import etcd_settings

FIRST_LISTING_SECONDS = 2.0


@lru_cache(maxsize=1)
def registry() -> Nodes:
    """Follows the registry from its first use on; that use waits for the first listing."""
    nodes = find_nodes(settings.NODES, etcd_settings())
    if isinstance(nodes, EtcdNodes):
        nodes.wait_listed(FIRST_LISTING_SECONDS)
    return nodes
