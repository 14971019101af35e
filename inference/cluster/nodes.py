"""A node as registry, router and operators know it. Pure."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

State = Literal["starting", "ready", "suspect", "draining", "gone"]


@dataclass(frozen=True)
class NodeRecord:
    """A node as the registry knows it. `address` is its base URL; `weight` runs from 0 to 100;
    `plan` and `load` are for people to look at."""

    id: str
    address: str
    model: str
    state: State = "starting"
    weight: int = 100
    plan: Mapping[str, Any] = field(default_factory=dict)
    load: Mapping[str, float] = field(default_factory=dict)

    def to_json(self) -> bytes:
        values = asdict(self)
        del values["id"]
        return json.dumps(values, ensure_ascii=False, sort_keys=True).encode()

    @classmethod
    def from_json(cls, node_id: str, data: bytes) -> "NodeRecord":
        """Ignores fields it does not know, so that newer nodes can register with older readers.
        Raises ValueError when the value is no node at all."""
        values = json.loads(data)
        try:
            return cls(
                id=node_id,
                address=str(values["address"]),
                model=str(values["model"]),
                state=values["state"],
                weight=int(values.get("weight", 100)),
                plan=values.get("plan", {}),
                load=values.get("load", {}),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError("The value is not a node.") from error
