"""The steps of a version: begun, saved, sent to review, published, and who did each.

The caller has checked that the user is a rule author (rules.access). Every step is one transaction
with its audit entry. Publishing and going back are in rules.publishing.
"""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from console.accounts import audit
from console.accounts.models import AuditEntry, User
from rules.errors import EditConflict, RulesError
from rules.models import Pack, PackVersion, State
from rules.store.records import BUILTIN, StoredPack, checked, digest_of

MAX_DRAFTS = 20


def adopt(stored: StoredPack) -> PackVersion:
    """The row of a version of the rule store, made if it is not known here yet: packs that came
    with the software, and what the command line published."""
    title = stored.document.get("title") or {}
    pack, _made = Pack.objects.get_or_create(
        slug=stored.slug, defaults={"title": title.get("zh", stored.slug)}
    )
    version, _made = PackVersion.objects.get_or_create(
        pack=pack,
        number=stored.version,
        defaults={
            "state": State.PUBLISHED,
            "document": stored.document,
            "digest": stored.digest,
            "reason": "",
            "author": None
            if stored.author == BUILTIN
            else User.objects.filter(username=stored.author).first(),
            "published_at": parse_datetime(stored.published_at),
        },
    )
    return version


@transaction.atomic
def begin(
    *,
    pack: Pack,
    base: PackVersion | None,
    user: User,
    reason: str,
    document: dict[str, Any] | None = None,
) -> PackVersion:
    """A draft that starts as the version `base`, or as an imported `document` in its place."""
    if not reason.strip():
        raise RulesError("reason_missing", _("请写明修改理由。"))
    if pack.versions.filter(state__in=(State.DRAFT, State.REVIEW)).count() >= MAX_DRAFTS:
        raise RulesError("wrong_state", _("该规则包的草稿过多，请先放弃不用的草稿。"))
    content = document if document is not None else base.document if base else {}
    draft = PackVersion.objects.create(
        pack=pack,
        document=content,
        digest=digest_of(content),
        reason=reason.strip()[:400],
        base=base,
        author=user,
    )
    draft.editors.add(user)
    _record(user, "begin" if document is None else "import", draft)
    return draft


@transaction.atomic
def take_in(*, document: dict[str, Any], user: User, reason: str) -> PackVersion:
    """An imported file as a draft over the newest published version of its pack, if there is one.

    Raises RulesError and rules.store.StoreError (a slug that cannot be one).
    """
    slug = checked(document["slug"])
    title = document.get("title")
    name = title.get("zh") if isinstance(title, dict) else None
    pack, _made = Pack.objects.get_or_create(slug=slug, defaults={"title": str(name or slug)[:120]})
    base = pack.versions.filter(state=State.PUBLISHED).order_by("-number").first()
    return begin(pack=pack, base=base, user=user, reason=reason, document=document)


@transaction.atomic
def save(
    *, version_id: int, user: User, base_revision: int, document: dict[str, Any]
) -> PackVersion:
    """Stores a draft's document. Raises EditConflict when it was saved since `base_revision`."""
    draft = locked(version_id)
    if draft.state != State.DRAFT:
        raise RulesError("wrong_state", _("只有草稿可以修改。"), status=409)
    if draft.revision != base_revision:
        last = audit_of(draft).filter(action="rules.save").select_related("actor").first()
        raise EditConflict(
            _("此草稿已被他人修改。两份内容都还在，请比较后决定。"),
            theirs=draft.document,
            yours=document,
            revision=draft.revision,
            by=str(last.actor) if last and last.actor else "",
        )
    digest = digest_of(document)
    if digest == draft.digest:
        return draft
    changed = changed_parts(draft.document, document)
    draft.document, draft.digest = document, digest
    draft.revision += 1
    draft.save()
    draft.editors.add(user)
    _record(user, "save", draft, parts=changed)
    return draft


@transaction.atomic
def submit(*, version_id: int, user: User) -> PackVersion:
    """Draft → review: from now on the document does not change."""
    return _step(version_id, user, "submit", (State.DRAFT,), State.REVIEW)


@transaction.atomic
def give_back(*, version_id: int, user: User, reason: str) -> PackVersion:
    """Review → draft, with the reviewer's reason."""
    return _step(version_id, user, "give_back", (State.REVIEW,), State.DRAFT, reason=reason[:400])


@transaction.atomic
def discard(*, version_id: int, user: User) -> PackVersion:
    return _step(version_id, user, "discard", (State.DRAFT, State.REVIEW), State.DISCARDED)


@transaction.atomic
def set_four_eyes(*, pack: Pack, user: User, on: bool) -> None:
    pack.four_eyes = on
    pack.save(update_fields=["four_eyes"])
    audit.record(actor=user, action="rules.four_eyes", target=f"pack:{pack.slug}", on=on)


def locked(version_id: int) -> PackVersion:
    """The version, held until the transaction ends. On SQLite the transaction itself holds it."""
    return (
        PackVersion.objects.select_for_update(of=("self",))
        .select_related("pack", "base")
        .get(pk=version_id)
    )


def audit_of(version: PackVersion) -> QuerySet[AuditEntry]:
    return AuditEntry.objects.filter(target=target_of(version))


def target_of(version: PackVersion) -> str:
    return f"pack:{version.pack.slug}:{version.pk}"


def changed_parts(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The names of the document's parts that differ, for the audit log."""
    keys = sorted(before.keys() | after.keys())
    return [key for key in keys if before.get(key) != after.get(key)]


def _step(
    version_id: int,
    user: User,
    step: str,
    allowed: tuple[State, ...],
    then: State,
    **detail: Any,
) -> PackVersion:
    version = locked(version_id)
    if version.state not in allowed:
        raise RulesError(
            "wrong_state",
            _("该版本现在是“%(state)s”，不能这样做。请刷新页面。")
            % {"state": version.get_state_display()},
            status=409,
        )
    version.state = then
    version.save(update_fields=["state", "changed_at"])
    _record(user, step, version, **detail)
    return version


def _record(user: User, step: str, version: PackVersion, **detail: Any) -> None:
    audit.record(
        actor=user,
        action=f"rules.{step}",
        target=target_of(version),
        revision=version.revision,
        digest=version.digest[:12],
        **detail,
    )
