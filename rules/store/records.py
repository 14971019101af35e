"""What the store keeps. Keys and what nodes read are in inference.published."""

import json
import re
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal

from inference import published
from inference.published import Active

SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,59}\Z")
BUILTIN = "builtin"


class StoreError(Exception):
    """`code` is one of
    pack_unknown        there is no such pack or version
    rules_unavailable   etcd does not answer and this machine has never read the pack
    publish_conflict    somebody else published meanwhile
    store_refused       etcd refused the request: settings or permission
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class StoredPack:
    """One immutable version. `document` is the rule pack as the compiler takes it: read only.

    `author` is a username, or "builtin" for a pack that came with the software; `reason` is the
    author's. `grammar` is what nodes try before they acknowledge the version (probe.py).
    """

    slug: str
    version: int
    digest: str
    document: dict[str, Any]
    author: str = ""
    published_at: str = ""
    reason: str = ""
    grammar: str = ""

    def encoded(self) -> bytes:
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True).encode()

    @classmethod
    def decoded(cls, raw: bytes) -> "StoredPack":
        """Ignores fields it does not know: a newer release may have written the version."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in json.loads(raw).items() if name in known})


@dataclass(frozen=True)
class PackState:
    """How a pack stands for this process. `live`: etcd has just been asked. `stale`: etcd has been
    away since `since`, and `active` is the last that this machine read. `never`: it has read none.
    `reason` is a sentence, empty while live."""

    kind: Literal["live", "stale", "never"]
    active: Active | None = None
    since: datetime | None = None
    reason: str = ""


def digest_of(document: dict[str, Any]) -> str:
    """SHA-256 over the document's canonical JSON, in hex: the digest that CompiledPack reports."""
    canonical = json.dumps(document, ensure_ascii=False, sort_keys=True)
    return sha256(canonical.encode()).hexdigest()


def active_key(slug: str) -> str:
    return published.active_key(checked(slug))


def version_key(slug: str, version: int) -> str:
    return published.version_key(checked(slug), version)


def checked(slug: str) -> str:
    """The slug itself. A slug becomes part of keys and file names, so its form is enforced."""
    if not SLUG.match(slug):
        raise StoreError("pack_unknown", f"{slug!r} is not the name of a rule pack.")
    return slug
