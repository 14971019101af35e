"""The business steps of matters. Each is one transaction; who shows the document is woken after.

A step that changes claims holds the document's row (PostgreSQL) or the database's write lock
(SQLite) from its first read on, so two steps never work on the same state.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from console.accounts import audit
from console.accounts.models import User
from console.matters import claimset, history
from console.matters.changes import (
    EditConflict,
    OperationResult,
    already_applied,
    locked,
    remember,
    result_of,
    save,
)
from console.matters.claimset import ClaimSetError
from console.matters.edits import carry_out, no_such_version
from console.matters.importing import read_disclosure
from console.matters.jobclaims import (
    BegunClaim,
    ClaimGone,
    FilledClaim,
    begin_claim,
    fail_claim,
    fill_claim,
    restart_claim,
)
from console.matters.models import Disclosure, Document, DocumentKind, Matter
from console.matters.operations import Operation, read_operation

__all__ = [
    "BegunClaim",
    "ClaimGone",
    "ClaimSetError",
    "EditConflict",
    "FilledClaim",
    "OperationResult",
    "apply_operation",
    "begin_claim",
    "create_matter",
    "fail_claim",
    "fill_claim",
    "import_disclosure",
    "restart_claim",
    "restore_version",
    "store_disclosure",
]


@transaction.atomic
def create_matter(
    *,
    user: User,
    team_id: int,
    title: str,
    reference: str = "",
    jurisdiction: str = "cn",
    language: str = "zh",
    kinds: Sequence[str] = (DocumentKind.CLAIMS,),
) -> Matter:
    """A matter with its documents, all empty. Claims are always among them."""
    matter = Matter.objects.create(
        team_id=team_id,
        title=title,
        reference=reference,
        jurisdiction=jurisdiction,
        language=language,
        created_by=user,
    )
    for kind in dict.fromkeys([DocumentKind.CLAIMS.value, *kinds]):
        content = dict(claimset.empty()) if kind == DocumentKind.CLAIMS else {}
        document = Document.objects.create(matter=matter, kind=kind, content=content)
        if kind == DocumentKind.CLAIMS:
            history.record_start(document, author=user)
    audit.record(actor=user, action="matter.create", target=f"matter:{matter.pk}")
    return matter


def import_disclosure(*, matter_id: UUID | str, user: User, name: str, data: bytes) -> Disclosure:
    """Reads the file and puts it in force. Raises importing.ImportFailed; then nothing changes."""
    read = read_disclosure(name, data)
    return store_disclosure(
        matter_id=matter_id, user=user, text=read.text, source_name=name, source_format=read.format
    )


@transaction.atomic
def store_disclosure(
    *,
    matter_id: UUID | str,
    user: User,
    text: str,
    source_name: str = "",
    source_format: str = "paste",
) -> Disclosure:
    """Puts a disclosure in force; the earlier ones are kept."""
    stored = Disclosure.objects.create(
        matter_id=matter_id,
        text=text,
        source_name=source_name[:200],
        source_format=source_format,
        imported_by=user,
    )
    Matter.objects.filter(pk=matter_id).update(updated_at=timezone.now())
    audit.record(
        actor=user,
        action="disclosure.import",
        target=f"matter:{matter_id}",
        format=source_format,
        characters=len(text),
    )
    return stored


def apply_operation(
    *,
    document_id: UUID | str,
    user: User,
    base_revision: int,
    op: Mapping[str, Any] | Operation,
    operation_id: str = "",
) -> OperationResult:
    """Carries one act of the agent out; the same `operation_id` a second time changes nothing.

    Raises BadOperation (form), ClaimSetError (the act would leave the claims worse), EditConflict
    (the claim was changed since the text was based on it).
    """
    operation = read_operation(dict(op)) if isinstance(op, Mapping) else op
    with transaction.atomic():
        document = locked(document_id)
        if already_applied(document, operation_id):
            return result_of(document)
        claim_id = carry_out(document, operation, user=user, base_revision=base_revision)
        remember(document, operation_id)
        return save(document, claim_id)


def restore_version(
    *, document_id: UUID | str, user: User, revision: int, operation_id: str = ""
) -> OperationResult:
    """The claims of that version again, as a new version. Raises ClaimSetError."""
    with transaction.atomic():
        document = locked(document_id)
        if already_applied(document, operation_id):
            return result_of(document)
        target = history.content_at(document, revision)
        if target is None:
            raise no_such_version()
        current = claimset.read(document.content)
        content = claimset.restore(current, target, revision=document.revision + 1)
        detail = {"version": revision}
        history.record(document, content, operation="restore", author=user, detail=detail)
        remember(document, operation_id)
        return save(document, None)
