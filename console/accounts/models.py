"""Who works here: users, the teams that own matters, and the roles of the three audiences."""

import uuid
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Role(models.TextChoices):
    """A role is a Django group of the same name; a user may have several."""

    AGENT = "agent", _("专利代理师")
    RULE_AUTHOR = "rule_author", _("规则编写人")
    OPERATOR = "operator", _("运维人员")


class User(AbstractUser):
    display_name = models.CharField(_("姓名"), max_length=60, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("one", "用户")
        verbose_name_plural = pgettext_lazy("many", "用户")

    def __str__(self) -> str:
        return self.get_full_name()

    def get_full_name(self) -> str:
        return self.display_name or self.username

    def has_role(self, role: Role) -> bool:
        return self.is_active and self.groups.filter(name=role.value).exists()

    @cached_property
    def roles(self) -> frozenset[str]:
        """For pages, which ask several times: read once per request."""
        return frozenset(self.groups.values_list("name", flat=True))

    @property
    def is_agent(self) -> bool:
        return Role.AGENT in self.roles

    @property
    def is_operator(self) -> bool:
        return Role.OPERATOR in self.roles

    @property
    def enters_admin(self) -> bool:
        return self.is_superuser or bool(self.roles & {Role.OPERATOR, Role.RULE_AUTHOR})

    @property
    def home(self) -> str:
        """The address where this user's work begins."""
        from console.accounts.home import home_of

        return home_of(self)


class Team(models.Model):
    """The unit of confidentiality: a matter is visible to its team and to nobody else."""

    name = models.CharField(_("名称"), max_length=80, unique=True)
    members = models.ManyToManyField(User, through="Membership", related_name="teams")

    class Meta:
        verbose_name = pgettext_lazy("one", "团队")
        verbose_name_plural = pgettext_lazy("many", "团队")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    user = models.ForeignKey(User, models.CASCADE, verbose_name=_("用户"))
    team = models.ForeignKey(Team, models.CASCADE, verbose_name=_("团队"))
    since = models.DateTimeField(_("加入时间"), auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("one", "成员")
        verbose_name_plural = pgettext_lazy("many", "成员")
        constraints = [models.UniqueConstraint(fields=["user", "team"], name="one_membership")]

    def __str__(self) -> str:
        return f"{self.user} – {self.team}"


class AuditEntry(models.Model):
    """One action worth remembering, append-only. Holds ids and settings, never client text."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    at = models.DateTimeField(_("时间"), auto_now_add=True, db_index=True)
    actor = models.ForeignKey(
        User, models.PROTECT, null=True, related_name="+", verbose_name=_("操作人")
    )
    action = models.CharField(_("操作"), max_length=60)
    target = models.CharField(_("对象"), max_length=120)
    detail = models.JSONField(_("详情"), default=dict)

    class Meta:
        verbose_name = pgettext_lazy("one", "审计记录")
        verbose_name_plural = pgettext_lazy("many", "审计记录")
        ordering = ["-at"]

    def __str__(self) -> str:
        from console.accounts.audit import action_name

        return action_name(self.action)

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("An audit entry is never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("An audit entry is never deleted.")


class FailedLogin(models.Model):
    """One failed attempt to sign in; rows older than the throttle's window are deleted."""

    account = models.CharField(max_length=64)
    address = models.CharField(max_length=45)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        indexes = [models.Index(fields=["account", "address"])]

    def __str__(self) -> str:
        return f"{self.address} {self.at:%H:%M}"
