"""A real Celery worker in a process of its own, on the test's database, Valkey, etcd and nodes."""

import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.support.children import environment
from tests.support.waiting import until

ROOT = Path(__file__).resolve().parents[2]


class Worker:
    """Starts with the block and is ready inside it. `kill` and `terminate` may come at any time."""

    def __init__(self, folder: Path, *, nodes: Sequence[str], name: str = "worker") -> None:
        self._log = folder / f"{name}.log"
        self._environment = environment(
            {
                "DJANGO_SETTINGS_MODULE": "tests.settings",
                "CLAIMWRIGHT_NODES": ",".join(nodes),
                "PYTHONPATH": str(ROOT),
            }
        )

    def __enter__(self) -> "Worker":
        with self._log.open("w") as out:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "celery", "-A", "console", "worker"),
                    *("-P", "threads", "-c", "8", "-Q", "drafting,rules", "--loglevel", "INFO"),
                    *("--without-gossip", "--without-mingle", "--without-heartbeat"),
                ],
                cwd=ROOT,
                env=self._environment,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        until(lambda: " ready." in self.log(), 90)
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def log(self) -> str:
        return self._log.read_text()

    def kill(self) -> None:
        """As a crash would end it."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def terminate(self) -> int:
        """As a supervisor ends it; the exit status."""
        self.process.terminate()
        return self.process.wait(30)
