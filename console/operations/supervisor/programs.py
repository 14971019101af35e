"""Which programs one machine runs, from the settings. What is set to be elsewhere is not started.

The order of the list is the order of stopping, backwards: the worker hands its jobs back first,
while all that it needs still runs.
"""

import os
import sys

from django.conf import settings

from console.operations.supervisor import probes, servers
from console.operations.supervisor.core import Program
from console.operations.supervisor.shell import Service
from inference.models import profiles
from rules.store.client import etcd_settings

NODE_ID = "local"
WORKER_THREADS = 40
DRAIN_SECONDS = 30.0


def services(*, demo: bool) -> list[Service]:
    """Raises servers.ServerMissing and ModelError."""
    stores = []
    if owns_valkey():
        stores.append(_valkey())
    if owns_etcd():
        stores.append(_etcd())
    found = [*stores, _prepare(tuple(s.program.name for s in stores), demo=demo)]
    if owns_node():
        profile = profiles.load(settings.NODE_PROFILE)
        if profile.recipe:
            found.append(_model())
        found.append(_node(profile))
    return [*found, _web(), _worker()]


def ports() -> dict[str, tuple[str, int]]:
    """What will listen: environment variable and port by name."""
    used = {"web": ("CLAIMWRIGHT_WEB_PORT", settings.WEB_PORT)}
    if owns_valkey():
        used["valkey"] = ("CLAIMWRIGHT_VALKEY_PORT", settings.VALKEY_PORT)
    if owns_etcd():
        used["etcd"] = ("CLAIMWRIGHT_ETCD_PORT", settings.ETCD_PORT)
        used["etcd-peer"] = ("CLAIMWRIGHT_ETCD_PEER_PORT", settings.ETCD_PEER_PORT)
    if owns_node():
        used["node"] = ("CLAIMWRIGHT_NODE_PORT", settings.NODE_PORT)
    return used


def owns_valkey() -> bool:
    return not _set("CLAIMWRIGHT_REDIS_URL")


def owns_etcd() -> bool:
    return not _set("CLAIMWRIGHT_ETCD")


def owns_node() -> bool:
    return not settings.NODES


def address() -> str:
    return f"http://localhost:{settings.WEB_PORT}/"


def _set(name: str) -> bool:
    return bool(os.environ.get(name) or os.environ.get(f"{name}_FILE"))


def _valkey() -> Service:
    folder = settings.DATA_DIR / "valkey"
    folder.mkdir(parents=True, exist_ok=True)
    return Service(
        Program("valkey", stop_seconds=20),
        servers.valkey(port=settings.VALKEY_PORT, folder=folder),
        probes.valkey(settings.VALKEY_PORT),
    )


def _etcd() -> Service:
    folder = settings.DATA_DIR / "etcd"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return Service(
        Program("etcd", stop_seconds=20),
        servers.etcd(port=settings.ETCD_PORT, peer_port=settings.ETCD_PEER_PORT, folder=folder),
        probes.http(settings.ETCD_PORT, "/health"),
    )


def _prepare(after: tuple[str, ...], *, demo: bool) -> Service:
    arguments = ["prepare"] if demo else ["prepare", "--no-demo"]
    return Service(
        Program("prepare", after=after, once=True, start_seconds=300), servers.manage(*arguments)
    )


def _model() -> Service:
    """Beside the rest: the console can be used while the model is built and loaded."""
    return Service(
        Program("model", once=True, start_seconds=3600),
        servers.manage("models", "build", settings.NODE_PROFILE),
        # Its own lines say how far it is; the bars of its libraries would be a line per step.
        environment={"TQDM_DISABLE": "1"},
    )


def _node(profile: profiles.Profile) -> Service:
    after = (("model",) if profile.recipe else ()) + (("etcd",) if owns_etcd() else ())
    arguments = {
        "--profile": profile.name,
        "--host": servers.HOST,
        "--port": str(settings.NODE_PORT),
        "--node-id": NODE_ID,
        "--etcd": ",".join(settings.ETCD_ENDPOINTS),
    }
    if profile.recipe:
        arguments["--model-dir"] = str(settings.MODELS_DIR / profile.recipe)
    return Service(
        Program("node", after=after, start_seconds=1800, stop_seconds=30, tries=0),
        [sys.executable, "-u", "-m", "inference.node", *_flat(arguments)],
        probes.node(NODE_ID, settings.NODE_PORT, etcd_settings()),
        # Its speed every ten seconds, and dozens of warnings about what the profile has decided,
        # would drown what the others say. VLLM_LOGGING_LEVEL=INFO shows them.
        {
            "VLLM_LOGGING_LEVEL": os.environ.get("VLLM_LOGGING_LEVEL", "ERROR"),
            "PYTHONWARNINGS": "ignore",
            "TQDM_DISABLE": "1",
        },
    )


def _web() -> Service:
    arguments = {
        "--host": servers.HOST,
        "--port": str(settings.WEB_PORT),
        "--timeout-graceful-shutdown": "5",
        # A WebSocket frame of the console is a short JSON text; channels buffers whole frames.
        "--ws-max-size": "1048576",
        "--log-level": "warning",
    }
    return Service(
        Program("web", after=("prepare",), stop_seconds=15),
        [sys.executable, "-u", "-m", "uvicorn", "console.asgi:application", *_flat(arguments)],
        probes.http(settings.WEB_PORT, "/healthz", host=_host()),
    )


def _worker() -> Service:
    arguments = {
        "--pool": "threads",
        "--concurrency": str(WORKER_THREADS),
        "--queues": "drafting,rules",
        "--loglevel": "INFO",
    }
    return Service(
        Program("worker", after=("prepare",), stop_seconds=DRAIN_SECONDS),
        [
            *(sys.executable, "-u", "-m", "celery", "--quiet", "-A", "console", "worker"),
            *(*_flat(arguments), "--without-gossip", "--without-mingle"),
        ],
        probes.celery_worker(),
    )


def _host() -> str:
    """A host that the console lets in: its own check applies to the probe as well."""
    local = {"localhost", "127.0.0.1", "*"}
    allowed = settings.ALLOWED_HOSTS
    if not allowed or local & set(allowed):
        return "localhost" if "localhost" in allowed else servers.HOST
    return str(allowed[0]).lstrip(".")


def _flat(arguments: dict[str, str]) -> list[str]:
    return [part for pair in arguments.items() for part in pair]
