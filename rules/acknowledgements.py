"""Who has taken up the version in force: nodes and workers, one line each."""

from typing import Any

from rules.store.client import StoreError, store


def acknowledgements(slug: str) -> dict[str, Any]:
    """{"nodes": [...], "missing": [ids of nodes that have said nothing]}; null for both while etcd
    is away, which is not the same as a fleet without nodes."""
    try:
        found = store().acknowledgements(slug)
    except StoreError:
        return {"nodes": None, "missing": None}
    return {
        "nodes": [
            {
                "id": one.id,
                "version": one.version,
                "compile_ms": round(one.compile_ms, 1),
                "at": one.time,
                "reason": one.reason,
            }
            for one in sorted(found.nodes, key=lambda one: one.id)
        ],
        "missing": sorted(found.missing),
    }
