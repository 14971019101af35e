"""One claim of a job: begun in the document, written by a node, checked, filled or given up."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from console.drafting import prompts
from console.drafting.beginnings import about_a_part, beginning, whole
from console.drafting.checks import problem_of
from console.drafting.delivery import Delivery, Order, Tally
from console.drafting.disclosure import cores, passages
from console.drafting.duplicates import body
from console.drafting.families import (
    ReadClaim,
    claim_state,
    family_of,
    place_after,
    read_claims,
    renumbered,
)
from console.drafting.features import (
    MAX_HINT,
    ONE_CLAUSE,
    count_hints,
    narrower,
    next_hint,
    read_features,
    says,
)
from console.drafting.models import DraftJob
from console.drafting.nodes import NodePool
from console.drafting.plan import PlannedClaim
from console.drafting.replay import Writing
from console.drafting.rulesets import RuleSet
from console.drafting.writer import EventWriter
from console.matters import selectors as matters
from console.matters import services as matter_services
from console.matters.services import BegunClaim, ClaimGone, ClaimSetError
from rules.compiler.verdict import judge

MAX_ATTEMPTS = 4
# The first attempt says what the model finds likeliest; later ones look further away.
TEMPERATURES = (0.0, 0.7, 0.8, 0.9)
# Whoever has a claim written anew does not want to read the likeliest text once more.
TEMPERATURES_ANEW = (0.7, 0.8, 0.9, 1.0)


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
    """Writes the claims of one job. `hints` are the notes that were used already."""

    job: DraftJob
    writer: EventWriter
    pool: NodePool
    rules: RuleSet
    tally: Tally
    disclosure: str
    context_tokens: int
    hints: list[str] = field(default_factory=list)
    _core_of: dict[str, str] = field(default_factory=dict)
    _scarce: bool = False
    done: int = 0
    failed: int = 0

    def __post_init__(self) -> None:
        self._matter = self.job.document.matter
        self._passages = passages(self.disclosure, prompts.DISCLOSURE_CHARACTERS)
        self._features = read_features(self.disclosure)
        self._cores = cores(self.disclosure, prompts.DISCLOSURE_CHARACTERS)
        self._narrower = narrower(self.disclosure)
        # The note of the claim in work.
        self._note = self.hints[-1] if self.hints else ""
        # Set when the job writes one existing claim anew, which then must become another one.
        self._rewritten: str = self.job.params.get("claim_id", "")
        self._former = ""
        self._wish: str = self.job.params.get("instruction", "")

    def share_out(self, plan: Sequence[PlannedClaim]) -> None:
        """Divides what the disclosure offers between independent claims and their dependents."""
        for root in {one for one in plan if one.kind == "independent"}:
            dependents = sum(
                one.kind == "dependent" and one.category == root.category for one in plan
            )
            self._core_of[root.category] = self._leaving(dependents, root.category)

    def _leaving(self, dependents: int, category: str) -> str:
        """The fullest core that leaves plenty of notes; else, with short ones, enough of them.

        A claim says more than its note when it can, so plenty is twice as many as there are claims.
        Where they are scarce, each claim keeps to its note.
        """
        best, most = "", -1
        for size, wanted in ((MAX_HINT, 2 * dependents), (ONE_CLAUSE, dependents)):
            features = read_features(self.disclosure, size=size)
            self._scarce, most = size == ONE_CLAUSE, -1
            for core in self._cores:
                left = count_hints(features, [core], wanted, category=category)
                if left > most:
                    best, most, self._features = core, left, features
                if left >= wanted:
                    return best
        return best

    def write(self, index: int, planned: PlannedClaim, resumed: Writing | None) -> None:
        """Writes the claim at `index` of the plan, from where a former owner stood, if any.

        Ends with claim.completed or claim.failed in the log. Raises what EventWriter and Delivery
        raise, and StateError when the rules admit no such claim.
        """
        claims = self._claims()
        if planned.kind == "dependent" and not family_of(claims, planned):
            # Its independent claim could not be written, or was removed: nothing to cite.
            self.failed += 1
            return
        try:
            if resumed is None or not self._finish_filled(resumed):
                self._write(index, planned, claims, resumed)
        except ClaimGone:
            claim_id = self._open_claim or (resumed.claim_id if resumed else "")
            self._say_failed(claim_id, 0, "removed", _("写作过程中该权利要求被删除。"))

    def _core(self, planned: PlannedClaim) -> str:
        return self._core_of.get(planned.category) or next(iter(self._cores), self._passages)

    # --- attempts ---------------------------------------------------------------------------------

    _open_claim = ""

    def _write(
        self,
        index: int,
        planned: PlannedClaim,
        claims: list[ReadClaim],
        resumed: Writing | None,
    ) -> None:
        begun = self._begin(planned, claims)
        going_on = resumed if resumed and resumed.claim_id == begun.claim_id else None
        first = going_on.attempt + going_on.discarded if going_on else 1
        if going_on and going_on.discarded:
            going_on = None
        problem = "too_long"
        for number in range(first, MAX_ATTEMPTS + 1):
            attempt = self._attempt(index, planned, begun, number, going_on)
            problem = attempt.problem or self._fill(begun, attempt)
            if not problem:
                return
            self.tally.discard(problem, attempt.tokens)
            self.writer.event(
                "claim.retry", claim_id=begun.claim_id, attempt=number, reason=problem
            )
            begun, going_on = self._begin(planned, self._claims()), None
        self._fail(begun.claim_id)
        if planned.kind == "dependent" and not self._note and not self._wish:
            problem = "exhausted"
            message = _("交底书中没有更多可写的特征。可补充交底书，或给出提示后继续起草。")
        else:
            message = _("多次尝试仍未写出合格的权利要求，未保存。可补充交底书或给出提示后重试。")
        self._say_failed(begun.claim_id, begun.number, problem, message)

    def _begin(self, planned: PlannedClaim, claims: list[ReadClaim]) -> BegunClaim:
        """The claim's place in the document; the same one again while it is being written."""
        if self._rewritten:
            self._former = self._former or next(
                (one.text for one in claims if one.claim_id == self._rewritten), ""
            )
            begun = matter_services.restart_claim(
                document_id=self.job.document_id, claim_id=self._rewritten, job_id=self.job.pk
            )
        else:
            begun = matter_services.begin_claim(
                document_id=self.job.document_id,
                after_id=place_after(claims, planned),
                job_id=self.job.pk,
            )
        self._open_claim = begun.claim_id
        return begun

    def _attempt(
        self,
        index: int,
        planned: PlannedClaim,
        begun: BegunClaim,
        attempt: int,
        going_on: Writing | None,
    ) -> Attempt:
        # A text that was begun goes on under the numbers that it was begun with.
        numbering = going_on.numbering if going_on else begun.numbering
        number = numbering[begun.claim_id]
        claims = renumbered(self._claims(), numbering)
        hint = going_on.hint if going_on else self._hint(planned, claims, attempt)
        order = self._order(index, planned, claims, number, hint, attempt)
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
        delivery = Delivery(
            order,
            self.pool,
            self.writer,
            self.tally,
            text=going_on.text if going_on else "",
            ids=going_on.ids if going_on else (),
        )
        outcome = delivery.run()
        problem: str | None = None if outcome == "complete" else outcome
        if problem is None:
            problem = (
                "duplicate"
                if delivery.text == self._former
                else problem_of(
                    delivery.text, planned, claims, number, self.rules.settings, self.rules.enforced
                )
            )
        tokens = len(delivery.ids) - delivery.given
        return Attempt(delivery.text, tokens, problem or "", numbering)

    def _order(
        self,
        index: int,
        planned: PlannedClaim,
        claims: list[ReadClaim],
        number: int,
        hint: str,
        attempt: int,
    ) -> Order:
        prompt = prompts.prompt_text(
            self._matter.title,
            self._core(planned) if planned.kind == "independent" else self._passages,
            claims,
            planned,
            number,
            hint,
            context_tokens=self.context_tokens,
        )
        grammar = self.rules.compiled.instantiate(claim_state(claims, planned, number))
        given = self._given(planned, claims, number, hint, attempt)
        if given and judge(grammar, given).kind != "incomplete":
            given = ""
        family = (
            [one for one in family_of(claims, planned) if one.number != number]
            if planned.kind == "dependent"
            else []
        )
        seed = hashlib.blake2b(f"{self.job.pk}/{index}/{attempt}".encode(), digest_size=4)
        return Order(
            prompt=prompt,
            grammar=grammar,
            max_tokens=prompts.MAX_TOKENS[planned.kind],
            temperature=self._temperature(attempt, given),
            seed=int.from_bytes(seed.digest()),
            key=str(self._matter.pk),
            given=given,
            siblings=tuple(one.text for one in family[1:]),
            parents=tuple(one.text for one in family[:1]),
            may_end=(
                partial(self._may_end, grammar, hint)
                if hint and (self._scarce or hint in self._narrower)
                else None
            ),
        )

    def _may_end(self, grammar: str, hint: str, text: str) -> bool:
        """Whether a claim that ended here would have said its note, and be lawful."""
        return says(body(text), hint) and judge(grammar, text).kind == "accepted"

    def _temperature(self, attempt: int, given: str) -> float:
        if self._rewritten and not self._wish:
            return TEMPERATURES_ANEW[attempt - 1]
        if not self._note and self.hints:
            return TEMPERATURES_ANEW[attempt - 1]
        if given and attempt in (2, 3):
            return 0.0
        return TEMPERATURES[attempt - 1]

    def _hint(self, planned: PlannedClaim, claims: list[ReadClaim], attempt: int) -> str:
        """The note for this attempt: the agent's wish, or the next feature still unclaimed.

        The second and the third attempt keep the note of the first: they are given more of it.
        """
        if planned.kind == "independent" or (self._rewritten and self._wish):
            return self._wish
        if attempt in (2, 3) and self._note:
            return self._note
        family = [claim.text for claim in family_of(claims, planned)]
        hint = next_hint(
            self._features, family, self.hints, category=planned.category, instruction=self._wish
        )
        if not hint:
            hint = next((one for one in self._narrower if self._is_new(one, family)), "")
        self._note = hint
        if hint:
            self.hints.append(hint)
        return hint

    def _is_new(self, hint: str, family: Sequence[str]) -> bool:
        """Whether no dependent claim is limited to this already, and the family speaks of it."""
        name = hint.split("为", 1)[0]
        return (
            hint not in self.hints
            and any(name in one for one in family)
            and not any(one.rstrip("。").endswith(hint) for one in family)
        )

    def _given(
        self, planned: PlannedClaim, claims: list[ReadClaim], number: int, hint: str, attempt: int
    ) -> str:
        """The words that a further attempt at a dependent claim begins with."""
        if planned.kind == "independent" or (hint and hint == self._wish):
            return ""
        family = family_of([one for one in claims if one.number < number], planned)
        if not hint:
            return about_a_part(family, number + attempt) if attempt > 1 else ""
        if hint in self._narrower:
            return whole(family, hint)
        if attempt == 1:
            return ""
        return beginning(family, hint) if attempt == 2 else whole(family, hint)

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
            raise ClaimGone(writing.claim_id)
        if row["state"] == "writing":
            return False
        filled = matter_services.fill_claim(
            document_id=self.job.document_id,
            claim_id=writing.claim_id,
            text=row["text"],
            numbering=writing.numbering,
            job_id=self.job.pk,
        )
        self.tally.delivered += len(writing.ids)
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

    def _say_failed(self, claim_id: str, number: int, reason: str, message: str) -> None:
        self.failed += 1
        self.writer.event(
            "claim.failed", claim_id=claim_id, number=number, reason=reason, message=message
        )

    def _fail(self, claim_id: str) -> None:
        matter_services.fail_claim(
            document_id=self.job.document_id, claim_id=claim_id, job_id=self.job.pk
        )

    def _claims(self) -> list[ReadClaim]:
        return read_claims(matters.claim_set(self.job.document_id))
