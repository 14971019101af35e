"""Putting a version into force, and going back to an older one."""

from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import audit
from console.accounts.models import User
from inference.etcd import EtcdError
from rules.bench.process import bench
from rules.errors import RulesError
from rules.models import Pack, PackVersion, State
from rules.services import locked, target_of
from rules.store.client import StoreError, store
from rules.store.probe import probe_grammar


def publish(*, version_id: int, user: User) -> PackVersion:
    """Review → published, and into force everywhere.

    1. The document is compiled and every example judged, by the engine and by lark, outside any
       transaction: it takes up to minutes.
    2. With the row held: the state, the four-eyes rule, and the version in force are looked at.
    3. The store writes version and active key in one transaction of its own, which fails when
       somebody else published since (StoreError publish_conflict).
    Should the process die after 3, the published version is adopted when the page is opened next,
    and publishing again finds the same document in force and changes nothing.
    """
    seen = PackVersion.objects.select_related("pack").get(pk=version_id)
    verify(seen.document)
    grammar = probe_grammar(seen.document)
    with transaction.atomic():
        version = locked(version_id)
        if version.state != State.REVIEW or version.digest != seen.digest:
            raise RulesError("wrong_state", _("只有待审核的草稿可以发布。请刷新页面。"), status=409)
        if version.pack.four_eyes and version.editors.filter(pk=user.pk).exists():
            raise RulesError(
                "four_eyes", _("此规则包实行四眼原则：请由没有修改过该草稿的人发布。"), status=403
            )
        found = in_force(version.pack.slug)
        active = found[0] if found else None
        base = version.base.number if version.base else None
        if found is not None and found == (base, version.digest):
            raise RulesError(
                "unchanged",
                _("草稿与生效的第%(number)d版相同，没有可以发布的修改。") % {"number": active},
                status=409,
            )
        # The same document in force: this very publication, whose row was lost.
        if found is not None and base != active and found[1] != version.digest:
            raise RulesError(
                "outdated",
                _("草稿开始之后，第%(number)d版已经生效。请在该版上重新开始草稿。")
                % {"number": active},
                status=409,
                active=active,
            )
        stored = store().publish(
            version.document,
            author=user.username,
            reason=version.reason,
            over=active,
            grammar=grammar,
        )
        # Adopted after a publication whose own transaction was lost: this version takes its place.
        for twin in version.pack.versions.filter(number=stored.version).exclude(pk=version.pk):
            PackVersion.objects.filter(base=twin).update(base=version)
            twin.delete()
        version.number = stored.version
        version.state = State.PUBLISHED
        version.reviewer = user
        version.published_at = datetime.now(UTC)
        version.save()
        audit.record(
            actor=user,
            action="rules.publish",
            target=target_of(version),
            version=stored.version,
            digest=version.digest[:12],
            # Of a publication whose row was lost, it is the one before it.
            replaced=base if stored.version == active else active,
            examples=len(version.document.get("examples", [])),
        )
    return version


def go_back(*, pack: Pack, number: int, over: int, user: User) -> None:
    """Puts the published version `number` into force instead of `over`.

    Raises StoreError: pack_unknown, publish_conflict and what the store raises.
    """
    with transaction.atomic():
        store().rollback(pack.slug, number, over=over)
        audit.record(
            actor=user,
            action="rules.go_back",
            target=f"pack:{pack.slug}",
            version=number,
            replaced=over,
        )


def verify(document: dict[str, Any]) -> None:
    """Raises RulesError unless the document compiles and each example has its verdict, by the
    engine and by lark."""
    problems = bench().check(document)["problems"]
    if problems:
        raise RulesError(
            "not_verified",
            _("规则包有 %(count)d 处错误，不能发布。") % {"count": len(problems)},
            problems=problems,
        )
    examples = document.get("examples", [])
    # The engine alone takes seconds: most drafts that fail do so here.
    verdicts = bench().judge_all(document, examples)
    failing = [index for index, verdict in enumerate(verdicts) if not verdict["as_stated"]]
    if failing:
        raise RulesError(
            "not_verified",
            _("%(count)d 个示例的判定与预期不符，不能发布。") % {"count": len(failing)},
            failing=failing,
        )
    differing = bench().verify(document, examples)
    if differing:
        raise RulesError(
            "disagreement",
            _("引擎与独立检查对 %(count)d 个示例判定不一，不能发布。这是编译器的错误，请报告。")
            % {"count": len(differing)},
            failing=[one["index"] for one in differing],
            disagreements=differing,
        )


def in_force(slug: str) -> tuple[int, str] | None:
    """Number and digest of the version in force, from etcd itself; None before the first one.

    Raises StoreError while etcd is away.
    """
    try:
        active = store().in_force().get(slug)
    except EtcdError as error:
        raise StoreError(
            "rules_unavailable", _("规则库暂时无法访问，现在不能发布。请稍后重试。")
        ) from error
    return (active.version, active.digest) if active else None
