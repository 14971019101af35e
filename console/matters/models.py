"""A matter (案件) of a team, its disclosure, its documents and every version they ever had."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from console.accounts.models import Team


class DocumentKind(models.TextChoices):
    CLAIMS = "claims", _("权利要求书")
    ABSTRACT = "abstract", _("说明书摘要")
    DESCRIPTION = "description", _("说明书")
    DRAWINGS = "drawings", _("附图说明")
    REPLY = "reply", _("意见陈述书")


class Jurisdiction(models.TextChoices):
    CN = "cn", _("中国（CNIPA）")


class Language(models.TextChoices):
    ZH = "zh", _("中文")


class Matter(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    team = models.ForeignKey(Team, models.PROTECT, related_name="matters", verbose_name=_("团队"))
    title = models.CharField(_("发明名称"), max_length=120)
    reference = models.CharField(_("申请人案号"), max_length=60, blank=True)
    jurisdiction = models.CharField(
        _("受理局"), max_length=2, choices=Jurisdiction, default=Jurisdiction.CN
    )
    language = models.CharField(_("语言"), max_length=2, choices=Language, default=Language.ZH)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("案件")
        verbose_name_plural = _("案件")
        ordering = ["-updated_at"]

    def __str__(self) -> str:
        # The admin shows an operator what hangs on a team; the title is for the team alone.
        return str(self.pk)


class Disclosure(models.Model):
    """One import of the inventor's 技术交底书. The newest of a matter is the one in force."""

    matter = models.ForeignKey(Matter, models.CASCADE, related_name="disclosures")
    text = models.TextField()
    source_name = models.CharField(max_length=200, blank=True)
    source_format = models.CharField(max_length=8)
    imported_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    imported_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-imported_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.matter_id} {self.source_format}"


class Document(models.Model):
    """The current state of one formal document. `content` has the form that its kind defines.

    Claims: {"claims": [{"id", "text", "state", "origin", "rev"}]}, see console/matters/claimset.py.
    `revision` grows by one with every change; a change names the revision it was made on.
    The counts repeat what the content says (error-level findings too), for the list of matters.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    matter = models.ForeignKey(Matter, models.CASCADE, related_name="documents")
    kind = models.CharField(max_length=12, choices=DocumentKind)
    revision = models.PositiveIntegerField(default=0)
    content = models.JSONField(default=dict)
    claim_count = models.PositiveSmallIntegerField(default=0)
    accepted_count = models.PositiveSmallIntegerField(default=0)
    proposed_count = models.PositiveSmallIntegerField(default=0)
    error_count = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["matter", "kind"], name="one_document_of_a_kind")
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.matter_id}"


class DocumentVersion(models.Model):
    """The content after one change: append-only, so that anything can be restored.

    The one exception: while an author goes on typing in the same claim, his newest version moves on
    with the text (console/matters/history.py). `detail` says which claim, which job, and where the
    document stands for undo and redo.
    """

    document = models.ForeignKey(Document, models.CASCADE, related_name="versions")
    revision = models.PositiveIntegerField()
    content = models.JSONField()
    operation = models.CharField(max_length=24)
    detail = models.JSONField(default=dict)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-revision"]
        constraints = [
            models.UniqueConstraint(fields=["document", "revision"], name="one_version_a_revision")
        ]

    def __str__(self) -> str:
        return f"{self.document_id} r{self.revision}"


class AppliedOperation(models.Model):
    """An operation of a browser that has been carried out: sent again, it changes nothing."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="applied_operations")
    operation_id = models.CharField(max_length=64)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["document", "operation_id"], name="one_application_an_operation"
            )
        ]

    def __str__(self) -> str:
        return f"{self.document_id} {self.operation_id}"
