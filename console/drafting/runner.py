"""A draft job from beginning to end, in one worker.

1. Take the lease; fold the event log: that is where the job stands, whoever worked on it before.
2. Plan the claims (the first owner), or say that another worker goes on.
3. For each planned claim: begin it in the document, build its prompt and its grammar from the
   document of this moment, stream it, check it; write it again with another note when it fails.
4. After each claim look at what the reader wants: go on, pause, stop.
5. Leave: completed, stopped, paused, failed, or handed over to the next worker.

A crash at any point loses nothing: what the log holds is what the reader has, the document's steps
may be repeated, and the next owner begins at 1.
"""

import logging
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from console.drafting import leases, services
from console.drafting.broadcast import job_changed
from console.drafting.claimwork import ClaimWork, drop_open_claim
from console.drafting.delivery import NoNodeError, PromptTooLongError, Tally
from console.drafting.errors import DraftingError
from console.drafting.eventlog import EventLog, FencedError, LogUnavailableError
from console.drafting.families import as_planned, families, read_claims
from console.drafting.jobrecord import JobRecord
from console.drafting.keeper import Holding, Keeper
from console.drafting.material import Material
from console.drafting.models import DraftJob, JobStatus
from console.drafting.nodes import node_pool
from console.drafting.notes import Notes
from console.drafting.orders import Orders
from console.drafting.plan import PlannedClaim, plan_claims
from console.drafting.pump import pumped
from console.drafting.replay import fold
from console.drafting.rulesets import RuleSet, rule_set
from console.drafting.writer import EventWriter, HandOver, PauseAsked, StopAsked
from console.matters import selectors as matters
from inference.models.profiles import load as load_profile
from rules.compiler import PackError, StateError
from rules.store.client import StoreError

log = logging.getLogger(__name__)

# How long a job waits for rules that this machine has never read while etcd does not answer.
RULES_SECONDS = 60.0
# A browser may have seen events that a lost log no longer holds; the numbers go on above them.
SEQ_GAP_AFTER_LOSS = 100_000
_STATUS_OF_ENDING = {
    "job.completed": JobStatus.COMPLETED,
    "job.stopped": JobStatus.STOPPED,
    "job.failed": JobStatus.FAILED,
}


class ClaimByClaim(PauseAsked):
    """The agent wants to decide after each claim."""


class CannotDraftError(Exception):
    """The job as a whole cannot go on; `code` and the message are for the agent."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def run_job(job_id: str, keeper: Keeper) -> None:
    """Carries the job out as far as it goes in this worker; nothing when it is not its turn."""
    if keeper.draining.is_set():
        return
    owner = leases.new_owner(keeper.worker)
    job = leases.acquire(job_id, owner)
    if job is None:
        return
    with keeper.holding(owner) as holding:
        try:
            drafting = Drafting(job, owner, holding, keeper)
            with pumped(drafting.writer):
                drafting.run()
        except FencedError:
            log.warning("job %s goes on in another worker", job_id)
        except LogUnavailableError:
            log.error("job %s rests: its event log cannot be reached", job_id)
            leases.give_back(job_id, owner)


def place_of(error: Exception) -> str:
    """Kind and place of an error. Not its message: that may quote a client's text."""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    places = " < ".join(f"{Path(one.filename).name}:{one.lineno}" for one in reversed(frames))
    return f"{type(error).__name__} at {places}"


def sentence_of(error: StateError) -> str:
    """Why the rules admit no such claim, in the language that this process speaks."""
    english = (get_language() or "").startswith("en")
    return error.message_en if english else error.message_zh


class Drafting:
    """One job in the hands of this worker."""

    def __init__(self, job: DraftJob, owner: str, holding: Holding, keeper: Keeper) -> None:
        self.job = job
        self._owner = owner
        event_log = EventLog(job.pk, owner)
        self._state = fold(event_log.read())
        last_seq = self._state.last_seq
        if not last_seq and job.last_seq:
            last_seq = job.last_seq + SEQ_GAP_AFTER_LOSS
        self.writer = EventWriter(event_log, last_seq, holding, keeper.draining.is_set)
        self._tally = Tally(**job.tokens) if job.tokens else Tally()
        self._record = JobRecord(job, owner, self.writer, self._tally, keeper)
        self._work: ClaimWork | None = None

    def run(self) -> None:
        """Steps 2 to 5 of the module's description. Raises FencedError, LogUnavailableError."""
        if self._state.ending:
            # The former owner said how the job ended, and died before the database knew.
            self._record.leave(_STATUS_OF_ENDING[self._state.ending])
            return
        try:
            self._write_claims()
        except StopAsked:
            drop_open_claim(self.job)
            self._end("job.stopped")
        except PauseAsked as pause:
            self._pause(asked=not isinstance(pause, ClaimByClaim))
        except HandOver:
            self._record.hand_over()
        except (CannotDraftError, StoreError) as error:
            self._fail(error.code, str(error))
        except StateError as error:
            self._fail("claim_refused", sentence_of(error))
        except PackError as error:
            log.error("job %s: the rules cannot be used: %s", self.job.pk, error.code)
            self._fail("rules_unusable", _("规则包无法用于这项权利要求，请联系规则编写人。"))
        except NoNodeError:
            self._fail(
                "no_node", _("没有可用的推理节点，已写出的权利要求均已保留。请稍后继续起草。")
            )
        except PromptTooLongError:
            self._fail("prompt_too_long", _("技术交底与已有权利要求过长，超出模型的处理范围。"))
        except (FencedError, LogUnavailableError):
            raise
        except Exception as error:
            log.error("job %s failed: %s", self.job.pk, place_of(error))
            self._fail("internal_error", _("起草中出现内部错误，已写出的权利要求均已保留。"))
        else:
            self._complete()

    def _write_claims(self) -> None:
        disclosure = matters.disclosure_text(self.job.document.matter_id)
        material = Material(disclosure, self.writer.check)
        plan = self._begin(material)
        self._work = work = self._prepare(material, plan)
        for index in range(self._state.next_index, len(plan)):
            self.writer.check()
            resumed = self._state.writing if index == self._state.next_index else None
            work.write(index, plan[index], resumed)
            self._record.save(**self._counts(), index=index + 1, total=len(plan))
            if self.job.params.get("pause_after_each") and index + 1 < len(plan):
                raise ClaimByClaim

    def _begin(self, material: Material) -> tuple[PlannedClaim, ...]:
        """The plan. The first owner makes it; a later one finds it in the log."""
        if self._state.started:
            if self._state.paused:
                self.writer.event("job.resumed")
            else:
                self.writer.event("job.moved", reason="worker")
            job_changed(self.job)
            return self._state.plan
        plan = self._plan(material)
        if self.job.last_seq:
            # The log was lost: what the database knows to be done is not written again.
            plan = plan[int(self.job.progress.get("index", 0)) :]
        self.writer.event(
            "job.started", worker=self._owner, plan=[asdict(planned) for planned in plan]
        )
        self._record.save(**self._counts(), index=0, total=len(plan))
        job_changed(self.job)
        return tuple(plan)

    def _plan(self, material: Material) -> list[PlannedClaim]:
        claims = read_claims(matters.claim_set(self.job.document_id))
        rewritten = self.job.params.get("claim_id")
        if not rewritten:
            return plan_claims(
                self.job.params,
                self.job.document.matter.title,
                families(claims),
                tells=material.categories,
            )
        planned = as_planned(claims, rewritten)
        if planned is None:
            raise CannotDraftError("claim_gone", _("要重写的权利要求已不存在。"))
        return [planned]

    def _prepare(self, material: Material, plan: Sequence[PlannedClaim]) -> ClaimWork:
        notes = Notes(
            material,
            [hint for hint in self._state.hints if hint],
            wish=self.job.params.get("instruction", ""),
            rewriting=bool(self.job.params.get("claim_id")),
        )
        notes.share_out(plan)
        context_tokens = load_profile(settings.NODE_PROFILE).max_model_len
        return ClaimWork(
            job=self.job,
            writer=self.writer,
            pool=node_pool(),
            orders=Orders(self.job, self._rules(), notes, context_tokens),
            tally=self._tally,
            done=len(self._state.done),
            failed=self._state.failed,
        )

    def _rules(self) -> RuleSet:
        """The pinned rules; waits out an etcd that is away for a moment. Raises StoreError."""
        deadline = time.monotonic() + RULES_SECONDS
        while True:
            try:
                return rule_set(self.job.pack_slug, self.job.pack_version, self.job.pack_digest)
            except StoreError as error:
                if error.code != "rules_unavailable" or time.monotonic() > deadline:
                    raise
            self.writer.check()
            time.sleep(1)

    # --- leaving ----------------------------------------------------------------------------------

    def _end(self, kind: str, **fields: Any) -> None:
        self.writer.event(kind, **fields)
        self._record.leave(_STATUS_OF_ENDING[kind])

    def _fail(self, code: str, message: str) -> None:
        drop_open_claim(self.job)
        self.writer.event("job.failed", code=code, message=message)
        self._record.leave(JobStatus.FAILED, error_code=code, error_message=message[:300])

    def _complete(self) -> None:
        counts = self._counts()
        if counts["failed"] and not counts["done"]:
            if self.job.params.get("claim_id"):
                message = _("未能写出合格的新文字，原文字已保留。请给出提示后重试。")
            else:
                message = _(
                    "未能写出合格的独立权利要求。请补充交底书，或给出您自己的权利要求1后重试。"
                )
            self._fail("nothing_written", message)
        else:
            self._end("job.completed", **counts)

    def _pause(self, *, asked: bool) -> None:
        self.writer.event("job.paused")
        wish = self._record.leave(JobStatus.PAUSED)
        if wish == "stop":
            services.stop(job=self.job)
        elif asked and not wish:
            # The agent took the pause back before this worker had left.
            with suppress(DraftingError):
                services.resume(job=self.job)

    def _counts(self) -> dict[str, int]:
        if self._work is None:
            return {"done": len(self._state.done), "failed": self._state.failed}
        return {"done": self._work.done, "failed": self._work.failed}
