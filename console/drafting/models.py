"""A draft job: what was asked, under which rules, who carries it out, and how it ended."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from console.matters.models import Document


class JobStatus(models.TextChoices):
    QUEUED = "queued", _("排队中")
    RUNNING = "running", _("起草中")
    PAUSED = "paused", _("已暂停")
    COMPLETED = "completed", _("已完成")
    STOPPED = "stopped", _("已停止")
    FAILED = "failed", _("失败")


WORKING = (JobStatus.QUEUED, JobStatus.RUNNING)
ACTIVE = (*WORKING, JobStatus.PAUSED)


class DraftJob(models.Model):
    """`lease_owner` and `lease_until` make one worker the owner; leases.py alone changes them.

    `request_id` comes from the browser, so that a start sent twice makes one job.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    document = models.ForeignKey(Document, models.CASCADE, related_name="jobs")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="jobs")
    request_id = models.CharField(max_length=64)
    params = models.JSONField()
    pack_slug = models.CharField(max_length=60)
    pack_version = models.PositiveIntegerField()
    pack_digest = models.CharField(max_length=64)
    status = models.CharField(max_length=10, choices=JobStatus, default=JobStatus.QUEUED)
    progress = models.JSONField(default=dict)
    tokens = models.JSONField(default=dict)
    error_code = models.CharField(max_length=60, blank=True)
    error_message = models.CharField(max_length=300, blank=True)
    last_seq = models.PositiveIntegerField(default=0)
    lease_owner = models.CharField(max_length=80, blank=True)
    lease_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["user", "request_id"], name="one_job_a_request"),
            models.UniqueConstraint(
                fields=["document"],
                condition=models.Q(status__in=["queued", "running"]),
                name="one_working_job_a_document",
            ),
        ]
        indexes = [models.Index(fields=["status", "lease_until"])]

    def __str__(self) -> str:
        return f"{self.id} {self.status}"
