"""One claim of a job: begun in the document, written by a node, checked, filled or given up."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from console.drafting.checks import problem_of
from console.drafting.delivery import Delivery, Tally
from console.drafting.families import (
    ReadClaim,
    family_of,
    place_after,
    read_claims,
    renumbered,
)
from console.drafting.models import DraftJob
from console.drafting.nodes import NodePool
from console.drafting.orders import MAX_ATTEMPTS, Orders
from console.drafting.plan import PlannedClaim
from console.drafting.replay import Writing
from console.drafting.writer import EventWriter
from console.matters import selectors as matters
from console.matters import services as matter_services
from console.matters.services import BegunClaim, ClaimGone, ClaimSetError


def drop_open_claim(job: DraftJob) -> None:
    """Takes a job's unfinished claim out of its document, or puts the claim's earlier text back."""
    for row in matters.claim_set(job.document_id):
        if row["state"] == "writing":
            matter_services.fail_claim(
                document_id=job.document_id, claim_id=row["id"], job_id=job.pk
            )


@dataclass(frozen=True)
class Attempt:
    """One try: what it wrote, how many tokens that took, and why it cannot stand ("" if it can)."""

    text: str
    tokens: int
    problem: str
    numbering: Mapping[str, int]


@dataclass
class ClaimWork:
    """Writes the claims of one job. `done` and `failed` count them, a former owner's included."""

    job: DraftJob
    writer: EventWriter
    pool: NodePool
    orders: Orders
    tally: Tally
    done: int = 0
    failed: int = 0

    def __post_init__(self) -> None:
        # Set when the job writes one existing claim anew, which then must become another one.
        self._rewritten: str = self.job.params.get("claim_id", "")
        self._former = ""

    def write(self, index: int, planned: PlannedClaim, resumed: Writing | None) -> None:
        """Writes the claim at `index` of the plan, from where a former owner stood, if any.

        Ends with claim.completed or claim.failed in the log. Raises what EventWriter and Delivery
        raise, and StateError when the rules admit no such claim.
        """
        claims = self._claims()
        # The number that it would have if all before it had been written.
        number = len(claims) - self.done + index + 1
        if planned.kind == "dependent" and not family_of(claims, planned):
            message = _("没有可供引用的独立权利要求（没有写成，或已被删除），因此没有写。")
            self._say_failed(index, "", number, "no_independent", message)
            return
        begun: BegunClaim | None = None
        try:
            if resumed and self._finish_filled(resumed):
                return
            begun = self._begin(planned, claims)
            self._write(index, planned, claims, begun, resumed)
        except ClaimGone:
            gone = begun or resumed
            self._say_failed(
                index,
                gone.claim_id if gone else self._rewritten,
                gone.number if gone else number,
                "removed",
                _("写作过程中该权利要求被删除。"),
            )

    # --- attempts ---------------------------------------------------------------------------------

    def _write(
        self,
        index: int,
        planned: PlannedClaim,
        claims: list[ReadClaim],
        begun: BegunClaim,
        resumed: Writing | None,
    ) -> None:
        going_on = resumed if resumed and resumed.claim_id == begun.claim_id else None
        first = going_on.attempt + going_on.discarded if going_on else 1
        if going_on and going_on.discarded:
            going_on = None
        problem = "too_long"
        for number in range(first, MAX_ATTEMPTS + 1):
            attempt = self._attempt(index, planned, claims, begun, number, going_on)
            problem = attempt.problem or self._fill(begun, attempt)
            if not problem:
                return
            self.tally.discard(problem, attempt.tokens)
            self.writer.event(
                "claim.retry", claim_id=begun.claim_id, attempt=number, reason=problem
            )
            claims = self._claims()
            begun, going_on = self._begin(planned, claims), None
        matter_services.fail_claim(
            document_id=self.job.document_id, claim_id=begun.claim_id, job_id=self.job.pk
        )
        if planned.kind == "dependent" and self.orders.notes.nothing_left:
            problem = "exhausted"
            message = _("交底书中没有更多可写的特征。可补充交底书，或给出提示后继续起草。")
        else:
            message = _("多次尝试仍未写出合格的权利要求，未保存。可补充交底书或给出提示后重试。")
        self._say_failed(index, begun.claim_id, begun.number, problem, message)

    def _begin(self, planned: PlannedClaim, claims: list[ReadClaim]) -> BegunClaim:
        """The claim's place in the document; the same one again while it is being written."""
        if not self._rewritten:
            return matter_services.begin_claim(
                document_id=self.job.document_id,
                after_id=place_after(claims, planned),
                job_id=self.job.pk,
            )
        self._former = self._former or next(
            (one.text for one in claims if one.claim_id == self._rewritten), ""
        )
        return matter_services.restart_claim(
            document_id=self.job.document_id, claim_id=self._rewritten, job_id=self.job.pk
        )

    def _attempt(
        self,
        index: int,
        planned: PlannedClaim,
        claims: list[ReadClaim],
        begun: BegunClaim,
        attempt: int,
        going_on: Writing | None,
    ) -> Attempt:
        # A text that was begun goes on under the numbers that it was begun with.
        numbering = going_on.numbering if going_on else begun.numbering
        number = numbering[begun.claim_id]
        claims = renumbered(claims, numbering)
        hint = going_on.hint if going_on else self.orders.notes.take(planned, claims, attempt)
        order = self.orders.order(index, planned, claims, number, hint, attempt)
        if going_on is None:
            self.writer.event(
                "claim.started",
                claim_id=begun.claim_id,
                number=number,
                attempt=attempt,
                hint=hint,
                index=index,
                numbering=numbering,
            )
        self.writer.begin_text(begun.claim_id)
        delivery = Delivery(order, self.pool, self.writer, self.tally, begun=going_on)
        outcome = delivery.run()
        self.tally.given += delivery.given
        rules = self.orders.rules
        problem: str | None = None if outcome == "complete" else outcome
        if problem is None and delivery.text == self._former:
            problem = "duplicate"
        problem = problem or problem_of(
            delivery.text, planned, claims, number, rules.settings, rules.enforced
        )
        tokens = len(delivery.ids) - delivery.given
        return Attempt(delivery.text, tokens, problem or "", numbering)

    # --- ends -------------------------------------------------------------------------------------

    def _fill(self, begun: BegunClaim, attempt: Attempt) -> str:
        """Puts the text into the document; "" or why it cannot stand there."""
        # Asked first: a worker that lost the job changes no document.
        self.writer.assert_owner()
        try:
            filled = matter_services.fill_claim(
                document_id=self.job.document_id,
                claim_id=begun.claim_id,
                text=attempt.text,
                numbering=dict(attempt.numbering),
                job_id=self.job.pk,
            )
        except ClaimSetError:
            return "violation"
        self.tally.delivered += attempt.tokens
        self._say_completed(begun.claim_id, filled)
        return ""

    def _finish_filled(self, writing: Writing) -> bool:
        """Says what a former owner did but could not say any more. Raises ClaimGone."""
        rows = {row["id"]: row for row in matters.claim_set(self.job.document_id)}
        row: Any = rows.get(writing.claim_id)
        if row is None:
            raise ClaimGone
        if row["state"] == "writing":
            return False
        filled = matter_services.fill_claim(
            document_id=self.job.document_id,
            claim_id=writing.claim_id,
            text=row["text"],
            numbering=writing.numbering,
            job_id=self.job.pk,
        )
        self.tally.delivered += len(writing.ids) - writing.given
        self.tally.given += writing.given
        self._say_completed(writing.claim_id, filled)
        return True

    def _say_completed(self, claim_id: str, filled: matter_services.FilledClaim) -> None:
        self.done += 1
        self.writer.event(
            "claim.completed",
            claim_id=claim_id,
            number=filled.number,
            text=filled.text,
            revision=filled.revision,
            findings=filled.findings,
        )

    def _say_failed(
        self, index: int, claim_id: str, number: int, reason: str, message: str
    ) -> None:
        self.failed += 1
        self.writer.event(
            "claim.failed",
            claim_id=claim_id,
            number=number,
            reason=reason,
            message=message,
            index=index,
        )

    def _claims(self) -> list[ReadClaim]:
        return read_claims(matters.claim_set(self.job.document_id))
