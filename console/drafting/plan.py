"""Which claims a draft job writes, in which order. Pure.

Each independent claim stands before its own dependents, and those before the next independent one
(Guidelines P2C2§3.3.2). A family that the document already has is continued, not begun again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from console.drafting import titles
from console.drafting.protocol import DraftParams

Kind = Literal["independent", "dependent"]


@dataclass(frozen=True)
class PlannedClaim:
    kind: Kind
    category: str
    subject: str  # without 一种


@dataclass(frozen=True)
class Family:
    """An independent claim that is in the document; `subject` as written there, without 一种."""

    subject: str

    @property
    def category(self) -> str:
        return titles.category_of(self.subject)


def plan_claims(
    params: DraftParams,
    title: str,
    existing: Sequence[Family] = (),
    *,
    tells: Sequence[str] = ("product", "method"),
) -> list[PlannedClaim]:
    """The claims to write: `params["count"]`, less one where the agent gave the first claim.

    `existing` are the independent claims in the document, in order, an own first claim included.
    With two categories the one that comes first gets about three fifths. A category that the
    title promises and the disclosure does not tell (`tells`) is drafted only when it is asked for.
    """
    written = 1 if params["first_claim"] else 0
    count = params["count"] - written
    subjects = chosen_subjects(params, title)
    order = list(subjects) if not params["categories"] else _ordered(params, title)
    if not params["categories"]:
        order = [category for category in order if category in tells] or order
    # The own first claim's family is gone on with first: its dependents must directly follow it.
    begun = [family.category for family in existing]
    order.sort(key=lambda category: begun.index(category) if category in begun else len(begun))
    if written and begun and begun[0] not in order:
        order.insert(0, begun[0])
    plan: list[PlannedClaim] = []
    for category, share in zip(order, _shares(params["count"], len(order)), strict=True):
        family = next((one for one in existing if one.category == category), None)
        if family is None:
            subject = subjects.get(category) or _made_up(title, category)
            plan.append(PlannedClaim("independent", category, subject))
            plan += [PlannedClaim("dependent", category, subject)] * (share - 1)
        else:
            own = written if begun[0] == category else 0
            plan += [PlannedClaim("dependent", category, family.subject)] * (share - own)
    return plan[:count]


def chosen_subjects(params: DraftParams, title: str) -> dict[str, str]:
    """The subject of each category that the title or the agent names, in the title's order."""
    named = titles.read_title(title)
    own = {"product": params["product_subject"], "method": params["method_subject"]}
    chosen = {
        category: titles.clean_title(own[category])
        or titles.with_clear_category(getattr(named, category))
        for category in ("product", "method")
    }
    order = [*named.categories, *(name for name in chosen if name not in named.categories)]
    return {category: chosen[category] for category in order if chosen[category]}


def _ordered(params: DraftParams, title: str) -> list[str]:
    """The wanted categories, in the order in which the title names them."""
    named = titles.read_title(title).categories
    return sorted(
        params["categories"], key=lambda name: named.index(name) if name in named else len(named)
    )


def _made_up(title: str, category: str) -> str:
    return titles.other_category(titles.read_title(title), category)


def _shares(count: int, parts: int) -> list[int]:
    """How `count` claims divide: all, or about three fifths and two fifths."""
    if parts < 2 or count < 2:
        return [count] + [0] * (parts - 1)
    second = max(1, count * 2 // 5)
    return [count - second, second]
