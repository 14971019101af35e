"""A registry with nodes in the states that a test names; nothing listens at their addresses."""

from collections.abc import Iterable

from inference.cluster.nodes import NodeRecord, State


class Known:
    connected = True

    def __init__(self, states: Iterable[State]) -> None:
        self._nodes = tuple(
            NodeRecord(id=f"node-{at}", address="http://127.0.0.1:9", model="m", state=state)
            for at, state in enumerate(states)
        )

    def nodes(self) -> tuple[NodeRecord, ...]:
        return self._nodes

    def close(self) -> None:
        """Nothing is held."""
