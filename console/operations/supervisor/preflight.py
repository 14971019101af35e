"""What must be true before anything is started; each refusal is a sentence that says what to do."""

import contextlib
import fcntl
import os
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path

LOCK_NAME = "run.lock"
LAST_PORT = 65_535


class PreflightError(Exception):
    """`code` is data_folder_in_use, data_folder_unusable, port_busy, port_invalid, port_twice or
    port_not_allowed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@contextlib.contextmanager
def data_folder(folder: Path) -> Iterator[None]:
    """Holds the data folder for this supervisor alone; the system lets go of it when it dies."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK_NAME).open("a+", encoding="ascii")
    except OSError as error:
        raise PreflightError(
            "data_folder_unusable",
            f"The data folder {folder} cannot be written ({error.strerror}). Choose another one: "
            "CLAIMWRIGHT_DATA=/path/to/folder make run",
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.seek(0)
            raise PreflightError(
                "data_folder_in_use",
                f"Claimwright already runs on {folder} (process {lock.read().strip()}). Stop it "
                "there with Ctrl-C, or give this one a folder of its own: "
                "CLAIMWRIGHT_DATA=/path/to/folder make run",
            ) from error
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def check_ports(ports: Mapping[str, tuple[str, int]]) -> None:
    """`ports` are environment variable and number by the name of who will listen."""
    first: dict[int, tuple[str, str]] = {}
    for name, (variable, port) in ports.items():
        if not 0 < port <= LAST_PORT:
            raise PreflightError(
                "port_invalid", f"{variable} must be a port from 1 to {LAST_PORT}, not {port}."
            )
        if port in first:
            other, its_variable = first[port]
            raise PreflightError(
                "port_twice",
                f"{other} and {name} cannot both listen on port {port}. Choose another port for "
                f"one of them, with {its_variable} or {variable}.",
            )
        first[port] = name, variable
        _check_free(name, variable, port)


def _check_free(name: str, variable: str, port: int) -> None:
    another = port + 10 if port + 10 <= LAST_PORT else port - 10
    with socket.socket() as probe:
        # As servers do, so that connections of a former run that are still closing don't count.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except PermissionError as error:
            raise PreflightError(
                "port_not_allowed",
                f"Port {port}, which {name} needs, is open to the administrator only. Choose "
                f"another port: {variable}={port + 8000} make run",
            ) from error
        except OSError as error:
            raise PreflightError(
                "port_busy",
                f"Port {port}, which {name} needs, is in use by another program. Stop that "
                f"program, or choose another port: {variable}={another} make run",
            ) from error
