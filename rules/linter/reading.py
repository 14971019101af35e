"""The claim set as one structure: each claim read once, its kind decided, citations resolved."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from rules.linter.findings import Claim
from rules.linter.folding import Folded, fold
from rules.linter.preamble import Head, read_head
from rules.linter.references import Reference, scan
from rules.linter.subjects import Relation, bare, head_noun, kind_of, relation

Kind = Literal["independent", "dependent"]
MATCHING = frozenset({Relation.SAME, Relation.SHORTENED, Relation.NEAR})


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
    """One claim with everything the rules ask about it; offsets are into the folded text.

    relations: for a dependent claim, how its subject relates to that of each cited claim.
    roots: the independent claims it depends on. meant: an earlier claim, not cited, whose subject
    this one restates while that of the cited claim differs.
    """

    claim: Claim
    folded: Folded
    references: list[Reference]
    head: Head
    info: ClaimInfo
    names: frozenset[str]
    relations: dict[int, Relation] = field(default_factory=dict)
    roots: frozenset[int] = frozenset()
    meant: int | None = None

    @property
    def number(self) -> int:
        return self.claim.number

    @property
    def dependent(self) -> bool:
        return self.info.kind == "dependent"

    @property
    def mismatched(self) -> tuple[int, ...]:
        """The cited claims whose subject is another one than this claim restates."""
        return tuple(n for n, kind in self.relations.items() if kind not in MATCHING)


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
    meant = _meant(head, cited, known)
    if meant:  # a near name is another name when an uncited claim bears exactly this one
        relations = {
            number: Relation.DIFFERENT if kind is Relation.NEAR else kind
            for number, kind in relations.items()
        }
    depends = head.cites and not _stands_alone(head, relations, folded.text, meant)
    kind: Kind = "dependent" if depends else "independent"
    if kind == "independent":
        mentioned = dict.fromkeys(number for ref in references for number in ref.numbers)
        cited = tuple(dict.fromkeys([*cited, *mentioned]))
    inherited = (known[n].names for n in earlier) if kind == "dependent" else ()
    names = frozenset(head.names).union(*inherited)
    if not relations or not MATCHING.isdisjoint(relations.values()):
        meant = None
    roots = frozenset({claim.number})
    if kind == "dependent":
        parents = [meant] if meant else earlier
        roots = frozenset[int]().union(*(known[number].roots for number in parents))
    subject = head_noun(head.subject).removeprefix("一种").removeprefix("一个")
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
        meant=meant,
    )


def _head_numbers(head: Head, number: int, known: dict[int, Reading]) -> tuple[int, ...]:
    if head.collective:
        return tuple(sorted(earlier for earlier in known if earlier < number))
    return head.cited_numbers


def _closest(subject: str, names: frozenset[str]) -> Relation:
    found = {relation(subject, name) for name in names}
    return next((kind for kind in Relation if kind in found), Relation.DIFFERENT)


def _meant(head: Head, cited: tuple[int, ...], known: dict[int, Reading]) -> int | None:
    """The claim of the newest group that bears exactly this name, when an older group is cited:
    then the number is wrong. When the newest group is cited, the name is."""
    independents = [n for n, reading in known.items() if not reading.dependent]
    newest = max(independents, default=0)
    name = bare(head.subject)
    if not name or any(number >= newest for number in cited):
        return None
    named_so = [n for n, reading in known.items() if bare(reading.head.subject) == name]
    return next((n for n in reversed(independents) if n in named_so), max(named_so, default=None))


def _stands_alone(head: Head, relations: dict[int, Relation], text: str, meant: int | None) -> bool:
    """A head that cites still opens an independent claim when it names another thing, unless its
    body goes on from features that only a claim on that other thing could have introduced."""
    found = set(relations.values())
    if not head.subject or not found or found & {Relation.SAME, Relation.SHORTENED}:
        return False
    if Relation.DERIVED in found:
        part_of_it = kind_of(head.subject) == "product" and not head.with_article
        return not ((meant is not None or part_of_it) and head.refers_back(text))
    return head.with_article and Relation.NEAR not in found
