"""What the agent's operations do to the stored document."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from console.matters import history
from console.matters.changes import EditConflict
from console.matters.claimset import ClaimSetError
from console.matters.models import Document, DocumentVersion, Matter
from console.matters.operations import BadOperation
from tests.console.matters.conftest import Act, ids, insert, texts

FIRST = "一种散热装置，其特征在于，包括壳体。"
SECOND = "根据权利要求1所述的散热装置，其特征在于，还包括风扇。"
THIRD = "根据权利要求2所述的散热装置，其特征在于，所述风扇有五个叶片。"

pytestmark = pytest.mark.django_db


@pytest.fixture
def three(act: Act, document: Document) -> list[str]:
    """Three claims in a chain; their ids."""
    after = None
    for text in (FIRST, SECOND, THIRD):
        after = act(insert(after, text)).claim_id
    return ids(document)


def edit(result_or_claims: Any, claim_id: str, text: str) -> dict[str, Any]:
    rev = next(row["rev"] for row in result_or_claims if row["id"] == claim_id)
    return {"kind": "edit", "claim_id": claim_id, "rev": rev, "text": text}


def claims(document: Document) -> list[dict[str, Any]]:
    document.refresh_from_db()
    return document.content["claims"]


def test_an_inserted_claim_renumbers_the_citations_behind_it(
    act: Act, document: Document, three: list[str]
) -> None:
    result = act(insert(three[0], SECOND))
    assert [row["number"] for row in result.claims] == [1, 2, 3, 4]
    assert texts(document) == [FIRST, SECOND, SECOND, THIRD.replace("2", "3", 1)]


def test_each_change_is_a_revision_and_a_version_with_its_author(
    act: Act, document: Document, three: list[str], member: Any
) -> None:
    act({"kind": "move", "claim_id": three[2], "to": 2}, user=member)
    act(edit(claims(document), three[2], THIRD + "改"), user=member)
    versions = list(document.versions.values_list("revision", "operation", "author__username"))
    assert versions == [
        (4, "edit", "member"),
        (3, "insert", "agent"),
        (2, "insert", "agent"),
        (1, "insert", "agent"),
        (0, "created", "agent"),
    ]


def test_typing_in_one_claim_for_two_minutes_makes_one_version(
    act: Act, document: Document, three: list[str]
) -> None:
    for tail in ("一", "一二", "一二三"):
        act(edit(claims(document), three[0], FIRST + tail))
    assert document.versions.filter(operation="edit").count() == 1
    newest = document.versions.first()
    assert newest is not None
    document.refresh_from_db()
    assert newest.revision == document.revision == 6
    assert newest.content["claims"][0]["text"] == FIRST + "一二三"


def test_typing_after_the_two_minutes_begins_a_new_version(
    act: Act, document: Document, three: list[str]
) -> None:
    act(edit(claims(document), three[0], FIRST + "一"))
    newest = document.versions.first()
    assert newest is not None
    begun = timezone.now() - history.COALESCE_WITHIN - timedelta(seconds=1)
    newest.detail["since"] = begun.isoformat()
    newest.save()
    act(edit(claims(document), three[0], FIRST + "一二"))
    assert document.versions.filter(operation="edit").count() == 2


def test_typing_of_two_authors_is_kept_apart(
    act: Act, document: Document, three: list[str], member: Any
) -> None:
    act(edit(claims(document), three[0], FIRST + "一"))
    act(edit(claims(document), three[0], FIRST + "一二"), user=member)
    act(edit(claims(document), three[1], SECOND + "一"), user=member)
    act(edit(claims(document), three[0], FIRST + "一二三"), user=member)
    kept = document.versions.filter(operation="edit").order_by("revision")
    assert [version.content["claims"][0]["text"] for version in kept] == [
        FIRST + "一",
        FIRST + "一二",
        FIRST + "一二",
        FIRST + "一二三",
    ]


def test_an_edit_of_an_older_text_is_a_conflict_that_shows_both(
    act: Act, document: Document, three: list[str], member: Any
) -> None:
    stale = edit(claims(document), three[0], FIRST + "我的")
    act(edit(claims(document), three[0], FIRST + "他的"), user=member)
    with pytest.raises(EditConflict) as conflict:
        act(stale)
    assert conflict.value.code == "edit_conflict"
    assert conflict.value.theirs is not None
    assert conflict.value.theirs["text"] == FIRST + "他的"
    assert conflict.value.yours == FIRST + "我的"
    assert texts(document)[0] == FIRST + "他的"


def test_edits_of_two_claims_on_the_same_revision_both_stay(
    act: Act, document: Document, three: list[str], member: Any
) -> None:
    first, second = (
        edit(claims(document), three[0], FIRST + "一"),
        edit(claims(document), three[1], SECOND + "二"),
    )
    act(first, base_revision=3)
    act(second, base_revision=3, user=member)
    assert texts(document)[:2] == [FIRST + "一", SECOND + "二"]


def test_the_same_text_again_is_neither_a_change_nor_a_conflict(
    act: Act, document: Document, three: list[str]
) -> None:
    act({"kind": "edit", "claim_id": three[0], "rev": 0, "text": FIRST})
    assert document.versions.count() == 4


def test_an_edit_of_a_removed_claim_gives_the_text_back(
    act: Act, document: Document, three: list[str]
) -> None:
    mine = edit(claims(document), three[2], THIRD + "改")
    act({"kind": "remove", "claim_id": three[2]})
    with pytest.raises(EditConflict) as conflict:
        act(mine)
    assert (conflict.value.code, conflict.value.yours) == ("claim_gone", THIRD + "改")


def test_a_new_citation_is_read_with_the_numbers_its_author_saw(
    act: Act, document: Document, three: list[str], member: Any
) -> None:
    act(insert(three[2], FIRST))
    seen = Document.objects.get(pk=document.pk).revision
    fourth = edit(claims(document), ids(document)[3], THIRD.replace("2", "3", 1))
    act(insert(None, FIRST), user=member)
    act(fourth, base_revision=seen)
    assert texts(document)[4] == THIRD.replace("2", "4", 1)


def test_an_operation_sent_twice_is_applied_once(
    act: Act, document: Document, three: list[str]
) -> None:
    again = insert(three[2], FIRST)
    first = act(again, operation_id="the-same-1")
    second = act(again, operation_id="the-same-1")
    assert (first.revision, len(second.claims)) == (second.revision, 4)


def test_accepting_and_rejecting_is_recorded_with_who_and_which_job(
    act: Act, document: Document, three: list[str], agent: Any
) -> None:
    from console.matters import services

    filled = []
    for job in ("job-1", "job-2"):
        begun = services.begin_claim(
            document_id=document.pk, after_id=ids(document)[-1], job_id=job
        )
        services.fill_claim(
            document_id=document.pk,
            claim_id=begun.claim_id,
            text=SECOND,
            numbering=begun.numbering,
            job_id=job,
        )
        filled.append(begun.claim_id)
    act({"kind": "accept", "claim_id": filled[0]})
    act({"kind": "reject", "claim_id": filled[1]})
    rejected, accepted = document.versions.all()[:2]
    assert (accepted.operation, accepted.author, accepted.detail["job"]) == (
        "accept",
        agent,
        "job-1",
    )
    assert (rejected.operation, rejected.author, rejected.detail["job"]) == (
        "reject",
        agent,
        "job-2",
    )
    assert len(ids(document)) == 4


def test_undo_and_redo_walk_through_everything_and_survive_a_reload(
    act: Act, document: Document, three: list[str]
) -> None:
    act({"kind": "move", "claim_id": three[2], "to": 2})
    act(edit(claims(document), three[2], THIRD + "改"))
    act({"kind": "remove", "claim_id": three[1]})
    states = [texts(document)]
    while True:
        result = act({"kind": "undo"})
        states.append(texts(document))
        if not result.can_undo:
            break
    assert states == [
        [FIRST, SECOND.replace("还包括风扇", "所述风扇有五个叶片") + "改"],
        [FIRST, SECOND, THIRD + "改"],
        [FIRST, SECOND, THIRD],
        [FIRST, SECOND],
        [FIRST],
        [],
    ]
    for expected in reversed(states[:-1]):
        result = act({"kind": "redo"})
        assert texts(document) == expected
    assert not result.can_redo
    with pytest.raises(ClaimSetError, match="重做"):
        act({"kind": "redo"})


def test_a_change_after_an_undo_ends_the_redo(
    act: Act, document: Document, three: list[str]
) -> None:
    act({"kind": "undo"})
    result = act(insert(three[1], FIRST))
    assert not result.can_redo
    act({"kind": "undo"})
    assert texts(document) == [FIRST, SECOND]
    act({"kind": "undo"})
    assert texts(document) == [FIRST]


def test_nothing_can_be_undone_in_a_new_document(act: Act) -> None:
    with pytest.raises(ClaimSetError) as refused:
        act({"kind": "undo"})
    assert refused.value.code == "nothing_to_undo"


def test_whoever_holds_a_text_from_before_an_undo_is_told(
    act: Act, document: Document, three: list[str]
) -> None:
    act(edit(claims(document), three[0], FIRST + "一"))
    stale = edit(claims(document), three[0], FIRST + "一二")
    act({"kind": "undo"})
    with pytest.raises(EditConflict):
        act(stale)


def test_a_document_made_elsewhere_can_be_undone_to_what_it_was(
    matter: Matter, agent: Any, act: Act, document: Document
) -> None:
    DocumentVersion.objects.filter(document=document).delete()
    row = {"id": "c1", "text": FIRST, "state": "accepted", "origin": "agent", "rev": 1}
    Document.objects.filter(pk=document.pk).update(content={"claims": [row]}, revision=7)
    act({"kind": "remove", "claim_id": "c1"})
    act({"kind": "undo"})
    assert texts(document) == [FIRST]


def test_the_counts_of_the_list_follow(act: Act, document: Document, three: list[str]) -> None:
    act(insert(three[2], "根据权利要求9所述的散热装置，其特征在于，还包括风扇。"))
    act(insert(three[2], ""))
    document.refresh_from_db()
    assert (document.claim_count, document.accepted_count) == (4, 4)
    assert document.error_count >= 1


@pytest.mark.parametrize(
    "op",
    [
        {},
        {"kind": "explode"},
        {"kind": "edit", "claim_id": "c1", "rev": "1", "text": "x"},
        {"kind": "edit", "claim_id": "c1", "rev": True, "text": "x"},
        {"kind": "edit", "claim_id": "c1", "rev": -1, "text": "x"},
        {"kind": "edit", "claim_id": ["c1"], "rev": 1, "text": "x"},
        {"kind": "edit", "claim_id": "c1", "rev": 1, "text": None},
        {"kind": "insert", "after_id": 5, "text": "x"},
        {"kind": "move", "claim_id": "c1", "to": 1.5},
        {"kind": "move", "claim_id": "../..", "to": 1},
        {"kind": "remove"},
    ],
)
def test_what_is_no_operation_is_refused_as_such(act: Act, op: dict[str, Any]) -> None:
    with pytest.raises(BadOperation):
        act(op)


def test_control_characters_never_reach_the_database(act: Act, document: Document) -> None:
    act(insert(None, "一种\x00装置\r\n，\ud800其特征\x1b在于。"))
    assert texts(document) == ["一种装置\n，其特征在于。"]
