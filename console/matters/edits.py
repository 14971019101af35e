"""How each operation of the agent changes the document, on its newest revision."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from console.accounts.models import User
from console.matters import claimset, history
from console.matters.changes import EditConflict
from console.matters.claimset import ClaimSetError, Content
from console.matters.history import Place
from console.matters.models import Document
from console.matters.operations import (
    Accept,
    Edit,
    Insert,
    Move,
    Operation,
    Redo,
    Reject,
    Remove,
    Undo,
)


def carry_out(
    document: Document, operation: Operation, *, user: User, base_revision: int
) -> str | None:
    """Changes the document (not saved) and keeps the version. The id of the claim it was about.

    An operation that changes nothing leaves no version. Raises ClaimSetError, EditConflict.
    """
    match operation:
        case Edit():
            return _edit(document, operation, user, base_revision)
        case Insert():
            return _insert(document, operation, user, base_revision)
        case Undo():
            _undo(document, user)
            return None
        case Redo():
            _redo(document, user)
            return None
        case _:
            return _rearrange(document, operation, user)


def _edit(document: Document, op: Edit, user: User, base_revision: int) -> str:
    content = claimset.read(document.content)
    if not claimset.has(content, op.claim_id):
        raise _conflict(document, None, op.text)
    row = claimset.row_of(content, op.claim_id)
    if op.text == row["text"]:
        return op.claim_id
    if op.rev != row["rev"] and row["state"] != "writing":
        raise _conflict(document, op.claim_id, op.text)
    # Who knows the newest text has seen its revision, whatever he says.
    seen = history.numbering_at(document, max(base_revision, row["rev"]))
    changed = claimset.edit(
        content, op.claim_id, op.text, revision=document.revision + 1, seen=seen
    )
    if claimset.row_of(changed, op.claim_id)["text"] != row["text"]:
        _record(document, changed, "edit", op.claim_id, user)
    return op.claim_id


def _insert(document: Document, op: Insert, user: User, base_revision: int) -> str:
    claim_id = claimset.new_id()
    changed = claimset.insert(
        claimset.read(document.content),
        claim_id,
        op.after_id,
        op.text,
        revision=document.revision + 1,
        seen=history.numbering_at(document, base_revision),
    )
    _record(document, changed, "insert", claim_id, user)
    return claim_id


def _rearrange(document: Document, op: Move | Remove | Accept | Reject, user: User) -> str:
    content = claimset.read(document.content)
    if not claimset.has(content, op.claim_id):
        raise _conflict(document, None, None)
    revision = document.revision + 1
    match op:
        case Move():
            changed = claimset.move(content, op.claim_id, op.to, revision=revision)
            _record(document, changed, "move", op.claim_id, user, to=op.to + 1)
        case Remove():
            changed = claimset.remove(content, op.claim_id, revision=revision)
            _record(document, changed, "remove", op.claim_id, user)
        case Accept():
            changed = claimset.accept(content, op.claim_id)
            _record(document, changed, "accept", op.claim_id, user)
        case Reject():
            changed = claimset.reject(content, op.claim_id, revision=revision)
            _record(document, changed, "reject", op.claim_id, user)
    return op.claim_id


def _undo(document: Document, user: User) -> None:
    place = history.place_of(document)
    if place.before is None:
        raise ClaimSetError("nothing_to_undo", gettext_noop("没有可以撤销的修改。"))
    _go_to(document, place.before, (*place.redo, place.at), "undo", user)


def _redo(document: Document, user: User) -> None:
    place = history.place_of(document)
    if not place.redo:
        raise ClaimSetError("nothing_to_redo", gettext_noop("没有可以重做的修改。"))
    _go_to(document, place.redo[-1], place.redo[:-1], "redo", user)


def _go_to(
    document: Document, revision: int, redo: tuple[int, ...], operation: str, user: User
) -> None:
    target = history.content_at(document, revision)
    if target is None:
        raise no_such_version()
    current = claimset.read(document.content)
    content = claimset.restore(current, target, revision=document.revision + 1)
    place = Place(revision, redo, None)
    history.record(document, content, operation=operation, author=user, detail={}, place=place)


def _record(
    document: Document,
    changed: Content,
    operation: str,
    claim_id: str,
    user: User,
    **detail: object,
) -> None:
    """The version names the claim by the number it had, or for a new one has."""
    before = claimset.read(document.content)
    if changed == before:
        return
    numbers = {**claimset.numbering(changed), **claimset.numbering(before)}
    row = claimset.row_of(before if claimset.has(before, claim_id) else changed, claim_id)
    about = {"claim_id": claim_id, "number": numbers[claim_id], "job": row.get("job", "")}
    history.record(document, changed, operation=operation, author=user, detail={**about, **detail})


def no_such_version() -> ClaimSetError:
    return ClaimSetError("no_such_version", gettext_noop("没有这个版本。"))


def _conflict(document: Document, claim_id: str | None, yours: str | None) -> EditConflict:
    claims = claimset.numbered(claimset.read(document.content))
    theirs = next((row for row in claims if row["id"] == claim_id), None)
    if theirs is None:
        code, message = "claim_gone", _("这项权利要求已被删除。")
    else:
        code = "edit_conflict"
        message = _("权利要求%(number)d已在别处修改。") % {"number": theirs["number"]}
    return EditConflict(
        code, message, theirs=theirs, yours=yours, revision=document.revision, claims=claims
    )
