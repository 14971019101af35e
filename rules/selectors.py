"""What the editor's pages show of packs and versions. Reads only."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from console.accounts.models import User
from inference.etcd import EtcdError
from rules.access import is_rule_author
from rules.errors import RulesError
from rules.models import Pack, PackVersion, State
from rules.services import adopt, audit_of
from rules.store.client import StoreError, store

HISTORY_LENGTH = 100


def pack_in_force(pack: Pack) -> tuple[int | None, str]:
    """The number of the version in force and "" — or why it cannot be told now.

    A version that the console has not seen yet (published from the command line) is adopted.
    """
    try:
        active = store().in_force().get(pack.slug)
        if active is None:
            return None, ""
        if not pack.versions.filter(number=active.version).exists():
            adopt(store().version(pack.slug, active.version))
    except (EtcdError, StoreError) as error:
        return None, str(error)
    return active.version, ""


def latest(pack: Pack, active: int | None) -> PackVersion | None:
    """What the editor opens with: the newest open draft, else what is in force."""
    versions = pack.versions.select_related("pack", "base")
    open_ones = versions.filter(state__in=(State.DRAFT, State.REVIEW))
    return (
        open_ones.first()
        or versions.filter(number=active).first()
        or versions.exclude(state=State.DISCARDED).first()
    )


def version_of(slug: str, version_id: int) -> PackVersion:
    """Raises RulesError: not_found."""
    version = (
        PackVersion.objects.select_related("pack", "base", "author", "reviewer")
        .filter(pack__slug=slug, pk=version_id)
        .first()
    )
    if version is None:
        raise not_found()
    return version


def pack_of(slug: str) -> Pack:
    """Raises RulesError: not_found."""
    pack = Pack.objects.filter(slug=slug).first()
    if pack is None:
        raise not_found()
    return pack


def editor_for(user: object, slug: str) -> str | None:
    """The address of the pack's editor, for those who may open it."""
    pack = Pack.objects.filter(slug=slug).first() if is_rule_author(user) else None
    return reverse("admin:rules_pack_change", args=[pack.pk]) if pack else None


def not_found() -> RulesError:
    return RulesError("not_found", _("没有找到。"), status=404)


def version_summary(version: PackVersion) -> dict[str, Any]:
    return {
        "id": version.pk,
        "number": version.number,
        "state": version.state,
        "state_title": version.get_state_display(),
        "reason": version.reason,
        "author": _name(version.author),
        "reviewer": _name(version.reviewer),
        "base": version.base_id,
        "base_number": version.base.number if version.base else None,
        "revision": version.revision,
        "digest": version.digest,
        "at": (version.published_at or version.changed_at).isoformat(),
    }


def version_view(version: PackVersion, user: User) -> dict[str, Any]:
    """`may_publish` is about the four-eyes rule only."""
    edited = version.editors.filter(pk=user.pk).exists()
    return {
        **version_summary(version),
        "document": version.document,
        "may_publish": not (version.pack.four_eyes and edited),
    }


def history(pack: Pack) -> list[dict[str, Any]]:
    """Newest first, discarded drafts left out."""
    versions = pack.versions.select_related("base", "author", "reviewer").defer("document")
    kept = versions.exclude(state=State.DISCARDED)[:HISTORY_LENGTH]
    return [version_summary(version) for version in kept]


def steps_of(version: PackVersion) -> list[dict[str, Any]]:
    """The audit trail of one version, oldest first."""
    entries = audit_of(version).select_related("actor").order_by("at")[:HISTORY_LENGTH]
    return [
        {
            "at": entry.at.isoformat(),
            "actor": _name(entry.actor),
            "action": entry.action.removeprefix("rules."),
            "detail": entry.detail,
        }
        for entry in entries
    ]


def _name(user: User | None) -> str:
    return str(user) if user else ""
