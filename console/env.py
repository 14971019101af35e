"""Typed reading of settings from environment variables, or from files named by NAME_FILE.

A secret may stand in a file (CLAIMWRIGHT_SECRET_KEY_FILE=/run/secrets/key), so that it need not
stand in the environment of every child process.
"""

import os
import secrets
from pathlib import Path


class SettingsError(Exception):
    """A setting that cannot be used; the sentence says which and what would be right."""

    code = "settings_error"


def text(name: str, default: str = "") -> str:
    file = os.environ.get(f"{name}_FILE")
    if file:
        try:
            return Path(file).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise SettingsError(
                f"{name}_FILE names {file}, which cannot be read: {error}"
            ) from error
    return os.environ.get(name, default)


def number(name: str, default: int) -> int:
    value = text(name)
    if not value:
        return default
    try:
        return int(value)
    except ValueError as error:
        raise SettingsError(f"{name} must be a whole number, not {value!r}.") from error


def flag(name: str, default: bool = False) -> bool:
    value = text(name).lower()
    if value in {"", "0", "1", "true", "false", "yes", "no"}:
        return default if not value else value in {"1", "true", "yes"}
    raise SettingsError(f"{name} must be 1 or 0, not {value!r}.")


def words(name: str, default: str = "") -> list[str]:
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def kept_secret(name: str, file: Path) -> str:
    """The secret `name`, or the one kept in `file`, which is made (0600) at the first call."""
    value = text(name)
    if value:
        return value
    # The data folder: what is in it is for nobody else on this machine.
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return file.read_text(encoding="ascii").strip()
    with os.fdopen(handle, "w", encoding="ascii") as out:
        value = secrets.token_urlsafe(48)
        out.write(value)
    return value
