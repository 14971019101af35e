"""Two hands on one document at the same time; on SQLite and on PostgreSQL."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from console.matters import selectors, services
from console.matters.changes import EditConflict, OperationResult
from console.matters.models import Document, Matter
from tests.console.matters.conftest import insert, texts

FIRST = "一种散热装置，其特征在于，包括壳体。"
SECOND = "根据权利要求1所述的散热装置，其特征在于，还包括风扇。"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def claims(act: Callable[..., OperationResult], document: Document) -> list[Any]:
    first = act(insert(None, FIRST)).claim_id
    return act(insert(first, SECOND)).claims


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Runs the acts in threads that start together; what each gave, or the exception it raised."""
    barrier = threading.Barrier(len(acts))
    results: list[Any] = [None] * len(acts)

    def run(place: int, act: Callable[[], Any]) -> None:
        barrier.wait()
        try:
            results[place] = act()
        except Exception as error:
            results[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def edit(document: Document, user: Any, row: Any, text: str) -> Callable[[], Any]:
    op = {"kind": "edit", "claim_id": row["id"], "rev": row["rev"], "text": text}
    return lambda: services.apply_operation(
        document_id=document.pk, user=user, base_revision=2, op=op
    )


def test_edits_of_different_claims_both_stay(
    document: Document, claims: list[Any], agent: Any, member: Any
) -> None:
    results = at_once(
        edit(document, agent, claims[0], FIRST + "一"),
        edit(document, member, claims[1], SECOND + "二"),
    )
    assert not [each for each in results if isinstance(each, Exception)]
    assert texts(document) == [FIRST + "一", SECOND + "二"]
    assert document.revision == 4


def test_of_two_edits_of_the_same_claim_one_is_a_conflict(
    document: Document, claims: list[Any], agent: Any, member: Any
) -> None:
    results = at_once(
        edit(document, agent, claims[0], FIRST + "一"),
        edit(document, member, claims[0], FIRST + "二"),
    )
    (conflict,) = [each for each in results if isinstance(each, Exception)]
    assert isinstance(conflict, EditConflict)
    assert conflict.theirs is not None
    assert {conflict.theirs["text"], conflict.yours} == {FIRST + "一", FIRST + "二"}
    assert texts(document)[0] == conflict.theirs["text"]


def test_the_same_operation_sent_at_once_is_applied_once(
    document: Document, claims: list[Any], agent: Any
) -> None:
    def send() -> OperationResult:
        return services.apply_operation(
            document_id=document.pk,
            user=agent,
            base_revision=2,
            op=insert(None, FIRST),
            operation_id="the-same-1",
        )

    results = at_once(send, send, send)
    assert not [each for each in results if isinstance(each, Exception)]
    assert len(texts(document)) == 3


def test_a_draft_and_its_agent_work_side_by_side(
    document: Document, claims: list[Any], agent: Any
) -> None:
    def draft() -> None:
        after = claims[1]["id"]
        for _round in range(5):
            begun = services.begin_claim(document_id=document.pk, after_id=after, job_id="job")
            services.fill_claim(
                document_id=document.pk,
                claim_id=begun.claim_id,
                text=f"根据权利要求{begun.numbering[claims[1]['id']]}所述的散热装置，其中，还包括风扇。",
                numbering=begun.numbering,
                job_id="job",
            )
            after = begun.claim_id

    def insert_before() -> None:
        for _round in range(5):
            services.apply_operation(
                document_id=document.pk, user=agent, base_revision=2, op=insert(None, FIRST)
            )

    assert at_once(draft, insert_before) == [None, None]
    rows = selectors.claim_set(document.pk)
    assert len(rows) == 12
    cited = next(row["number"] for row in rows if row["id"] == claims[1]["id"])
    drafted = [row["text"] for row in rows if row["origin"] == "model"]
    assert [text.startswith(f"根据权利要求{cited}所述") for text in drafted] == [True] * 5
    revisions = list(document.versions.values_list("revision", flat=True))
    assert revisions == sorted(set(revisions), reverse=True)


def test_readers_are_woken_once_the_change_is_committed(
    document: Document, claims: list[Any], agent: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from console.matters import notify

    woken: list[tuple[str, int, int]] = []

    def remember(group: str, message: dict[str, Any]) -> None:
        stored = Document.objects.get(pk=document.pk).revision
        woken.append((group, message["revision"], stored))

    monkeypatch.setattr(notify, "wake", remember)
    edit(document, agent, claims[0], FIRST + "一")()
    assert woken == [(notify.document_group(document.pk), 3, 3)]


def test_a_channel_layer_that_is_away_costs_no_change(
    document: Document, claims: list[Any], agent: Any, settings: Any, matter: Matter
) -> None:
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.core.RedisChannelLayer",
            "CONFIG": {"hosts": ["redis://127.0.0.1:9/0"]},
        }
    }
    edit(document, agent, claims[0], FIRST + "一")()
    assert texts(document)[0] == FIRST + "一"
