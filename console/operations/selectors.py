"""What the operators' page shows. Reads only."""

from dataclasses import dataclass

from console.operations import connections
from console.operations.connections import ConnectionState


@dataclass(frozen=True)
class Overview:
    connections: list[ConnectionState]


def overview() -> Overview:
    return Overview(connections=[connections.database(), connections.valkey()])
