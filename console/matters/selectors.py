"""Reading matters. What a user may not see does not exist for him."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.http import Http404
from django.utils.translation import gettext as _

from console.accounts.models import Role, Team, User
from console.matters import claimset, history, linting
from console.matters.claimset import Content, NumberedRow
from console.matters.linting import FindingView
from console.matters.models import Disclosure, Document, DocumentKind, DocumentVersion, Matter

ACTIVE_JOB = ("queued", "running", "paused")


class MatterNotFound(Http404):
    """There is no such matter, or it is not this user's: the same answer to both."""

    code = "not_found"


def matter_for(user: Any, matter_id: UUID | str) -> Matter:
    """The matter, for an agent of its team. Raises MatterNotFound, also for what is no id."""
    if not isinstance(user, User) or not user.has_role(Role.AGENT):
        raise MatterNotFound
    try:
        return Matter.objects.select_related("team").get(pk=matter_id, team__members=user)
    except (Matter.DoesNotExist, ValidationError, ValueError) as error:
        raise MatterNotFound from error


def teams_of(user: User) -> QuerySet[Team]:
    return Team.objects.filter(members=user)


def matters_of(user: User, *, query: str = "", state: str = "") -> QuerySet[Matter]:
    """The matters of the user's teams, newest change first, with what the list shows of each."""
    claims = Document.objects.filter(matter=OuterRef("pk"), kind=DocumentKind.CLAIMS)
    # Beside a paused draft a claim may be written anew: running, then queued, then paused.
    active = claims.filter(jobs__status__in=ACTIVE_JOB).order_by("-jobs__status")
    running = active.values("jobs__status")[:1]

    def count(name: str) -> Coalesce:
        return Coalesce(Subquery(claims.values(name)[:1]), Value(0))

    found = (
        Matter.objects.filter(team__in=teams_of(user))
        .select_related("team")
        .annotate(
            claim_count=count("claim_count"),
            accepted_count=count("accepted_count"),
            proposed_count=count("proposed_count"),
            error_count=count("error_count"),
            running=Coalesce(Subquery(running), Value("")),
            has_disclosure=Exists(Disclosure.objects.filter(matter=OuterRef("pk"))),
        )
    )
    for word in query.split():
        found = found.filter(Q(title__icontains=word) | Q(reference__icontains=word))
    match state:
        case "running":
            found = found.exclude(running="")
        case "review":
            found = found.filter(proposed_count__gt=0)
        case "done":
            found = found.filter(claim_count__gt=0, proposed_count=0, running="")
        case "empty":
            found = found.filter(claim_count=0)
    return found.order_by("-updated_at", "-pk")


def claims_document(matter_id: UUID | str) -> Document:
    return Document.objects.select_related("matter").get(
        matter_id=matter_id, kind=DocumentKind.CLAIMS
    )


def claim_set(document_id: UUID | str) -> list[NumberedRow]:
    return claimset.numbered(claimset.read(Document.objects.get(pk=document_id).content))


def claim_in_work(document_id: UUID | str, job_id: UUID | str) -> str | None:
    """The id of the claim that this job is writing."""
    content = claimset.read(Document.objects.get(pk=document_id).content)
    mine = (
        row["id"]
        for row in content["claims"]
        if row["state"] == "writing" and row.get("job") == str(job_id)
    )
    return next(mine, None)


def findings(content: Content, title: str) -> list[FindingView]:
    return linting.findings(content, title)


def disclosure_of(matter_id: UUID | str) -> Disclosure | None:
    """The disclosure in force: the newest import."""
    return Disclosure.objects.filter(matter_id=matter_id).first()


def disclosure_text(matter_id: UUID | str) -> str:
    """Empty where nothing has been imported yet."""
    found = disclosure_of(matter_id)
    return found.text if found else ""


# --- What the browser gets ------------------------------------------------------------------------


def disclosure_view(found: Disclosure | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "text": found.text,
        "source_name": found.source_name,
        "source_format": found.source_format,
        "imported_at": found.imported_at.isoformat(),
    }


def state_of(matter: Matter, *, known_disclosure: str = "") -> dict[str, Any]:
    """Everything that the workspace shows, read anew.

    A disclosure may be a book: without the key "disclosure" for a reader who says (by its
    imported_at) that he has the one in force.
    """
    from console.drafting.selectors import job_view

    document = claims_document(matter.pk)
    content = claimset.read(document.content)
    place = history.place_of(document)
    state: dict[str, Any] = {
        "matter": {
            "id": str(matter.pk),
            "title": matter.title,
            "reference": matter.reference,
            "jurisdiction": matter.jurisdiction,
            "language": matter.language,
            "team": matter.team.name,
        },
        "document": {
            "id": str(document.pk),
            "revision": document.revision,
            "claims": claimset.numbered(content),
            "findings": findings(content, matter.title),
        },
        "job": job_view(document.pk),
        "can_undo": place.can_undo,
        "can_redo": place.can_redo,
    }
    newest = Disclosure.objects.filter(matter=matter).values_list("imported_at", flat=True).first()
    if newest is None or newest.isoformat() != known_disclosure:
        state["disclosure"] = disclosure_view(disclosure_of(matter.pk))
    return state


# --- Versions -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class VersionView:
    revision: int
    operation: str
    author: str
    at: str
    summary: str
    current: bool


def versions_of(
    document: Document, *, before: int | None = None, limit: int = 200
) -> tuple[list[VersionView], bool]:
    """The newest versions below `before`, and whether there are older ones."""
    found = document.versions.exclude(operation__in=history.UNLISTED).select_related("author")
    if before is not None:
        found = found.filter(revision__lt=before)
    rows = list(found[: limit + 1])
    shown = document.versions.values_list("revision", flat=True).first()
    return [_version_view(row, row.revision == shown) for row in rows[:limit]], len(rows) > limit


def version_of(document: Document, revision: int) -> DocumentVersion:
    """Raises MatterNotFound."""
    found = document.versions.filter(revision=revision).first()
    if found is None:
        raise MatterNotFound
    return found


def _version_view(row: DocumentVersion, current: bool) -> VersionView:
    return VersionView(
        revision=row.revision,
        operation=row.operation,
        author=str(row.author) if row.author else "",
        at=row.at.isoformat(),
        summary=_summary(row),
        current=current,
    )


def _summary(row: DocumentVersion) -> str:
    sentences = {
        "created": _("新建"),
        "edit": _("修改权利要求%(number)s"),
        "insert": _("插入权利要求%(number)s"),
        "move": _("将权利要求%(number)s移到第%(to)s位"),
        "remove": _("删除权利要求%(number)s"),
        "accept": _("接受权利要求%(number)s"),
        "reject": _("拒绝权利要求%(number)s"),
        "fill": _("起草权利要求%(number)s"),
        "restore": _("恢复到版本%(version)s"),
        "undo": _("撤销"),
        "redo": _("重做"),
    }
    named = ("number", "to", "version")
    return sentences.get(row.operation, row.operation) % {
        name: row.detail.get(name, "") for name in named
    }
