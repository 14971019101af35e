"""Which pack a command means: a built-in one, a stored version, or files."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from rules.compiler import resolve
from rules.packs import builtin_slugs, load_source
from rules.store.client import StoreError, active_pack, pack_version

Document = dict[str, Any]

HELP = (
    "A built-in pack (cn-claims), a published one (cn-claims@active, cn-claims@3), "
    "a pack file, or a folder with pack.json."
)
NOT_FOUND, UNAVAILABLE = 2, 3
"""Exit codes beside 0 and 1, which are the answer: as it should be, or not."""


def document_of(name: str) -> Document:
    """The complete document. Raises CommandError where there is none, PackError where its bases do
    not fit."""
    document = source_of(name)
    return resolve(document, _base) if "extends" in document else document


def source_of(name: str) -> Document:
    """The document as its author wrote it."""
    slug, at, version = name.partition("@")
    if at:
        return _stored(slug, version)
    path = Path(name)
    if path.is_dir() or path.suffix == ".json":
        return _read(path)
    return _builtin(name)


def _builtin(slug: str) -> Document:
    try:
        return load_source(slug)
    except LookupError as error:
        raise CommandError(str(error), returncode=NOT_FOUND) from error


def _stored(slug: str, version: str) -> Document:
    if version != "active" and not version.isdigit():
        raise CommandError(f"“{version}” is no version: write 3 or active.", returncode=NOT_FOUND)
    try:
        pack = active_pack(slug) if version == "active" else pack_version(slug, int(version))
    except StoreError as error:
        raise CommandError(str(error), returncode=code_of(error)) from error
    return pack.document


def code_of(error: StoreError) -> int:
    """The exit code for what the store says."""
    return NOT_FOUND if error.code == "pack_unknown" else UNAVAILABLE


def _read(path: Path) -> Document:
    folder = path if path.is_dir() else None
    file = path / "pack.json" if folder else path
    try:
        document: Document = json.loads(file.read_text("utf-8"))
        if folder:
            document["grammar"] = _text(folder / "grammar.lark")
            lines = _text(folder / "examples.jsonl").splitlines()
            document["examples"] = [json.loads(line) for line in lines if line.strip()]
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}", returncode=NOT_FOUND) from error
    except json.JSONDecodeError as error:
        raise CommandError(f"{file} is not JSON: {error}", returncode=NOT_FOUND) from error
    return document


def _text(file: Path) -> str:
    return file.read_text("utf-8") if file.exists() else ""


def _base(slug: str) -> Document:
    """A pack to extend: the built-in one, else the one in force."""
    if slug in builtin_slugs():
        return load_source(slug)
    try:
        return active_pack(slug).document
    except StoreError as error:
        raise LookupError(str(error)) from error
