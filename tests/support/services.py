"""Real servers for tests: Valkey, etcd and PostgreSQL, each in a folder of its own on loopback."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import psycopg

from console.operations.supervisor import servers
from tests.support.children import environment
from tests.support.ports import free_ports

START_SECONDS = 90.0
STOP_SECONDS = 15.0


class ServerProcess:
    """A child process that listens on `port`. It can be killed and started again on its data."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        port: int,
        folder: Path,
        user: str | None = None,
        changes: Mapping[str, str] | None = None,
        is_ready: Callable[[int], bool] | None = None,
    ) -> None:
        self.argv = list(argv)
        self.is_ready = is_ready or listens
        self.port = port
        self.folder = folder
        self.user = user
        self._environment = environment(changes or {})
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        log = self.folder / "server.log"
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                self.argv,
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                env=self._environment,
                user=self.user,
                group=pwd.getpwnam(self.user).pw_gid if self.user else None,
                extra_groups=[] if self.user else None,
            )
        deadline = time.monotonic() + START_SECONDS
        while not self.is_ready(self.port):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{self.argv[0]} did not start:\n{log.read_text()[-2000:]}")
            time.sleep(0.05)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def kill(self) -> None:
        """As a crash or a power cut would end it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def valkey_server(folder: Path, port: int) -> ServerProcess:
    return ServerProcess(servers.valkey(port=port, folder=folder), port=port, folder=folder)


def etcd_server(folder: Path, port: int) -> ServerProcess:
    argv = servers.etcd(port=port, peer_port=free_ports(1)[0], folder=folder / "data")
    # The disk of a busy CI machine may take longer to sync than a call may take; a server that is
    # killed loses nothing by this, only a machine would.
    argv.append("--unsafe-no-fsync")
    return ServerProcess(argv, port=port, folder=folder, is_ready=_etcd_has_leader)


class PostgreSQL:
    """The system's PostgreSQL, a new cluster. It refuses to run as root: root lends it a user."""

    def __init__(self, port: int) -> None:
        binaries = sorted(
            Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: float(p.parts[-2])
        )
        found = shutil.which("initdb")
        if not binaries and not found:
            raise RuntimeError(
                "PostgreSQL's server programs are missing: apt-get install postgresql"
            )
        self.binaries = binaries[-1] if binaries else Path(str(found)).resolve().parent
        self.user = _unprivileged_user() if os.geteuid() == 0 else None
        self.folder = Path(tempfile.mkdtemp(prefix="claimwright-postgresql-"))
        if self.user:
            shutil.chown(self.folder, self.user)
        # No fsync: these data live for one test run.
        argv = [
            str(self.binaries / "postgres"),
            *("-D", str(self.folder / "data"), "-p", str(port)),
            *("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="),
            *("-c", "fsync=off"),
        ]
        self.server = ServerProcess(
            argv, port=port, folder=self.folder, user=self.user, is_ready=_postgresql_lets_in
        )

    def start(self) -> None:
        subprocess.run(
            [
                str(self.binaries / "initdb"),
                *("-D", str(self.folder / "data"), "-U", "claimwright", "-A", "trust"),
                *("-E", "UTF8", "--locale=C", "--no-sync"),
            ],
            user=self.user,
            group=pwd.getpwnam(self.user).pw_gid if self.user else None,
            extra_groups=[] if self.user else None,
            cwd=self.folder,
            check=True,
            capture_output=True,
        )
        self.server.start()

    def stop(self) -> None:
        self.server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _etcd_has_leader(port: int) -> bool:
    """It listens before it has elected itself, and refuses every call until then."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=1) as answer:
            return answer.status == 200
    except OSError:
        return False


def _postgresql_lets_in(port: int) -> bool:
    """It listens before it lets anybody in."""
    try:
        psycopg.connect(
            f"postgresql://claimwright@127.0.0.1:{port}/postgres", connect_timeout=2
        ).close()
    except psycopg.OperationalError:
        return False
    return True


def _unprivileged_user() -> str:
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"
