"""Who says what: a core of the disclosure for each independent claim, a note for each dependent."""

from collections.abc import Sequence

from console.drafting.beginnings import about_a_part, beginning, whole
from console.drafting.families import ReadClaim, family_of
from console.drafting.features import MAX_HINT, ONE_CLAUSE, count_hints, next_hint
from console.drafting.material import Material
from console.drafting.plan import PlannedClaim


class Notes:
    """The notes of one job. `used` are those that a former owner took, the last one still in work.

    `wish` is the agent's instruction; where one claim is written anew it is the only note.
    """

    def __init__(
        self, material: Material, used: Sequence[str], *, wish: str, rewriting: bool
    ) -> None:
        self.wish = wish
        self._material = material
        self._used = list(used)
        self._only_the_wish = bool(wish) and rewriting
        # The note of the claim in work.
        self._current = self._used[-1] if self._used else ""
        self._core_of: dict[str, str] = {}
        self._features = material.features[MAX_HINT]
        self._scarce = False

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
            features = self._material.features[size]
            self._scarce, most = size == ONE_CLAUSE, -1
            for core in self._material.cores:
                left = count_hints(features, [core], wanted, category=category)
                if left > most:
                    best, most, self._features = core, left, features
                if left >= wanted:
                    return best
        return best

    @property
    def ran_out(self) -> bool:
        """Whether the claim in work has no note because all were used."""
        return bool(self._used) and not self._current

    @property
    def nothing_left(self) -> bool:
        """Whether the claim in work has neither a note nor a wish to be about."""
        return not self._current and not self.wish

    def source(self, planned: PlannedClaim) -> str:
        """What of the disclosure the claim's prompt shows."""
        if planned.kind == "dependent":
            return self._material.passages
        core = self._core_of.get(planned.category)
        return core or next(iter(self._material.cores), self._material.passages)

    def is_enough(self, hint: str) -> bool:
        """Whether the claim is to end as soon as it has said its note."""
        return bool(hint) and (self._scarce or hint in self._material.narrower)

    def take(self, planned: PlannedClaim, claims: Sequence[ReadClaim], attempt: int) -> str:
        """The note for this attempt: the agent's wish, or the next feature still unclaimed.

        The second and the third attempt keep the note of the first: they are given more of it.
        """
        if planned.kind == "independent" or self._only_the_wish:
            return self.wish
        if attempt in (2, 3) and self._current:
            return self._current
        family = [claim.text for claim in family_of(claims, planned)]
        hint = next_hint(
            self._features, family, self._used, category=planned.category, instruction=self.wish
        )
        if not hint:
            narrower = self._material.narrower
            hint = next((one for one in narrower if self._is_new(one, family)), "")
        self._current = hint
        if hint:
            self._used.append(hint)
        return hint

    def _is_new(self, hint: str, family: Sequence[str]) -> bool:
        """Whether no dependent claim is limited to this already, and the family speaks of it."""
        name = hint.split("为", 1)[0]
        return (
            hint not in self._used
            and any(name in one for one in family)
            and not any(one.rstrip("。").endswith(hint) for one in family)
        )

    def first_words(
        self,
        planned: PlannedClaim,
        claims: Sequence[ReadClaim],
        number: int,
        hint: str,
        attempt: int,
    ) -> str:
        """The words that a further attempt at a dependent claim begins with."""
        if planned.kind == "independent" or (hint and hint == self.wish):
            return ""
        family = family_of([one for one in claims if one.number < number], planned)
        if not hint:
            return about_a_part(family, number + attempt) if attempt > 1 else ""
        if hint in self._material.narrower:
            return whole(family, hint)
        if attempt == 1:
            return ""
        return beginning(family, hint) if attempt == 2 else whole(family, hint)
