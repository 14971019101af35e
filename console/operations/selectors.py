"""What the operators' page shows. Reads only, and no client text: ids, states, numbers."""

from dataclasses import dataclass
from datetime import datetime

from console.drafting.models import ACTIVE, DraftJob
from console.operations import connections
from console.operations.connections import ConnectionState
from console.operations.registry import registry
from inference.cluster.nodes import NodeRecord
from inference.published import Acknowledgement
from rules.store.acknowledged import Acknowledgements
from rules.store.client import store
from rules.store.records import PackState, StoreError

# The page must stay cheap when something has gone wrong and jobs have piled up.
LONGEST_JOB_LIST = 100
SILENCE = Acknowledgements((), ())


@dataclass(frozen=True)
class NodeRow:
    """`cache_percent` is the share of the node's key-value cache in use."""

    id: str
    state: str
    model: str
    address: str
    weight: int
    running: int
    waiting: int
    cache_percent: float


@dataclass(frozen=True)
class RunningJob:
    id: str
    status: str
    status_title: str
    username: str
    since: datetime
    done: int
    total: int
    pack: str
    worker: str


@dataclass(frozen=True)
class RulesRow:
    """A pack as the console stands to it, and the nodes that have, or have not, taken its version
    up. `since` is set while etcd is away."""

    slug: str
    state: str
    since: datetime | None
    version: int | None
    digest: str
    taken_up: tuple[Acknowledgement, ...]
    refused: tuple[Acknowledgement, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Overview:
    """`nodes_current` is False while the registry cannot be read: nodes are the last known then.
    `jobs_total` counts those not listed as well."""

    connections: list[ConnectionState]
    nodes: list[NodeRow]
    nodes_current: bool
    jobs: list[RunningJob]
    jobs_total: int
    rules: list[RulesRow]


def overview() -> Overview:
    nodes = registry()
    active = DraftJob.objects.filter(status__in=ACTIVE)
    return Overview(
        connections=connections.all_states(),
        nodes=[node_row(node) for node in sorted(nodes.nodes(), key=lambda node: node.id)],
        nodes_current=nodes.connected,
        jobs=running_jobs(),
        jobs_total=active.count(),
        rules=rules_rows(),
    )


def node_row(node: NodeRecord) -> NodeRow:
    load = node.load
    return NodeRow(
        id=node.id,
        state=node.state,
        model=node.model,
        address=node.address,
        weight=node.weight,
        running=int(load.get("running", 0)),
        waiting=int(load.get("waiting", 0)),
        cache_percent=100 * float(load.get("kv_use", 0)),
    )


def running_jobs() -> list[RunningJob]:
    """The oldest first: what hangs is at the top."""
    jobs = DraftJob.objects.filter(status__in=ACTIVE).select_related("user").order_by("created_at")
    return [
        RunningJob(
            id=str(job.pk),
            status=job.status,
            status_title=job.get_status_display(),
            username=job.user.username,
            since=job.created_at,
            done=int(job.progress.get("done", 0)),
            total=int(job.progress.get("total", job.params.get("count", 0))),
            pack=f"{job.pack_slug} {job.pack_version}",
            worker=job.lease_owner,
        )
        for job in jobs[:LONGEST_JOB_LIST]
    ]


def rules_rows() -> list[RulesRow]:
    return [rules_row(slug, state) for slug, state in sorted(store().states().items())]


def rules_row(slug: str, state: PackState) -> RulesRow:
    active = state.active
    try:
        said = store().acknowledgements(slug) if state.kind == "live" else SILENCE
    except StoreError:  # etcd went away just now; the next look says so
        said = SILENCE
    words = [word for word in said.nodes if active and word.version == active.version]
    return RulesRow(
        slug=slug,
        state=state.kind,
        since=state.since,
        version=active.version if active else None,
        digest=active.digest if active else "",
        taken_up=tuple(word for word in words if word.taken_up),
        refused=tuple(word for word in words if not word.taken_up),
        missing=said.missing,
    )
