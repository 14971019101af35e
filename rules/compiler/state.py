"""The state of a document at the moment a claim is written: the values of a pack's parameters."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["independent", "dependent"]


@dataclass(frozen=True)
class CitableClaim:
    """An earlier claim that may be cited. `multiple`: it is itself a multiple dependent claim."""

    number: int
    subject: str
    multiple: bool = False


@dataclass(frozen=True)
class ClaimState:
    """Everything that the grammar of one claim depends on.

    `citable` holds the earlier claims that this claim may cite, in any order; of them a multiple
    dependent claim may rest only on those that are not multiple, and on none when `allow_multiple`
    is false. `subject` is the independent claim's own subject without 一种; a dependent claim
    restates the subject of the claim it cites.
    """

    number: int
    kind: Kind
    subject: str
    citable: tuple[CitableClaim, ...] = ()
    allow_multiple: bool = True
    signs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Group:
    """Citable claims that share a subject, by ascending number."""

    subject: str
    numbers: tuple[int, ...]


def groups(claims: Iterable[CitableClaim]) -> tuple[Group, ...]:
    """The claims by subject, in the order in which the subjects first appear."""
    by_subject: dict[str, list[int]] = {}
    for claim in sorted(claims, key=lambda claim: claim.number):
        by_subject.setdefault(claim.subject, []).append(claim.number)
    return tuple(Group(subject, tuple(numbers)) for subject, numbers in by_subject.items())


def basis(state: ClaimState) -> tuple[CitableClaim, ...]:
    """The claims that a multiple dependent claim may rest on (细则25.2)."""
    if not state.allow_multiple:
        return ()
    return tuple(claim for claim in state.citable if not claim.multiple)


def complete_subject(state: ClaimState) -> str:
    """The subject where it says all that is claimed, so that the claim may end with it: a use, or a
    name that itself cites a claim (利用权利要求1所述的方法制得的膜). Otherwise empty."""
    subject = state.subject
    if "权利要求" in subject or subject.endswith(("应用", "用途", "使用")):
        return subject
    return ""


def others(state: ClaimState) -> tuple[CitableClaim, ...]:
    """The citable claims that bear neither this claim's subject nor one that ends with it. Only
    these may stand in the head of an independent claim: it would depend on the rest."""
    return tuple(claim for claim in state.citable if not claim.subject.endswith(state.subject))
