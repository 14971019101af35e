"""How the claims of a document hang together: what each is, what it cites, which family it is of.

A family is an independent claim with its direct and indirect dependents. What a new claim may cite,
where it goes and what its prompt shows all follow from this. Pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from console.drafting.plan import Family, Kind, PlannedClaim
from rules.compiler import CitableClaim, ClaimState
from rules.linter import Claim, analyse


@dataclass(frozen=True)
class ReadClaim:
    """One claim as it stands. `root` is the number of its independent claim or its own."""

    claim_id: str
    number: int
    text: str
    kind: Kind
    subject: str
    cited: tuple[int, ...]
    root: int

    @property
    def multiple(self) -> bool:
        return self.kind == "dependent" and len(self.cited) > 1


def read_claims(rows: Sequence[Mapping[str, Any]]) -> list[ReadClaim]:
    """The claims that have a text, of rows with "id", "number" and "text", in order."""
    written = [row for row in rows if row["text"]]
    infos = analyse([Claim(row["number"], row["text"]) for row in written])
    claims: dict[int, ReadClaim] = {}
    for row, info in zip(written, infos, strict=True):
        parent = next((claims[cite] for cite in info.cites if cite in claims), None)
        stands_alone = info.kind == "independent" or parent is None
        claims[info.number] = ReadClaim(
            claim_id=row["id"],
            number=info.number,
            text=row["text"],
            kind="independent" if stands_alone else "dependent",
            subject=info.subject,
            cited=info.cites,
            root=info.number if stands_alone or parent is None else parent.root,
        )
    return list(claims.values())


def families(claims: Sequence[ReadClaim]) -> list[Family]:
    """The independent claims, in order."""
    return [Family(claim.subject) for claim in claims if claim.kind == "independent"]


def family_of(claims: Sequence[ReadClaim], planned: PlannedClaim) -> list[ReadClaim]:
    """The claims of the family that a planned dependent joins, its independent claim first.

    The newest family with that subject counts; without one, the newest of that category.
    """
    roots = [claim for claim in claims if claim.kind == "independent"]
    named = [root for root in roots if root.subject == planned.subject]
    alike = [root for root in roots if Family(root.subject).category == planned.category]
    chosen = (named or alike)[-1:]
    return [claim for claim in claims if chosen and claim.root == chosen[0].number]


def place_after(claims: Sequence[ReadClaim], planned: PlannedClaim) -> str | None:
    """The id of the claim after which a planned claim goes; None for an empty document."""
    if planned.kind == "dependent" and (family := family_of(claims, planned)):
        return family[-1].claim_id
    return claims[-1].claim_id if claims else None


def renumbered(claims: Sequence[ReadClaim], numbering: Mapping[str, int]) -> list[ReadClaim]:
    """The claims that were there when `numbering` was taken, with their numbers of then."""
    moved = {
        claim.number: numbering[claim.claim_id] for claim in claims if claim.claim_id in numbering
    }
    return sorted(
        (
            ReadClaim(
                claim.claim_id,
                moved[claim.number],
                claim.text,
                claim.kind,
                claim.subject,
                tuple(moved[cite] for cite in claim.cited if cite in moved),
                moved.get(claim.root, claim.root),
            )
            for claim in claims
            if claim.number in moved
        ),
        key=lambda claim: claim.number,
    )


def claim_state(claims: Sequence[ReadClaim], planned: PlannedClaim, number: int) -> ClaimState:
    """The grammar's parameters for claim `number`, which is or becomes what is planned.

    A dependent may cite the earlier claims of its family. It must stay a single dependent when a
    later multiple dependent claim already cites it (细则25.2).
    """
    if planned.kind == "independent":
        return ClaimState(number=number, kind="independent", subject=planned.subject)
    earlier = [claim for claim in claims if claim.number < number]
    family = family_of(earlier, planned)
    subject = family[0].subject if family else planned.subject
    return ClaimState(
        number=number,
        kind="dependent",
        subject=subject,
        citable=tuple(CitableClaim(claim.number, subject, claim.multiple) for claim in family),
        allow_multiple=not any(claim.multiple and number in claim.cited for claim in claims),
    )


def as_planned(claims: Sequence[ReadClaim], claim_id: str) -> PlannedClaim | None:
    """What a claim that exists would have been in a plan: to write it again."""
    by_number = {claim.number: claim for claim in claims}
    for claim in claims:
        if claim.claim_id == claim_id:
            subject = by_number[claim.root].subject
            return PlannedClaim(claim.kind, Family(subject).category, subject)
    return None
