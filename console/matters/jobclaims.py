"""What a draft job does to a document's claims: begin, fill or give up one claim at a time.

Each step may come twice, because a worker that was lost may have got further than it could say.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from console.matters import claimset, history
from console.matters.changes import OperationResult, locked, result_of, save
from console.matters.claimset import Content
from console.matters.linting import FindingView
from console.matters.models import Document


class ClaimGone(Exception):
    """The agent has removed the claim, or taken it over, while it was being written."""

    code = "claim_gone"


@dataclass(frozen=True)
class BegunClaim:
    """`numbering` is what the text about to be written may cite: claim id to number."""

    claim_id: str
    number: int
    numbering: dict[str, int]
    revision: int


@dataclass(frozen=True)
class FilledClaim:
    """`text` as it was stored: its citations follow what the agent moved meanwhile."""

    number: int
    text: str
    findings: list[FindingView]
    revision: int


@transaction.atomic
def begin_claim(*, document_id: UUID | str, after_id: str | None, job_id: UUID | str) -> BegunClaim:
    """A place for the job's next claim, behind `after_id` (None: before all; gone: last).

    Asked again while the job's claim is still being written, it gives that same claim.
    """
    document = locked(document_id)
    job = str(job_id)
    content = claimset.read(document.content)
    for row in content["claims"]:
        if row["state"] == "writing" and row.get("job") == job:
            return _begun(document, row["id"])
    claim_id = claimset.new_id()
    content = claimset.begin(content, claim_id, after_id, job=job, revision=document.revision + 1)
    _record(document, content, "begin", claim_id, job)
    return _begun(document, claim_id)


@transaction.atomic
def restart_claim(*, document_id: UUID | str, claim_id: str, job_id: UUID | str) -> BegunClaim:
    """The claim is to be written anew. Raises ClaimGone, ClaimSetError (claim_is_being_written)."""
    document = locked(document_id)
    job = str(job_id)
    row = _row(document, claim_id)
    if not (row["state"] == "writing" and row.get("job") == job):
        content = claimset.restart(
            claimset.read(document.content), claim_id, job=job, revision=document.revision + 1
        )
        _record(document, content, "restart", claim_id, job)
    return _begun(document, claim_id)


@transaction.atomic
def fill_claim(
    *,
    document_id: UUID | str,
    claim_id: str,
    text: str,
    numbering: Mapping[str, int],
    job_id: UUID | str,
) -> FilledClaim:
    """Stores the finished text as a proposal. Once more for the same claim and job: no change.

    Raises ClaimGone, and ClaimSetError (cites_removed_claim) where an undo has taken a cited claim
    away: then the claim is still being written and wants another text.
    """
    document = locked(document_id)
    job = str(job_id)
    row = _row(document, claim_id)
    if row.get("job") != job:
        raise ClaimGone
    if row["state"] == "writing":
        content = claimset.fill(
            claimset.read(document.content),
            claim_id,
            text,
            numbering_then=numbering,
            revision=document.revision + 1,
        )
        result = _record(document, content, "fill", claim_id, job)
    elif row["state"] == "failed":
        raise ClaimGone
    else:
        result = result_of(document, claim_id)
    stored = next(each for each in result.claims if each["id"] == claim_id)
    return FilledClaim(stored["number"], stored["text"], result.findings, result.revision)


@transaction.atomic
def fail_claim(*, document_id: UUID | str, claim_id: str, job_id: UUID | str) -> None:
    """The job gives the claim up: its earlier text stands again, or it goes. Harmless when gone."""
    document = locked(document_id)
    job = str(job_id)
    if not claimset.has(claimset.read(document.content), claim_id):
        return
    row = claimset.row_of(claimset.read(document.content), claim_id)
    if row["state"] == "writing" and row.get("job") == job:
        content = claimset.fail(
            claimset.read(document.content), claim_id, revision=document.revision + 1
        )
        _record(document, content, "fail", claim_id, job)


def _row(document: Document, claim_id: str) -> claimset.ClaimRow:
    if not claimset.has(claimset.read(document.content), claim_id):
        raise ClaimGone
    return claimset.row_of(claimset.read(document.content), claim_id)


def _record(
    document: Document, content: Content, operation: str, claim_id: str, job: str
) -> OperationResult:
    numbers = {**claimset.numbering(claimset.read(document.content)), **claimset.numbering(content)}
    detail = {"claim_id": claim_id, "number": numbers[claim_id], "job": job}
    history.record(document, content, operation=operation, author=None, detail=detail)
    return save(document, claim_id)


def _begun(document: Document, claim_id: str) -> BegunClaim:
    numbers = claimset.numbering(claimset.read(document.content))
    return BegunClaim(claim_id, numbers[claim_id], numbers, document.revision)
