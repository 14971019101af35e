"""The audit log: what was done, by whom, to what. Ids and settings only, never client text."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from console.accounts.models import AuditEntry, User

# What is recorded, by the name that people read.
ACTIONS = {
    "claims.export": _("导出权利要求书"),
    "disclosure.import": _("导入技术交底书"),
    "matter.create": _("新建案件"),
    "password.change": _("更改密码"),
    "password.reset": _("重置密码"),
    "rules.begin": _("开始修改规则"),
    "rules.discard": _("放弃规则草稿"),
    "rules.four_eyes": _("开关四眼原则"),
    "rules.give_back": _("退回规则草稿"),
    "rules.go_back": _("恢复规则版本"),
    "rules.import": _("导入规则包"),
    "rules.publish": _("发布规则"),
    "rules.regression": _("回归检查"),
    "rules.save": _("保存规则草稿"),
    "rules.submit": _("送审规则草稿"),
    "rules.take_example": _("取权利要求作规则示例"),
    "team.change": _("更改团队"),
    "team.create": _("新建团队"),
    "team.delete": _("删除团队"),
    "user.change": _("更改用户"),
    "user.create": _("新建用户"),
}
# A matter stands there without its title, which is client text.
TARGETS = {"matter": _("案件"), "pack": _("规则包"), "team": _("团队"), "user": _("用户")}


def record(*, actor: User | None, action: str, target: str, **detail: Any) -> AuditEntry:
    """Appends one entry. `action` is one of ACTIONS, `target` "kind:id" with a kind of TARGETS;
    `detail` must be JSON-able.

    Call it in the transaction of the change itself: both are kept or neither is.
    """
    return AuditEntry.objects.create(actor=actor, action=action, target=target, detail=detail)


def action_name(action: str) -> str:
    """For people; an action that this release does not know stays as it was recorded."""
    return str(ACTIONS.get(action, action))


def target_name(target: str) -> tuple[str, str]:
    """("案件", id) for "matter:id". An unknown kind is part of the id."""
    kind, _colon, target_id = target.partition(":")
    return (str(TARGETS[kind]), target_id) if kind in TARGETS else ("", target)
