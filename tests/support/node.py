"""A real vLLM node for tests, started by the product's own launcher.

`live_node` is the one node that a test run shares: the default model in float32, where greedy texts
do not depend on how requests are batched. It starts at the first test that asks for it and stays.
CLAIMWRIGHT_TEST_NODE=http://host:port uses a node that runs already (whose profile may be another);
CLAIMWRIGHT_TEST_NODE_LOG then names its log.
Tests marked `own_node` start nodes of their own; they run last, after the shared one was stopped,
because two do not fit the memory of a small machine.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from inference.cluster.client import NodeClient
from tests.support.ports import free_ports

SHARED_PROFILE = "gemma3-270m-cn-f32"
RECIPE = "gemma3-270m-cn"
ROOT = Path(__file__).parents[2]
READY = "claimwright.node: Ready"
START_SECONDS = 600.0
STOP_SECONDS = 40.0


class LiveNode:
    """A node as a child process, with its log in a file."""

    def __init__(self, profile: str) -> None:
        self.profile = profile
        self.port = free_ports(1)[0]
        self.url = f"http://127.0.0.1:{self.port}"
        handle, name = tempfile.mkstemp(prefix=f"claimwright-{profile}-", suffix=".log")
        os.close(handle)
        self.log = Path(name)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "inference.node", "--profile", self.profile]
        where = ["--model-dir", str(model_folder()), "--port", str(self.port)]
        with self.log.open("wb") as out:
            self._process = subprocess.Popen(
                [*command, *where], stdout=out, stderr=subprocess.STDOUT, cwd=ROOT
            )
        deadline = time.monotonic() + START_SECONDS
        while READY not in self.written():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"The node did not start:\n{self.written()[-4000:]}")
            time.sleep(0.25)

    def stop(self) -> int | None:
        """The launcher's exit status, or None when it did not run."""
        if self._process is None:
            return None
        self._process.send_signal(signal.SIGTERM)
        try:
            status = self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self._process = None
        return status

    def written(self) -> str:
        """What the node has logged so far."""
        return self.log.read_text(errors="replace")


def model_folder() -> Path:
    """The built default model, where `manage.py models build` puts it."""
    folder = settings.MODELS_DIR / RECIPE
    if not (folder / "config.json").is_file():
        raise RuntimeError(f"There is no model in {folder}: manage.py models build makes it.")
    return Path(folder)


_shared: LiveNode | None = None


def stop_shared() -> None:
    """Ends the shared node, if there is one. Nothing that needs it may run afterwards."""
    global _shared
    if _shared is not None:
        _shared.stop()
        _shared.log.unlink(missing_ok=True)
        _shared = None


@pytest.fixture(scope="session")
def live_node() -> Iterator[str]:
    """The base URL of the run's shared node."""
    global _shared
    running = os.environ.get("CLAIMWRIGHT_TEST_NODE")
    if running:
        if not NodeClient(running).healthy():
            raise RuntimeError(f"CLAIMWRIGHT_TEST_NODE={running} does not answer.")
        yield running
        return
    _shared = LiveNode(SHARED_PROFILE)
    _shared.start()
    yield _shared.url
    stop_shared()


@pytest.fixture(scope="session")
def live_log(live_node: str) -> Path:
    """The log of the shared node."""
    if _shared is not None:
        return _shared.log
    return Path(os.environ["CLAIMWRIGHT_TEST_NODE_LOG"])


def own_nodes_last(items: list[pytest.Item]) -> None:
    """For pytest_collection_modifyitems: tests with nodes of their own run at the end."""
    items.sort(key=lambda item: item.get_closest_marker("own_node") is not None)
