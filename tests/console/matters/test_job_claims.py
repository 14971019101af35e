"""What a draft job does to the document, also when the agent works in it meanwhile."""

from typing import Any

import pytest

from console.matters import selectors, services
from console.matters.claimset import ClaimSetError
from console.matters.models import Document
from console.matters.services import BegunClaim, ClaimGone, FilledClaim
from tests.console.matters.conftest import Act, ids, insert, texts

FIRST = "一种散热装置，其特征在于，包括壳体。"
SECOND = "根据权利要求1所述的散热装置，其特征在于，还包括风扇。"

pytestmark = pytest.mark.django_db


def begin(document: Document, after_id: str | None = None, job: str = "job") -> BegunClaim:
    return services.begin_claim(document_id=document.pk, after_id=after_id, job_id=job)


def fill(document: Document, begun: BegunClaim, text: str, job: str = "job") -> FilledClaim:
    return services.fill_claim(
        document_id=document.pk,
        claim_id=begun.claim_id,
        text=text,
        numbering=begun.numbering,
        job_id=job,
    )


def fail(document: Document, begun: BegunClaim, job: str = "job") -> None:
    services.fail_claim(document_id=document.pk, claim_id=begun.claim_id, job_id=job)


def restart(document: Document, claim_id: str, job: str = "again") -> BegunClaim:
    return services.restart_claim(document_id=document.pk, claim_id=claim_id, job_id=job)


def states(document: Document) -> list[str]:
    return [row["state"] for row in selectors.claim_set(document.pk)]


def test_claims_are_begun_and_filled_one_after_the_other(document: Document) -> None:
    first = begin(document)
    assert (first.number, states(document)) == (1, ["writing"])
    filled = fill(document, first, FIRST)
    assert (filled.number, filled.text, states(document)) == (1, FIRST, ["proposed"])
    second = begin(document, first.claim_id)
    assert second.numbering == {first.claim_id: 1, second.claim_id: 2}
    assert fill(document, second, SECOND).findings == []
    assert texts(document) == [FIRST, SECOND]


def test_a_finding_names_its_claim_and_place(document: Document) -> None:
    first = begin(document)
    found = fill(document, first, FIRST.replace("壳体", "例如壳体")).findings
    finding = next(each for each in found if each["rule"] == "W01")
    assert finding["claim_id"] == first.claim_id
    assert FIRST.replace("壳体", "例如壳体")[finding["start"] : finding["end"]] == "例如"


def test_a_worker_that_repeats_itself_changes_nothing(document: Document) -> None:
    first = begin(document)
    assert begin(document).claim_id == first.claim_id
    fill(document, first, FIRST)
    revision = Document.objects.get(pk=document.pk).revision
    assert fill(document, first, "另一段文字。").text == FIRST
    fail(document, first)
    assert Document.objects.get(pk=document.pk).revision == revision


def test_what_the_agent_inserts_meanwhile_moves_the_citations_of_the_coming_text(
    document: Document, act: Act
) -> None:
    first = begin(document)
    fill(document, first, FIRST)
    second = begin(document, first.claim_id)
    act(insert(None, FIRST))
    filled = fill(document, second, SECOND)
    assert (filled.number, filled.text) == (3, SECOND.replace("1", "2", 1))


def test_a_claim_removed_while_it_is_written_is_gone(document: Document, act: Act) -> None:
    begun = begin(document)
    act({"kind": "remove", "claim_id": begun.claim_id})
    with pytest.raises(ClaimGone):
        fill(document, begun, FIRST)
    fail(document, begun)
    assert texts(document) == []


def test_another_job_cannot_fill_or_fail_the_claim(document: Document) -> None:
    begun = begin(document)
    with pytest.raises(ClaimGone):
        fill(document, begun, FIRST, job="other")
    fail(document, begun, job="other")
    assert states(document) == ["writing"]


def test_a_claim_behind_one_that_is_gone_is_begun_last(document: Document, act: Act) -> None:
    act(insert(None, FIRST))
    assert begin(document, "cgone").number == 2


def test_a_failed_claim_leaves_the_document_as_it_was(document: Document) -> None:
    fail(document, begin(document))
    assert texts(document) == []


def test_a_regeneration_is_proposed_and_can_be_rejected_back(document: Document, act: Act) -> None:
    act(insert(None, FIRST))
    (claim_id,) = ids(document)
    begun = restart(document, claim_id)
    assert restart(document, claim_id).revision == begun.revision
    fill(document, begun, FIRST.replace("壳体", "外壳"), job="again")
    assert states(document) == ["proposed"]
    act({"kind": "reject", "claim_id": claim_id})
    assert (texts(document), states(document)) == ([FIRST], ["accepted"])


def test_a_regeneration_that_fails_leaves_the_text(document: Document, act: Act) -> None:
    act(insert(None, FIRST))
    begun = restart(document, ids(document)[0])
    fail(document, begun, job="again")
    assert (texts(document), states(document)) == ([FIRST], ["accepted"])


def test_a_claim_that_another_job_writes_cannot_be_written_anew(document: Document) -> None:
    begun = begin(document)
    with pytest.raises(ClaimSetError) as refused:
        restart(document, begun.claim_id)
    assert refused.value.code == "claim_is_being_written"
    with pytest.raises(ClaimGone):
        restart(document, "cgone")


def test_undo_takes_a_written_claim_back_but_not_what_was_edited_meanwhile(
    document: Document, act: Act
) -> None:
    act(insert(None, FIRST))
    (first,) = ids(document)
    begun = begin(document, first)
    rev = selectors.claim_set(document.pk)[0]["rev"]
    act({"kind": "edit", "claim_id": first, "rev": rev, "text": FIRST + "改"})
    fill(document, begun, SECOND)
    act({"kind": "undo"})
    assert texts(document) == [FIRST + "改"]
    act({"kind": "redo"})
    assert texts(document) == [FIRST + "改", SECOND]


def test_undo_during_the_writing_leaves_the_writing_alone(document: Document, act: Act) -> None:
    act(insert(None, FIRST))
    (first,) = ids(document)
    rev = selectors.claim_set(document.pk)[0]["rev"]
    act({"kind": "edit", "claim_id": first, "rev": rev, "text": FIRST + "改"})
    begun = begin(document, first)
    act({"kind": "undo"})
    assert states(document) == ["accepted", "writing"]
    fill(document, begun, SECOND)
    assert texts(document) == [FIRST, SECOND]


def test_the_versions_name_the_job_and_leave_out_what_was_never_shown(
    document: Document, matter: Any
) -> None:
    begun = begin(document)
    fill(document, begun, FIRST)
    version = document.versions.get(operation="fill")
    assert (version.author, version.detail["job"]) == (None, "job")
    listed, more = selectors.versions_of(document)
    assert [(each.operation, each.current) for each in listed] == [
        ("fill", True),
        ("created", False),
    ]
    assert not more
