"""A matter with a claims document, and acts on it as the browser sends them."""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from console.matters import claimset, selectors, services
from console.matters.changes import OperationResult
from console.matters.models import Document, Matter

Act = Callable[..., OperationResult]


@pytest.fixture(autouse=True)
def channel_layer(settings: Any) -> None:
    """Wake-ups stay in the process; tests/console/drafting has them cross Valkey."""
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}


@pytest.fixture
def matter(agent: Any, team: Any) -> Matter:
    return services.create_matter(
        user=agent, team_id=team.pk, title="一种散热装置", reference="CW-1"
    )


@pytest.fixture
def document(matter: Matter) -> Document:
    return selectors.claims_document(matter.pk)


@pytest.fixture
def act(document: Document, agent: Any) -> Act:
    """Carries out one operation of the agent on the newest revision, unless told otherwise."""
    numbers = count(1)

    def carry_out(
        op: dict[str, Any],
        *,
        user: Any = agent,
        base_revision: int | None = None,
        operation_id: str = "",
    ) -> OperationResult:
        newest = Document.objects.get(pk=document.pk).revision
        return services.apply_operation(
            document_id=document.pk,
            user=user,
            base_revision=newest if base_revision is None else base_revision,
            op=op,
            operation_id=operation_id or f"operation-{next(numbers)}",
        )

    return carry_out


def texts(document: Document) -> list[str]:
    document.refresh_from_db()
    return [row["text"] for row in claimset.read(document.content)["claims"]]


def ids(document: Document) -> list[str]:
    document.refresh_from_db()
    return [row["id"] for row in claimset.read(document.content)["claims"]]


def insert(after_id: str | None, text: str) -> dict[str, Any]:
    return {"kind": "insert", "after_id": after_id, "text": text}
