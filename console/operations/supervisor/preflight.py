"""What must be true before anything is started; each refusal is a sentence that says what to do."""

import contextlib
import fcntl
import os
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path

LOCK_NAME = "run.lock"


class PreflightError(Exception):
    """`code` is data_folder_in_use, data_folder_unusable or port_busy."""

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
    for name, (variable, port) in ports.items():
        with socket.socket() as probe:
            # As servers do, so that connections of a former run that are still closing don't count.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError as error:
                raise PreflightError(
                    "port_busy",
                    f"Port {port}, which {name} needs, is in use by another program. Stop that "
                    f"program, or choose another port: {variable}={port + 10} make run",
                ) from error
