"""One change of a document: hold it, apply it once, save it, tell the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from console.matters import claimset, history, linting, notify
from console.matters.claimset import NumberedRow
from console.matters.linting import FindingView
from console.matters.models import AppliedOperation, Document, Matter

# A browser that was offline sends its operations again for days, not for weeks.
_REMEMBERED = timedelta(days=14)


@dataclass(frozen=True)
class OperationResult:
    """The document after an operation. `claim_id`: the claim it was about, if one."""

    revision: int
    claims: list[NumberedRow]
    findings: list[FindingView]
    can_undo: bool
    can_redo: bool
    claim_id: str | None = None


class EditConflict(Exception):
    """The claim is no longer what the text was based on.

    code: edit_conflict (`theirs` is what it is now) or claim_gone (it was removed; theirs is None).
    `yours` is the text that was not stored, so that nobody loses it.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        theirs: NumberedRow | None,
        yours: str | None,
        revision: int,
        claims: Sequence[NumberedRow],
    ) -> None:
        super().__init__(message)
        self.code = code
        self.theirs = theirs
        self.yours = yours
        self.revision = revision
        self.claims = list(claims)


def locked(document_id: UUID | str) -> Document:
    """The document, held until the transaction ends. On SQLite the transaction itself holds it."""
    return (
        Document.objects.select_for_update(of=("self",))
        .select_related("matter")
        .get(pk=document_id)
    )


def already_applied(document: Document, operation_id: str) -> bool:
    return (
        bool(operation_id)
        and document.applied_operations.filter(operation_id=operation_id).exists()
    )


def remember(document: Document, operation_id: str) -> None:
    if operation_id:
        AppliedOperation.objects.create(document=document, operation_id=operation_id)
        old = timezone.now() - _REMEMBERED
        document.applied_operations.filter(at__lt=old).delete()


def save(document: Document, claim_id: str | None) -> OperationResult:
    """Stores the document as it is now, with its counts, and wakes its readers on commit."""
    result = result_of(document, claim_id)
    document.claim_count = sum(bool(row["text"].strip()) for row in result.claims)
    document.accepted_count = sum(
        row["state"] == "accepted" and bool(row["text"].strip()) for row in result.claims
    )
    document.proposed_count = sum(row["state"] == "proposed" for row in result.claims)
    document.error_count = linting.error_count(result.findings)
    document.save()
    Matter.objects.filter(pk=document.matter_id).update(updated_at=timezone.now())
    notify.changed_on_commit(document.pk, document.revision)
    return result


def result_of(document: Document, claim_id: str | None = None) -> OperationResult:
    content = claimset.read(document.content)
    place = history.place_of(document)
    return OperationResult(
        revision=document.revision,
        claims=claimset.numbered(content),
        findings=linting.findings(content, document.matter.title),
        can_undo=place.can_undo,
        can_redo=place.can_redo,
        claim_id=claim_id,
    )
