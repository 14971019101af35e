"""What the rule store and the nodes tell each other through etcd: keys and records. Pure."""

import json
from dataclasses import asdict, dataclass, fields

PACKS = "/claimwright/v1/packs/"
ACKS = "/claimwright/v1/acks/"


def active_key(slug: str) -> str:
    return f"{PACKS}{slug}/active"


def is_active_key(key: str) -> bool:
    return key.startswith(PACKS) and key.endswith("/active")


def slug_of(key: str) -> str:
    """Of any key under PACKS."""
    return key.removeprefix(PACKS).partition("/")[0]


def versions_prefix(slug: str) -> str:
    return f"{PACKS}{slug}/versions/"


def version_key(slug: str, version: int) -> str:
    return f"{versions_prefix(slug)}{version:d}"


def acks_prefix(slug: str) -> str:
    return f"{ACKS}{slug}/"


@dataclass(frozen=True)
class Active:
    """Which version of a pack is in force. `digest` is that of its document."""

    version: int
    digest: str

    def encoded(self) -> bytes:
        return json.dumps({"version": self.version, "digest": self.digest}).encode()

    @classmethod
    def decoded(cls, raw: bytes) -> "Active":
        return cls(**json.loads(raw))


@dataclass(frozen=True)
class Acknowledgement:
    """A node's word on a version that came into force: taken up, or refused with `code` and a
    sentence in `reason`; `kept` is then the version that the node took up last (0: none).

    `compile_ms` is how long the engine took to build the version's grammar with the node's
    tokenizer, `time` the node's clock in ISO 8601.
    """

    id: str
    version: int
    digest: str
    compile_ms: float = 0.0
    time: str = ""
    code: str = ""
    reason: str = ""
    kept: int = 0

    @property
    def taken_up(self) -> bool:
        return not self.code

    def encoded(self) -> bytes:
        values = asdict(self)
        del values["id"]
        return json.dumps(values, ensure_ascii=False, sort_keys=True).encode()

    @classmethod
    def decoded(cls, node_id: str, raw: bytes) -> "Acknowledgement":
        """Ignores fields it does not know: newer nodes may say more."""
        known = {field.name for field in fields(cls)} - {"id"}
        values = json.loads(raw)
        return cls(node_id, **{name: values[name] for name in known & values.keys()})
