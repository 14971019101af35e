"""What an agent can do with draft jobs: start, stop, pause, resume, write one claim anew.

The consumer, the command line and the tests call these; the caller has checked that the user may
see the matter.
"""

from collections.abc import Sequence
from typing import Any, cast
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from console.accounts.models import User
from console.drafting import leases, tasks
from console.drafting.broadcast import job_changed
from console.drafting.claimwork import drop_open_claim
from console.drafting.errors import DraftingError
from console.drafting.eventlog import EventLog, clear_control, set_control
from console.drafting.families import as_planned, read_claims
from console.drafting.models import ACTIVE, WORKING, DraftJob, JobStatus
from console.drafting.ownclaim import own_claim
from console.drafting.protocol import DraftParams
from console.matters import selectors as matters
from console.matters import services as matter_services
from console.matters.claimset import ClaimSetError
from console.matters.models import Document, Matter
from rules.store.client import active_pack

DEFAULT_PACK = {"cn": "cn-claims"}
# Beyond the jobs that run, so many of one user may wait.
MAX_WAITING_DRAFTS_PER_USER = 10


def start_draft(
    *, user: User, matter: Matter, params: DraftParams, request_id: str, pack_slug: str = ""
) -> DraftJob:
    """Makes a job that drafts claims, and queues it. The same `request_id` gives the same job, and
    is refused in another matter.

    An own first claim is put into an empty document before the job begins. Raises DraftingError
    and rules.store.StoreError.
    """
    known = _same_request(user, matter, request_id)
    if known:
        return known
    if not matters.disclosure_text(matter.pk).strip():
        raise DraftingError("no_disclosure", _("还没有技术交底书，请先导入或粘贴。"))
    if params["first_claim"] and params["count"] < 2:
        raise DraftingError("nothing_to_write", _("已给出权利要求1，项数至少应为2。"))
    if params["first_claim"]:
        params = {**params, "first_claim": _one_claim(params["first_claim"])}
    return _make_job(user, matter, cast(dict[str, Any], params), request_id, pack_slug)


def regenerate(
    *, user: User, matter: Matter, claim_id: str, instruction: str, request_id: str
) -> DraftJob:
    """Makes a job that writes one existing claim anew, after the agent's instruction if any.

    A draft that rests may have a claim written anew, and goes on afterwards. Raises DraftingError
    and rules.store.StoreError.
    """
    known = _same_request(user, matter, request_id)
    if known:
        return known
    document = matters.claims_document(matter.pk)
    if as_planned(read_claims(matters.claim_set(document.pk)), claim_id) is None:
        raise DraftingError("claim_gone", _("要重写的权利要求已不存在或尚无文字。"))
    params = {
        "count": 1, "categories": [], "product_subject": "", "method_subject": "",
        "first_claim": "", "pause_after_each": False, "instruction": instruction,
        "claim_id": claim_id,
    }  # fmt: skip
    return _make_job(user, matter, params, request_id, "")


def stop(*, job: DraftJob) -> None:
    """Ends a job: the model stops within a second, what is finished stays. Harmless at the end."""
    set_control(job.pk, "stop")
    if leases.end_unowned(job.pk, JobStatus.STOPPED):
        drop_open_claim(job)
        EventLog(job.pk).append_next("job.stopped")
        clear_control(job.pk)
        job_changed(job)


def pause(*, job: DraftJob) -> None:
    """Lets a job rest where it is, in the middle of a claim too. Raises DraftingError."""
    job.refresh_from_db(fields=["status"])
    if job.status not in (JobStatus.QUEUED, JobStatus.RUNNING):
        raise DraftingError("job_not_active", _("该起草任务没有在进行。"))
    set_control(job.pk, "pause")


def resume(*, job: DraftJob) -> None:
    """Lets a paused job go on. Raises DraftingError."""
    clear_control(job.pk)
    try:
        with transaction.atomic():
            woken = DraftJob.objects.filter(pk=job.pk, status=JobStatus.PAUSED).update(
                status=JobStatus.QUEUED
            )
    except IntegrityError as conflict:
        # One of its claims is being written anew.
        raise _job_active() from conflict
    job.refresh_from_db()
    if not woken and job.status not in (JobStatus.QUEUED, JobStatus.RUNNING):
        raise DraftingError("job_not_active", _("该起草任务没有暂停。"))
    tasks.dispatch(str(job.pk), again=True)
    job_changed(job)


def _same_request(user: User, matter: Matter, request_id: str) -> DraftJob | None:
    """The job that this request made before. Raises DraftingError when that was another matter's:
    the browser would show it as the start of this one."""
    jobs = DraftJob.objects.filter(user=user, request_id=request_id)
    known = jobs.select_related("document").first()
    if known and known.document.matter_id != matter.pk:
        raise DraftingError("request_reused", _("这一请求已用于另一案件，请刷新页面后重试。"))
    return known


def _make_job(
    user: User, matter: Matter, params: dict[str, Any], request_id: str, pack_slug: str
) -> DraftJob:
    # Asked before the transaction: nobody waits for a database that waits for etcd.
    pack = active_pack(pack_slug or DEFAULT_PACK[matter.jurisdiction])
    document = matters.claims_document(matter.pk)
    try:
        with transaction.atomic():
            _check_limits(user, document.pk, WORKING if params.get("claim_id") else ACTIVE)
            if params["first_claim"]:
                _put_first_claim(user, document, params["first_claim"])
            job = DraftJob.objects.create(
                document=document,
                user=user,
                request_id=request_id,
                params=params,
                pack_slug=pack.slug,
                pack_version=pack.version,
                pack_digest=pack.digest,
            )
    except IntegrityError as conflict:
        known = _same_request(user, matter, request_id)
        if known:
            return known
        raise _job_active() from conflict
    EventLog(job.pk).append_next("job.queued", position=leases.queue_position(job))
    transaction.on_commit(lambda: tasks.dispatch(str(job.pk), again=True))
    transaction.on_commit(lambda: job_changed(job))
    return job


def _check_limits(user: User, document_id: UUID | str, in_the_way: Sequence[JobStatus]) -> None:
    """Holds the user's row until the transaction ends, so that limits are counted one by one."""
    User.objects.select_for_update().get(pk=user.pk)
    if DraftJob.objects.filter(document_id=document_id, status__in=in_the_way).exists():
        raise _job_active()
    waiting = DraftJob.objects.filter(user=user, status=JobStatus.QUEUED).count()
    if waiting >= MAX_WAITING_DRAFTS_PER_USER:
        raise DraftingError(
            "too_many_drafts",
            _("您已有 %(count)d 个起草任务在排队，请等其中一个完成后再开始。") % {"count": waiting},
        )


def _job_active() -> DraftingError:
    return DraftingError("job_active", _("该案件已有起草任务，请先停止或等它完成。"))


def _one_claim(text: str) -> str:
    claim = own_claim(text)
    if claim is None:
        raise DraftingError(
            "first_claim_refused", _("给出的文字须为一项权利要求，编号为1或没有编号。")
        )
    return claim


def _put_first_claim(user: User, document: Document, text: str) -> None:
    rows = matters.claim_set(document.pk)
    if rows and rows[0]["text"] == text:
        return
    if rows:
        raise DraftingError(
            "first_claim_refused", _("权利要求书中已有内容，请直接编辑权利要求1后继续起草。")
        )
    try:
        matter_services.apply_operation(
            document_id=document.pk,
            user=user,
            base_revision=document.revision,
            op={"kind": "insert", "after_id": None, "text": text},
        )
    except ClaimSetError as error:
        raise DraftingError("first_claim_refused", str(error)) from error
