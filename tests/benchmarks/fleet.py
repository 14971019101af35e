"""Publishing to three nodes over a real etcd, which is killed and started again in the middle."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inference.etcd import EtcdSettings
from rules.store.packs import PackStore
from rules.store.records import StoreError
from tests.support.ports import free_ports
from tests.support.services import etcd_server
from tests.support.waiting import until

NODES = ("node-1", "node-2", "node-3")
ACKNOWLEDGED_SECONDS = 60.0


@dataclass(frozen=True)
class Prepared:
    """A pack document that was compiled: publishing it costs the store and the nodes alone."""

    document: dict[str, Any]
    grammar: str


@dataclass
class Published:
    """Seconds from the call of publish until the last of the nodes had acknowledged, but for the
    publication over which etcd was killed; `compile_ms` as each node said."""

    seconds: list[float] = field(default_factory=list)
    compile_ms: list[float] = field(default_factory=list)
    over_the_crash: float = 0.0
    lost: int = 0
    streams: list[dict[str, Any]] = field(default_factory=list)


def publish_over_and_over(
    folder: Path, tokenizer: Path, documents: Sequence[Prepared], text: str, count: int
) -> Published:
    """`documents` come into force in turn; each publication is a new version."""
    server = etcd_server(folder, free_ports(1)[0])
    server.argv.remove("--unsafe-no-fsync")  # as in production: a publication waits for the disk
    server.start()
    endpoint = f"127.0.0.1:{server.port}"
    store = PackStore(EtcdSettings(endpoints=(endpoint,)), folder / "cache")
    slug = documents[0].document["slug"]
    task = folder / "stream.json"
    task.write_text(json.dumps([slug, text]), encoding="utf-8")
    store.publish(documents[-1].document, author="bench", grammar=documents[-1].grammar)
    nodes = [_node(endpoint, name, tokenizer, task) for name in NODES]
    found = Published()
    try:
        until(lambda: len(store.acknowledgements(slug).nodes) == len(NODES), 120)
        for number in range(count):
            prepared = documents[number % len(documents)]
            began = time.monotonic()
            version = store.publish(
                prepared.document, author="bench", grammar=prepared.grammar
            ).version
            if number == count // 2:
                server.kill()
                server.start()
            words = _acknowledged(store, slug, version)
            seconds = time.monotonic() - began
            if number == count // 2:
                found.over_the_crash = seconds
            else:
                found.seconds.append(seconds)
                found.compile_ms += [word.compile_ms for word in words]
            found.lost += len(NODES) - len(words)
    finally:
        for node in nodes:
            node.terminate()
        found.streams = [json.loads(node.communicate(timeout=60)[0]) for node in nodes]
        store.close()
        server.stop()
    return found


def _acknowledged(store: PackStore, slug: str, version: int) -> list[Any]:
    """The nodes that took the version up, also when etcd goes away meanwhile."""
    deadline = time.monotonic() + ACKNOWLEDGED_SECONDS
    while True:
        try:
            found = store.wait_for_acknowledgements(slug, version, 10)
        except StoreError:
            time.sleep(0.05)
        else:
            words = [word for word in found.nodes if word.taken_up]
            if len(words) == len(NODES) or time.monotonic() > deadline:
                return words


def _node(endpoint: str, name: str, tokenizer: Path, task: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "tests.benchmarks.fleet_node"),
            *(endpoint, name, str(tokenizer), str(task)),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"LLGUIDANCE_LOG_LEVEL": "0"},
        text=True,
    )
