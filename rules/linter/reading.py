"""The claim set as one structure: each claim read once, its kind decided, its citations resolved."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from rules.linter.findings import Claim
from rules.linter.folding import Folded, fold
from rules.linter.preamble import Head, read_head
from rules.linter.references import Reference, scan
from rules.linter.subjects import Relation, relation

Kind = Literal["independent", "dependent"]
_CLOSENESS = [
    Relation.SAME,
    Relation.SHORTENED,
    Relation.NEAR,
    Relation.DERIVED,
    Relation.DIFFERENT,
]


@dataclass(frozen=True)
class ClaimInfo:
    """What a claim is. subject: without 一种. cites: the claims that its head depends on, for an
    independent claim those that it mentions. multiple: a dependent claim that cites several."""

    number: int
    kind: Kind
    subject: str
    cites: tuple[int, ...]
    multiple: bool


@dataclass
class Reading:
    """One claim with everything the rules ask about it; offsets are into the folded text."""

    claim: Claim
    folded: Folded
    references: list[Reference]
    head: Head
    info: ClaimInfo
    names: frozenset[str]
    relations: dict[int, Relation] = field(default_factory=dict)
    roots: frozenset[int] = frozenset()

    @property
    def number(self) -> int:
        return self.claim.number

    @property
    def dependent(self) -> bool:
        return self.info.kind == "dependent"


def read_set(claims: Sequence[Claim]) -> list[Reading]:
    """All claims in document order. Where a number occurs twice, citations mean the first."""
    readings: list[Reading] = []
    known: dict[int, Reading] = {}
    for claim in claims:
        reading = _read(claim, known)
        readings.append(reading)
        known.setdefault(claim.number, reading)
    return readings


def _read(claim: Claim, known: dict[int, Reading]) -> Reading:
    folded = fold(claim.text)
    references = scan(folded)
    head = read_head(folded, references)
    cited = _head_numbers(head, claim.number, known)
    earlier = [number for number in cited if number in known]
    relations = {number: _closest(head.subject, known[number].names) for number in earlier}
    kind: Kind = "dependent" if head.cites and not _stands_alone(head, relations) else "independent"
    if kind == "independent":
        mentioned = dict.fromkeys(number for ref in references for number in ref.numbers)
        cited = tuple(dict.fromkeys([*cited, *mentioned]))
    inherited = (known[n].names for n in earlier) if kind == "dependent" else ()
    names = frozenset(head.names).union(*inherited)
    roots = (
        frozenset().union(*(known[number].roots for number in earlier))
        if kind == "dependent"
        else frozenset({claim.number})
    )
    subject = head.subject.removeprefix("一种").removeprefix("一个")
    return Reading(
        claim=claim,
        folded=folded,
        references=references,
        head=head,
        info=ClaimInfo(
            number=claim.number,
            kind=kind,
            subject=subject,
            cites=cited,
            multiple=kind == "dependent" and len(cited) > 1,
        ),
        names=names,
        relations=relations if kind == "dependent" else {},
        roots=roots,
    )


def _head_numbers(head: Head, number: int, known: dict[int, Reading]) -> tuple[int, ...]:
    if head.collective:
        return tuple(sorted(earlier for earlier in known if earlier < number))
    return head.cited_numbers


def _closest(subject: str, names: frozenset[str]) -> Relation:
    found = {relation(subject, name) for name in names}
    return next((kind for kind in _CLOSENESS if kind in found), Relation.DIFFERENT)


def _stands_alone(head: Head, relations: dict[int, Relation]) -> bool:
    """A head that cites still opens an independent claim when it names another thing."""
    if not head.subject or not relations:
        return False
    found = set(relations.values())
    if found & {Relation.SAME, Relation.SHORTENED, Relation.NEAR}:
        return False
    return Relation.DERIVED in found or head.with_article
