"""Rule packs as authors work on them: drafts, reviews, and what was published, by whom and why.

What is in force stands in the rule store (etcd); this is the way there, and its history.
"""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Pack(models.Model):
    slug = models.SlugField(_("标识"), max_length=50, unique=True)
    title = models.CharField(_("名称"), max_length=120)
    four_eyes = models.BooleanField(
        _("四眼原则"), default=False, help_text=_("发布人不得是修改过该草稿的人。")
    )

    class Meta:
        verbose_name = pgettext_lazy("one", "规则包")
        verbose_name_plural = pgettext_lazy("many", "规则包")
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.title


class State(models.TextChoices):
    DRAFT = "draft", _("草稿")
    REVIEW = "review", _("待审核")
    PUBLISHED = "published", _("已发布")
    DISCARDED = "discarded", _("已放弃")


class PackVersion(models.Model):
    """One version. `number` is the rule store's, and is set when the version is published.

    A published document never changes. `revision` grows by one with every saved change of a draft;
    a change names the revision that it was made on, so that nobody overwrites another's silently.
    """

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField(_("版本"), null=True)
    state = models.CharField(_("状态"), max_length=10, choices=State, default=State.DRAFT)
    document = models.JSONField()
    digest = models.CharField(max_length=64)
    revision = models.PositiveIntegerField(default=0)
    reason = models.CharField(_("修改理由"), max_length=400)
    base = models.ForeignKey("self", models.PROTECT, null=True, related_name="+")
    # Null: the version came with the software, or from the command line.
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    editors = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="+")
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)
    published_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = pgettext_lazy("one", "版本")
        verbose_name_plural = pgettext_lazy("many", "版本")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["pack", "number"], name="one_version_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.pack.slug} {self.number or self.get_state_display()}"


class Regression(models.Model):
    """What a draft would change over stored texts. Carried out by a worker (rules/tasks.py).

    `refused` and `accepted` are texts with another verdict than under the version in force:
    [{"source", "claim", "position"}], with the text itself only where it is public. Both lists are
    cut; the counts are not.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    version = models.ForeignKey(PackVersion, models.CASCADE, related_name="regressions")
    revision = models.PositiveIntegerField()
    status = models.CharField(max_length=10, default="waiting")
    stop_wanted = models.BooleanField(default=False)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0)
    refused_count = models.PositiveIntegerField(default=0)
    accepted_count = models.PositiveIntegerField(default=0)
    refused = models.JSONField(default=list)
    accepted = models.JSONField(default=list)
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.version} {self.status}"
