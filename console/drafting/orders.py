"""The order for one attempt at a claim: its prompt, its grammar, and how the node is to sample."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from console.drafting import prompts
from console.drafting.delivery import Order
from console.drafting.duplicates import body
from console.drafting.families import ReadClaim, claim_state, family_of
from console.drafting.features import says
from console.drafting.models import DraftJob
from console.drafting.notes import Notes
from console.drafting.plan import PlannedClaim
from console.drafting.rulesets import RuleSet
from rules.compiler.verdict import Judge

MAX_ATTEMPTS = 4
# The first attempt says what the model finds likeliest; later ones look further away.
TEMPERATURES = (0.0, 0.7, 0.8, 0.9)
# Whoever has a claim written anew does not want to read the likeliest text once more.
TEMPERATURES_ANEW = (0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True)
class Orders:
    """Writes the orders of one job. `context_tokens` is what the node's model takes."""

    job: DraftJob
    rules: RuleSet
    notes: Notes
    context_tokens: int

    def order(
        self,
        index: int,
        planned: PlannedClaim,
        claims: Sequence[ReadClaim],
        number: int,
        hint: str,
        attempt: int,
    ) -> Order:
        """Raises StateError when the rules admit no such claim."""
        matter = self.job.document.matter
        grammar = self.rules.compiled.instantiate(claim_state(claims, planned, number))
        # Many attempts ask nothing, and nothing is built then.
        judged = Judge(grammar)
        given = self.notes.first_words(planned, claims, number, hint, attempt)
        if given and judged(given).kind != "incomplete":
            given = ""
        family = (
            [one.text for one in family_of(claims, planned) if one.number != number]
            if planned.kind == "dependent"
            else []
        )
        seed = hashlib.blake2b(f"{self.job.pk}/{index}/{attempt}".encode(), digest_size=4)
        return Order(
            prompt=prompts.prompt_text(
                matter.title,
                self.notes.source(planned),
                claims,
                planned,
                number,
                hint,
                context_tokens=self.context_tokens,
            ),
            grammar=grammar,
            max_tokens=prompts.MAX_TOKENS[planned.kind],
            temperature=self._temperature(attempt, given),
            seed=int.from_bytes(seed.digest()),
            key=str(matter.pk),
            given=given,
            siblings=tuple(family[1:]),
            parents=tuple(family[:1]),
            may_end=_end_after(hint, judged) if self.notes.is_enough(hint) else None,
        )

    def _temperature(self, attempt: int, given: str) -> float:
        anew = bool(self.job.params.get("claim_id")) and not self.notes.wish
        if anew or self.notes.ran_out:
            return TEMPERATURES_ANEW[attempt - 1]
        if given and attempt in (2, 3):
            return 0.0
        return TEMPERATURES[attempt - 1]


def _end_after(hint: str, judged: Judge) -> Callable[[str], bool]:
    """Whether a claim that ended here would have said its note, and be lawful."""
    return lambda text: says(body(text), hint) and judged(text).kind == "accepted"
