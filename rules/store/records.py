"""What the store keeps, and under which keys (the layout is part of the architecture)."""

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

PREFIX = "/claimwright/v1/packs/"
ACKS = "/claimwright/v1/acks/"
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

    `author` is a username, or "builtin" for a pack that came with the software.
    """

    slug: str
    version: int
    digest: str
    document: dict[str, Any]
    author: str = ""
    published_at: str = ""

    def encoded(self) -> bytes:
        values = {
            "slug": self.slug,
            "version": self.version,
            "digest": self.digest,
            "author": self.author,
            "published_at": self.published_at,
            "document": self.document,
        }
        return json.dumps(values, ensure_ascii=False, sort_keys=True).encode()

    @classmethod
    def decoded(cls, raw: bytes) -> "StoredPack":
        return cls(**json.loads(raw))


@dataclass(frozen=True)
class Active:
    """Which version of a pack is in force."""

    version: int
    digest: str

    def encoded(self) -> bytes:
        return json.dumps({"version": self.version, "digest": self.digest}).encode()

    @classmethod
    def decoded(cls, raw: bytes) -> "Active":
        return cls(**json.loads(raw))


@dataclass(frozen=True)
class Acknowledgement:
    """A node's word on the version that it last took up, or `reason` why it could not."""

    id: str
    version: int
    compile_ms: float = 0.0
    time: str = ""
    reason: str = ""

    @classmethod
    def decoded(cls, node_id: str, raw: bytes) -> "Acknowledgement":
        """Ignores fields it does not know: newer nodes may say more."""
        values = json.loads(raw)
        return cls(
            id=node_id,
            version=int(values["version"]),
            compile_ms=float(values.get("compile_ms", 0)),
            time=str(values.get("time", "")),
            reason=str(values.get("reason", "")),
        )


@dataclass(frozen=True)
class Acknowledgements:
    """`missing`: nodes that have said nothing yet."""

    nodes: tuple[Acknowledgement, ...]
    missing: tuple[str, ...] = ()


def digest_of(document: dict[str, Any]) -> str:
    """SHA-256 over the document's canonical JSON, in hex: the digest that CompiledPack reports."""
    canonical = json.dumps(document, ensure_ascii=False, sort_keys=True)
    return sha256(canonical.encode()).hexdigest()


def active_key(slug: str) -> str:
    return f"{PREFIX}{checked(slug)}/active"


def versions_prefix(slug: str) -> str:
    return f"{PREFIX}{checked(slug)}/versions/"


def version_key(slug: str, version: int) -> str:
    return f"{versions_prefix(slug)}{version}"


def checked(slug: str) -> str:
    """The slug itself. A slug becomes part of keys and file names, so its form is enforced."""
    if not SLUG.match(slug):
        raise StoreError("pack_unknown", f"{slug!r} is not the name of a rule pack.")
    return slug
