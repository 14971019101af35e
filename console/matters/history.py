"""The versions of a document: every change is kept, and undo and redo walk along them.

Each version's detail says where the document stands: `at` is the revision whose content it shows,
`redo` the revisions that an undo has left behind. A version that the agent can undo names in `from`
the place it started from. So undo goes to `from`, redo to the newest of `redo`, both as versions of
their own: nothing is ever taken away, and everything survives a reload.

What a draft does before a claim is finished (begin, restart, fail) is kept too, but it is no step
that the agent would undo.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from console.accounts.models import User
from console.matters import claimset
from console.matters.claimset import Content
from console.matters.models import Document, DocumentVersion

COALESCE_WITHIN = timedelta(minutes=2)
_LONGEST_REDO = 200
UNLISTED = ("begin", "restart", "fail")


@dataclass(frozen=True)
class Place:
    """Where the document stands in its history."""

    at: int
    redo: tuple[int, ...]
    before: int | None

    @property
    def can_undo(self) -> bool:
        return self.before is not None

    @property
    def can_redo(self) -> bool:
        return bool(self.redo)


def place_of(document: Document) -> Place:
    newest = _newest(document)
    if newest is None or newest.revision < document.revision:
        return Place(document.revision, (), None)
    at = newest.detail.get("at", newest.revision)
    shown = newest if at == newest.revision else _version(document, at)
    before = shown.detail.get("from") if shown else None
    return Place(at, tuple(newest.detail.get("redo", ())), before)


def content_at(document: Document, revision: int) -> Content | None:
    version = _version(document, revision)
    return claimset.read(version.content) if version else None


def numbering_at(document: Document, revision: int) -> dict[str, int]:
    """The numbers that a reader of that revision saw.

    A revision that later typing has taken over has the order of the one before it.
    """
    content = claimset.read(document.content)
    if revision < document.revision:
        version = document.versions.filter(revision__lte=revision).first()
        content = claimset.read(version.content) if version else content
    return claimset.numbering(content)


def record(
    document: Document,
    content: Content,
    *,
    operation: str,
    author: User | None,
    detail: dict[str, Any],
    place: Place | None = None,
) -> None:
    """Sets the content as the next revision (not saved) and keeps it as a version (saved).

    `place`: where the document stands afterwards, for undo and redo. Otherwise the version is a
    step of its own, or, for what a draft does before it has a text, leaves the place as it was.
    """
    before = _placed(document)
    revision = document.revision + 1
    if operation == "edit" and _typing_goes_on(document, content, revision, author, detail):
        return
    if place is not None:
        detail = {**detail, "at": place.at, "redo": list(place.redo[-_LONGEST_REDO:])}
    elif operation in UNLISTED:
        detail = {**detail, "at": before.at, "redo": list(before.redo)}
    else:
        detail = {**detail, "at": revision, "from": before.at}
    DocumentVersion.objects.create(
        document=document,
        revision=revision,
        content=content,
        operation=operation,
        detail={**detail, "since": timezone.now().isoformat()},
        author=author,
    )
    document.revision = revision
    document.content = content


def record_start(document: Document, *, author: User | None) -> None:
    """The version that everything starts from."""
    DocumentVersion.objects.create(
        document=document,
        revision=document.revision,
        content=document.content,
        operation="created",
        detail={"at": document.revision},
        author=author,
    )


def _placed(document: Document) -> Place:
    """The place, after making sure that there is a version to go back to."""
    newest = _newest(document)
    if newest is None or newest.revision < document.revision:
        record_start(document, author=None)
    return place_of(document)


def _typing_goes_on(
    document: Document,
    content: Content,
    revision: int,
    author: User | None,
    detail: dict[str, Any],
) -> bool:
    """Moves the author's newest version on, if it is a recent edit of the same claim."""
    newest = _newest(document)
    if (
        newest is None
        or newest.operation != "edit"
        or newest.revision != document.revision
        or author is None
        or newest.author_id != author.pk
        or newest.detail.get("claim_id") != detail.get("claim_id")
        or timezone.now() - datetime.fromisoformat(newest.detail["since"]) > COALESCE_WITHIN
    ):
        return False
    newest.revision = document.revision = revision
    newest.content = document.content = content
    newest.detail = {**newest.detail, **detail, "at": revision}
    newest.at = timezone.now()
    newest.save(update_fields=["revision", "content", "detail", "at"])
    return True


def _newest(document: Document) -> DocumentVersion | None:
    return document.versions.first()


def _version(document: Document, revision: int) -> DocumentVersion | None:
    return document.versions.filter(revision=revision).first()
