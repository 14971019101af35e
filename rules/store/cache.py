"""The last rules that this machine has read, as files: drafting goes on with them without etcd."""

import json
import os
import tempfile
from pathlib import Path

from inference.published import Active
from rules.store.records import StoredPack, checked


class PackCache:
    """Processes may share the folder: a file is replaced in one step and versions never change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep_active(self, slug: str, active: Active) -> None:
        if self.active(slug) != active:
            self._write(self._active(slug), active.encoded())

    def keep(self, pack: StoredPack) -> None:
        file = self._version(pack.slug, pack.version)
        if not file.exists():
            self._write(file, pack.encoded())

    def active(self, slug: str) -> Active | None:
        raw = _read(self._active(slug))
        return None if raw is None else Active.decoded(raw)

    def usable(self) -> dict[str, Active]:
        """The packs that drafting can go on with: what was in force last, where its version is
        here too."""
        slugs = (file.parent.name for file in self.folder.glob("*/active.json"))
        found = {slug: self.active(slug) for slug in sorted(slugs)}
        return {
            slug: active
            for slug, active in found.items()
            if active is not None and self._version(slug, active.version).exists()
        }

    def version(self, slug: str, version: int) -> StoredPack | None:
        raw = _read(self._version(slug, version))
        if raw is None:
            return None
        try:
            return StoredPack.decoded(raw)
        except (json.JSONDecodeError, TypeError):  # cut off by a full disk: read it from etcd again
            self.forget(slug, version)
            return None

    def forget(self, slug: str, version: int) -> None:
        self._version(slug, version).unlink(missing_ok=True)

    def _active(self, slug: str) -> Path:
        return self.folder / checked(slug) / "active.json"

    def _version(self, slug: str, version: int) -> Path:
        return self.folder / checked(slug) / f"{version:d}.json"

    def _write(self, file: Path, content: bytes) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=".")
        with os.fdopen(handle, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        Path(name).replace(file)


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
