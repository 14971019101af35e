"""What stops a start before it begins, and how it is said."""

import socket
from pathlib import Path

import pytest

from console.operations.supervisor.preflight import PreflightError, check_ports, data_folder


def test_a_busy_port_is_one_sentence_that_says_what_to_do() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(PreflightError) as raised:
            check_ports({"web": ("CLAIMWRIGHT_WEB_PORT", port)})
    assert raised.value.code == "port_busy"
    assert str(raised.value) == (
        f"Port {port}, which web needs, is in use by another program. Stop that program, or choose "
        f"another port: CLAIMWRIGHT_WEB_PORT={port + 10} make run"
    )


def test_a_port_of_a_connection_that_is_still_closing_counts_as_free() -> None:
    with socket.socket() as server, socket.socket() as client:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(("127.0.0.1", 0))
        server.listen()
        port = server.getsockname()[1]
        client.connect(("127.0.0.1", port))
        accepted, _ = server.accept()
        accepted.close()  # first: this side keeps the port in TIME_WAIT
    check_ports({"web": ("CLAIMWRIGHT_WEB_PORT", port)})


def test_two_supervisors_cannot_share_a_data_folder(tmp_path: Path) -> None:
    with (
        data_folder(tmp_path),
        pytest.raises(PreflightError, match="already runs") as raised,
        data_folder(tmp_path),
    ):
        pass
    assert raised.value.code == "data_folder_in_use"
    with data_folder(tmp_path):
        pass


def test_a_data_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(PreflightError, match="CLAIMWRIGHT_DATA") as raised,
        data_folder(tmp_path / "file" / "inside"),
    ):
        pass
    assert raised.value.code == "data_folder_unusable"
