"""Settings from the environment, from files, and the secret that is made once."""

import subprocess
import sys
from pathlib import Path

import pytest

from console import env


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CW_TEST", "CW_TEST_FILE"):
        monkeypatch.delenv(name, raising=False)


def test_a_file_stands_in_for_a_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = tmp_path / "secret"
    secret.write_text("from the file\n")
    monkeypatch.setenv("CW_TEST", "from the environment")
    assert env.text("CW_TEST") == "from the environment"
    monkeypatch.setenv("CW_TEST_FILE", str(secret))
    assert env.text("CW_TEST") == "from the file"


def test_a_missing_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CW_TEST_FILE", "/nonexistent/secret")
    with pytest.raises(env.SettingsError, match=r"CW_TEST_FILE names /nonexistent/secret"):
        env.text("CW_TEST")


def test_numbers_flags_and_lists_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (env.number("CW_TEST", 7), env.flag("CW_TEST", True), env.words("CW_TEST")) == (
        7,
        True,
        [],
    )
    monkeypatch.setenv("CW_TEST", "12")
    assert env.number("CW_TEST", 7) == 12
    monkeypatch.setenv("CW_TEST", "No")
    assert env.flag("CW_TEST", True) is False
    with pytest.raises(env.SettingsError, match="CW_TEST must be a whole number, not 'No'"):
        env.number("CW_TEST", 7)
    monkeypatch.setenv("CW_TEST", "a, b,,c ")
    assert env.words("CW_TEST") == ["a", "b", "c"]
    with pytest.raises(env.SettingsError, match="CW_TEST must be 1 or 0"):
        env.flag("CW_TEST")


def test_the_secret_is_made_once_and_for_the_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "data" / "secret_key"
    made = env.kept_secret("CW_TEST", file)
    assert len(made) >= 50
    assert env.kept_secret("CW_TEST", file) == made
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_a_given_secret_is_not_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CW_TEST", "given")
    assert env.kept_secret("CW_TEST", tmp_path / "secret_key") == "given"
    assert not (tmp_path / "secret_key").exists()


def test_a_command_with_a_setting_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    command = subprocess.run(
        [sys.executable, "manage.py", "run"],
        cwd=Path(env.__file__).parents[1],
        env={"CLAIMWRIGHT_DATA": str(tmp_path), "CLAIMWRIGHT_WEB_PORT": "many"},
        capture_output=True,
        text=True,
    )
    assert command.returncode == 1
    assert command.stderr == (
        "settings_error: CLAIMWRIGHT_WEB_PORT must be a whole number, not 'many'.\n"
    )
