"""Misconfiguration is found with an id and a hint."""

from pathlib import Path
from typing import Any

import pytest

from console.operations import checks


def ids(messages: Any) -> list[str]:
    for message in messages:
        assert message.hint
    return [message.id for message in messages]


@pytest.fixture
def serving_others(settings: Any) -> Any:
    settings.ALLOWED_HOSTS = ["claimwright.example"]
    return settings


def test_one_machine_with_the_defaults_is_fine(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
    assert ids(checks.database_fits()) == []
    assert ids(checks.transport_fits()) == []
    assert ids(checks.services_fit()) == []


def test_sqlite_is_refused_for_others(serving_others: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    default = serving_others.DATABASES["default"]
    monkeypatch.setitem(default, "ENGINE", "django.db.backends.sqlite3")
    assert ids(checks.database_fits()) == ["claimwright.E001"]
    monkeypatch.setitem(default, "ENGINE", "django.db.backends.postgresql")
    assert ids(checks.database_fits()) == []


def test_plain_http_and_debugging_are_refused_for_others(serving_others: Any) -> None:
    serving_others.HTTPS, serving_others.DEBUG = False, True
    assert ids(checks.transport_fits()) == ["claimwright.E002", "claimwright.E003"]
    serving_others.HTTPS, serving_others.DEBUG = True, False
    assert ids(checks.transport_fits()) == []


def test_the_one_machine_servers_are_refused_for_others(
    serving_others: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    serving_others.ETCD_USER = "claimwright"
    monkeypatch.delenv("CLAIMWRIGHT_REDIS_URL")
    monkeypatch.delenv("CLAIMWRIGHT_ETCD")
    assert ids(checks.services_fit()) == ["claimwright.E004"]
    monkeypatch.setenv("CLAIMWRIGHT_REDIS_URL_FILE", "/run/secrets/redis")
    monkeypatch.setenv("CLAIMWRIGHT_ETCD", "etcd.example:2379")
    assert ids(checks.services_fit()) == []


@pytest.mark.parametrize(
    "mended",
    [{"ETCD_USER": "x"}, {"ETCD_CERT": "/cert.pem"}, {"NODES": ["https://node.example"]}],
)
def test_an_open_etcd_is_warned_about(
    serving_others: Any, monkeypatch: pytest.MonkeyPatch, mended: dict[str, Any]
) -> None:
    monkeypatch.setenv("CLAIMWRIGHT_ETCD", "etcd.example:2379")
    assert ids(checks.services_fit()) == ["claimwright.W001"]
    for name, value in mended.items():
        setattr(serving_others, name, value)
    assert ids(checks.services_fit()) == []


def test_a_missing_front_end_is_found(settings: Any, tmp_path: Path) -> None:
    assert ids(checks.front_end_is_built()) == []
    settings.BASE_DIR = tmp_path
    assert ids(checks.front_end_is_built()) == ["claimwright.E005"]


def test_a_readable_secret_is_found(
    data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = data_folder / "secret_key"
    secret.write_text("x")
    secret.chmod(0o600)
    assert ids(checks.secrets_are_private()) == []
    secret.chmod(0o644)
    assert ids(checks.secrets_are_private()) == ["claimwright.W002"]
    secret.chmod(0o600)
    other = tmp_path / "password"
    other.write_text("x")
    other.chmod(0o604)
    monkeypatch.setenv("CLAIMWRIGHT_ETCD_PASSWORD_FILE", str(other))
    assert ids(checks.secrets_are_private()) == ["claimwright.W002"]
