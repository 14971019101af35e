"""Short ways to ask a claims pack about one text."""

from collections.abc import Iterable

from rules.compiler import CitableClaim, ClaimState, CompiledPack
from rules.compiler.verdict import judge

Earlier = tuple[int, str] | tuple[int, str, bool]
"""Number, subject, whether it is a multiple dependent claim."""


def dependent(
    pack: CompiledPack, text: str, citable: Iterable[Earlier], *, allow_multiple: bool = True
) -> str:
    """The verdict on a dependent claim that follows these claims."""
    earlier = tuple(CitableClaim(*claim) for claim in citable)
    number = max(claim.number for claim in earlier) + 1
    state = ClaimState(number, "dependent", "", earlier, allow_multiple)
    return judge(pack.instantiate(state), text).kind


def independent(
    pack: CompiledPack, text: str, subject: str, citable: Iterable[Earlier] = ()
) -> str:
    """The verdict on an independent claim with this subject."""
    earlier = tuple(CitableClaim(*claim) for claim in citable)
    number = max((claim.number for claim in earlier), default=0) + 1
    state = ClaimState(number, "independent", subject, earlier)
    return judge(pack.instantiate(state), text).kind
