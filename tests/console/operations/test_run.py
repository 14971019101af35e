"""`manage.py run` as a user starts it: everything but the node is real and comes from here.

The node is a fixed address, as CLAIMWRIGHT_NODES sets it, because starting one takes a minute; the
last test starts one.
"""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import pytest
from django.conf import settings

from tests.support.ports import free_ports
from tests.support.services import listens

pytestmark = pytest.mark.services
ROOT = Path(__file__).resolve().parents[3]
PATIENCE_SECONDS = 120.0
NODE_PATIENCE_SECONDS = 600.0
DISCLOSURE = ROOT / "tests/console/drafting/data/sealing_test_device.txt"
SECOND_START_SECONDS = 90.0
NAMES = ("WEB", "VALKEY", "ETCD", "ETCD_PEER")


class Supervisor:
    """One `manage.py run` and what it has said so far."""

    def __init__(self, folder: Path, ports: dict[str, int], **changes: str) -> None:
        kept = ("PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "SSL_CERT_FILE")
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        environment |= {f"CLAIMWRIGHT_{name}_PORT": str(port) for name, port in ports.items()}
        environment |= {
            "CLAIMWRIGHT_DATA": str(folder),
            "CLAIMWRIGHT_NODES": "http://127.0.0.1:9",
            **changes,
        }
        self.ports = ports
        self.environment = environment
        self._lines: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), "run"],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    @property
    def said(self) -> str:
        return "\n".join(self._lines)

    def until(self, happened: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> None:
        deadline = time.monotonic() + seconds
        while not happened():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(self.said)
            time.sleep(0.1)

    def until_ready(self, seconds: float = PATIENCE_SECONDS) -> None:
        self.until(lambda: "Everything is ready." in self.said, seconds)
        # The lines after the headline belong to it.
        self.until(lambda: self._lines[-1].strip().endswith("|"))

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(PATIENCE_SECONDS)
        self._reading.join()
        return code

    def pid_of(self, name: str) -> int:
        """The process that listens for `name`: the child of the supervisor with its port."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        for pid in map(int, children.read_text().split()):
            if str(self.ports[name]) in Path(f"/proc/{pid}/cmdline").read_text():
                return pid
        raise AssertionError(f"{name} has no process")

    def _read(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(ValueError):  # a test has closed it
            for line in self.process.stdout:
                self._lines.append(line.rstrip("\n"))


@pytest.fixture
def ports() -> dict[str, int]:
    return dict(zip(NAMES, free_ports(len(NAMES)), strict=True))


@pytest.fixture
def start(tmp_path: Path, ports: dict[str, int]) -> Iterator[Callable[[], Supervisor]]:
    started: list[Supervisor] = []

    def begin() -> Supervisor:
        started.append(Supervisor(tmp_path, ports))
        return started[-1]

    yield begin
    for supervisor in started:
        if supervisor.process.poll() is None:
            supervisor.process.kill()
            supervisor.process.wait()


def browser() -> OpenerDirector:
    return build_opener(HTTPCookieProcessor(CookieJar()))


def signs_in(port: int, username: str, password: str) -> bool:
    opener = browser()
    url = f"http://127.0.0.1:{port}/accounts/login/"
    form = opener.open(url, timeout=20).read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form)
    assert token
    values = {
        "csrfmiddlewaretoken": token[1],
        "username": username,
        "password": password,
    }
    answer = opener.open(url, urlencode(values).encode(), timeout=20)
    return bool(answer.status == 200 and answer.url != url)


def test_a_day_of_one_machine(start: Callable[[], Supervisor], ports: dict[str, int]) -> None:
    first = start()
    first.until_ready()
    assert f"http://localhost:{ports['WEB']}/" in first.said
    shown = dict(re.findall(r"\| {5}(\w+) +([a-z0-9]{4}(?:-[a-z0-9]{4}){3}) ", first.said))
    assert list(shown) == ["agent", "author", "operator"]
    for username, password in shown.items():
        assert signs_in(ports["WEB"], username, password)

    # A crash is mended and said.
    crashed = first.pid_of("WEB")
    os.kill(crashed, signal.SIGKILL)
    first.until(lambda: "web stopped by itself (killed by SIGKILL)" in first.said)
    first.until(lambda: first.said.count("web is ready.") == 2)
    assert first.pid_of("WEB") != crashed
    assert signs_in(ports["WEB"], "agent", shown["agent"])

    # A second one on the same folder is refused in one sentence.
    second = start()
    assert second.process.wait(PATIENCE_SECONDS) == 1
    second._reading.join()
    assert "already runs on" in second.said
    assert len(second.said.splitlines()) == 1

    # A clean stop leaves nothing behind.
    assert first.stop() == 0
    assert first.said.endswith("Everything has stopped.")
    assert not any(listens(port) for port in ports.values())

    # The second start reuses what is there.
    again = start()
    again.until_ready()
    assert "Demo accounts" not in again.said
    assert signs_in(ports["WEB"], "agent", shown["agent"])
    assert again.stop() == 0


def test_a_closed_terminal_stops_everything(
    start: Callable[[], Supervisor], ports: dict[str, int]
) -> None:
    supervisor = start()
    supervisor.until(lambda: "etcd is ready." in supervisor.said)
    assert supervisor.process.stdout is not None
    supervisor.process.stdout.close()
    supervisor.process.send_signal(signal.SIGHUP)
    supervisor.process.wait(PATIENCE_SECONDS)
    assert not any(listens(port) for port in ports.values())


PROGRAMS = {
    "WEB": "web",
    "VALKEY": "valkey",
    "ETCD": "etcd",
    "ETCD_PEER": "etcd-peer",
    "NODE": "node",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_busy_port_is_one_sentence_and_nothing_is_started(name: str, tmp_path: Path) -> None:
    ports = dict(zip(PROGRAMS, free_ports(len(PROGRAMS)), strict=True))
    with socket.socket() as other:
        other.bind(("127.0.0.1", ports[name]))
        other.listen()
        refused = Supervisor(tmp_path, ports, CLAIMWRIGHT_NODES="")
        assert refused.process.wait(PATIENCE_SECONDS) == 1
        refused._reading.join()
    said = refused.said
    assert len(said.splitlines()) == 1, said
    assert f"Port {ports[name]}, which {PROGRAMS[name]} needs, is in use" in said
    assert f"CLAIMWRIGHT_{name}_PORT=" in said
    assert not any(listens(port) for port in ports.values())
    # Neither a server nor a database has left anything.
    assert {path.name for path in tmp_path.iterdir()} <= {"run.lock", "secret_key"}


def drafted(supervisor: Supervisor) -> list[str]:
    """One claim, written by `manage.py draft` against the running services."""
    command = [sys.executable, str(ROOT / "manage.py"), "draft", "--json", "--claims", "1"]
    outcome = subprocess.run(
        [*command, "--disclosure", str(DISCLOSURE), "--title", "一种血液灌流器的密封检测装置"],
        env=supervisor.environment,
        capture_output=True,
        text=True,
        timeout=NODE_PATIENCE_SECONDS,
    )
    assert outcome.returncode == 0, outcome.stderr
    result = json.loads(outcome.stdout.splitlines()[-1])
    return [claim["text"] for claim in result["claims"]]


@pytest.mark.node
@pytest.mark.own_node
def test_everything_with_a_real_node(tmp_path: Path) -> None:
    ports = dict(zip(PROGRAMS, free_ports(len(PROGRAMS)), strict=True))
    changes = {"CLAIMWRIGHT_NODES": "", "CLAIMWRIGHT_MODELS": str(settings.MODELS_DIR)}
    first = Supervisor(tmp_path, ports, **changes)
    try:
        first.until_ready(NODE_PATIENCE_SECONDS)
        (claim,) = drafted(first)
        assert claim.startswith("一种血液灌流器的密封检测装置")
        assert claim.endswith("。")

        # A node that is killed is started again, and drafts.
        killed = first.pid_of("NODE")
        os.kill(killed, signal.SIGKILL)
        first.until(lambda: "node stopped by itself (killed by SIGKILL); it is" in first.said)
        first.until(lambda: first.said.count("node is ready.") == 2, NODE_PATIENCE_SECONDS)
        assert first.pid_of("NODE") != killed
        assert len(drafted(first)) == 1
    finally:
        assert first.stop() == 0
    assert not any(listens(port) for port in ports.values())

    began = time.monotonic()
    again = Supervisor(tmp_path, ports, **changes)
    try:
        again.until_ready(NODE_PATIENCE_SECONDS)
        seconds = time.monotonic() - began
    finally:
        assert again.stop() == 0
    print(f"The second start was ready after {seconds:.1f} s.")
    assert "Reading the tokenizer" not in again.said, "the model was built anew"
    assert "The demo team and its matters are loaded." not in again.said
    assert seconds < SECOND_START_SECONDS
