"""The whole product on free ports and in a folder of its own, for benchmarks.

`prepare` must run before Django is imported anywhere: settings read the environment once. The
processes are those of `manage.py run`, so what is measured is what a user starts.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.ports import free_ports

ROOT = Path(__file__).resolve().parents[2]
READY_SECONDS = 600
PORTS = ("WEB", "VALKEY", "ETCD", "ETCD_PEER", "NODE")


def prepare(folder: Path, **settings: str) -> None:
    """Points this process and its children at `folder` and at free ports, and sets Django up."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "console.settings"
    os.environ["CLAIMWRIGHT_DATA"] = str(folder)
    os.environ["CLAIMWRIGHT_LOG_LEVEL"] = "WARNING"
    for name, port in zip(PORTS, free_ports(len(PORTS)), strict=True):
        os.environ[f"CLAIMWRIGHT_{name}_PORT"] = str(port)
    for name, value in settings.items():
        os.environ[f"CLAIMWRIGHT_{name}"] = value
    import django

    django.setup()


@contextmanager
def running(log: Path, **settings: str) -> Iterator[None]:
    """Starts everything and waits until it is ready; stops it at the end.

    `settings` are CLAIMWRIGHT_* variables of the children alone. Raises RuntimeError with the end
    of the log when the product does not come up.
    """
    environment = os.environ | {f"CLAIMWRIGHT_{name}": value for name, value in settings.items()}
    with log.open("w", encoding="utf-8") as out:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "run", "--no-demo"],
            cwd=ROOT,
            env=environment,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait_until_ready(process, log)
        yield
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=120)


def _wait_until_ready(process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while "Everything is ready" not in log.read_text(encoding="utf-8", errors="replace"):
        if process.poll() is not None or time.monotonic() > deadline:
            end = log.read_text(encoding="utf-8", errors="replace")[-2000:]
            raise RuntimeError(f"The product did not come up; its log ends:\n{end}")
        time.sleep(0.5)
