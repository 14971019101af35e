"""What stops a start before it begins, and how it is said."""

import socket
from pathlib import Path

import pytest

from console.operations.supervisor.preflight import PreflightError, check_ports, data_folder
from tests.support.ports import free_ports


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


def test_a_port_that_is_busy_on_every_address_counts_as_busy() -> None:
    with socket.socket() as other:
        other.bind(("0.0.0.0", 0))
        other.listen()
        with pytest.raises(PreflightError) as raised:
            check_ports({"node": ("CLAIMWRIGHT_NODE_PORT", other.getsockname()[1])})
    assert raised.value.code == "port_busy"


def test_two_programs_cannot_have_one_port() -> None:
    port = free_ports(1)[0]
    ports = {"web": ("CLAIMWRIGHT_WEB_PORT", port), "etcd": ("CLAIMWRIGHT_ETCD_PORT", port)}
    with pytest.raises(PreflightError) as raised:
        check_ports(ports)
    assert raised.value.code == "port_twice"
    assert str(raised.value) == (
        f"web and etcd cannot both listen on port {port}. Choose another port for one of them, "
        "with CLAIMWRIGHT_WEB_PORT or CLAIMWRIGHT_ETCD_PORT."
    )


@pytest.mark.parametrize("port", [-1, 0, 65_536])
def test_a_number_that_is_no_port_is_a_sentence(port: int) -> None:
    with pytest.raises(PreflightError) as raised:
        check_ports({"web": ("CLAIMWRIGHT_WEB_PORT", port)})
    assert raised.value.code == "port_invalid"
    assert str(raised.value) == f"CLAIMWRIGHT_WEB_PORT must be a port from 1 to 65535, not {port}."


def test_the_other_port_that_is_offered_exists() -> None:
    with socket.socket() as other:
        for port in range(65_535, 65_525, -1):
            try:
                other.bind(("127.0.0.1", port))
                break
            except OSError:
                continue
        other.listen()
        with pytest.raises(PreflightError, match=rf"PORT={port - 10} make run"):
            check_ports({"web": ("CLAIMWRIGHT_WEB_PORT", port)})


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
