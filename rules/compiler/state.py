"""The state of a document at the moment a text of it is written: the values of a pack's parameters.

A claim's state has a form of its own (ClaimState), because much of it is derived. Every other kind
of document gives its values by name (DocumentState). Both become Bindings, which is what the
grammar is filled from.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .errors import StateError
from .tree import ParameterType

Kind = Literal["independent", "dependent"]


@dataclass(frozen=True)
class CitableClaim:
    """An earlier claim that may be cited. `multiple`: it is itself a multiple dependent claim."""

    number: int
    subject: str
    multiple: bool = False


Value = str | int | tuple[str, ...] | tuple[int, ...] | tuple[CitableClaim, ...]

PARAMETERS: dict[str, dict[str, ParameterType]] = {
    "claims": {
        "kind": "entry",
        "number": "number",
        "subject": "text",
        "complete": "text",
        "citable": "claims",
        "others": "claims",
        "basis": "claims",
        "signs": "texts",
        "terms": "texts",
    },
    "abstract": {"kind": "entry", "title": "text", "signs": "texts", "terms": "texts"},
    "drawings": {
        "kind": "entry",
        "title": "text",
        "figures": "numbers",
        "earlier": "numbers",
        "last": "number",
        "signs": "texts",
        "terms": "texts",
    },
    "reply": {
        "kind": "entry",
        "title": "text",
        "application": "text",
        "applicant": "text",
        "date": "text",
        "notice": "number",
        "argued": "claims",
        "amended": "claims",
        "documents": "texts",
        "closest": "text",
        "terms": "texts",
    },
}
"""What the state of each kind of document offers, with the type each must be declared with."""

ENTRIES = {"claims": ("independent", "dependent")}
"""The entry rules of a kind, where they are given."""


@dataclass(frozen=True)
class Bindings:
    """The rule that the text starts with (the pack's first where empty), and the values of
    parameters by name; one without a value leaves out the alternatives that use it."""

    entry: str
    values: Mapping[str, Value]


@dataclass(frozen=True)
class ClaimState:
    """Everything that the grammar of one claim depends on.

    `citable` holds the earlier claims that this claim may cite, in any order; of them a multiple
    dependent claim may rest only on those that are not multiple, and on none when `allow_multiple`
    is false. `subject` is the independent claim's own subject without 一种; a dependent claim
    restates the subject of the claim it cites. `signs` are the reference signs that exist, `terms`
    what 所述 may point at.
    """

    number: int
    kind: Kind
    subject: str
    citable: tuple[CitableClaim, ...] = ()
    allow_multiple: bool = True
    signs: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()

    def bindings(self) -> Bindings:
        values: dict[str, Value] = {
            "number": self.number,
            "subject": self.subject,
            "complete": complete_subject(self),
            "citable": self.citable,
            "others": others(self),
            "basis": basis(self),
            "signs": self.signs,
            "terms": self.terms,
        }
        return Bindings(self.kind, values)


@dataclass(frozen=True)
class DocumentState:
    """The state of an abstract, drawings or a reply (`document`), by parameter name. `entry` is the
    rule that the text starts with, the pack's first where empty."""

    document: str
    values: Mapping[str, Value] = field(default_factory=dict)
    entry: str = ""

    def bindings(self) -> Bindings:
        """Raises StateError: unknown-value, value-type."""
        types = PARAMETERS[self.document]
        for name, value in self.values.items():
            if types.get(name, "entry") == "entry":
                raise StateError(
                    "unknown-value",
                    f"文档状态中没有参数“{name}”。",
                    f"The state of this document has no parameter “{name}”.",
                )
            if not _fits(value, types[name]):
                raise StateError(
                    "value-type",
                    f"参数“{name}”的值应为 {types[name]} 类型。",
                    f"The value of “{name}” must be of type {types[name]}.",
                )
        values = dict(self.values)
        figures = values.get("figures")
        if isinstance(figures, tuple) and figures:
            values.setdefault("earlier", figures[:-1])
            values.setdefault("last", figures[-1])  # type: ignore[arg-type]
        return Bindings(self.entry, values)


State = ClaimState | DocumentState


def state_from(document: str, data: Mapping[str, Any]) -> State:
    """The state of an example, as pack documents write it. `document` is the pack's kind."""
    rest = {name: _value(value) for name, value in data.items()}
    if document == "claims":
        return ClaimState(**rest)
    entry = rest.pop("kind", "")
    return DocumentState(document, rest, entry)


def _value(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return tuple(CitableClaim(**item) if isinstance(item, Mapping) else item for item in value)


_MEMBERS: dict[str, type] = {
    "text": str,
    "number": int,
    "texts": str,
    "numbers": int,
    "claims": CitableClaim,
}


def _fits(value: object, kind: ParameterType) -> bool:
    wanted = _MEMBERS[kind]
    if kind in ("text", "number"):
        return isinstance(value, wanted)
    return isinstance(value, tuple) and all(isinstance(item, wanted) for item in value)


@dataclass(frozen=True)
class Member:
    """One member of a set that a rule has copies for: claims that share a subject (by ascending
    number), one claim, one number, or one text."""

    numbers: tuple[int, ...] = ()
    text: str = ""


def members(value: Value, in_a_row: bool = False) -> tuple[Member, ...]:
    """The members of a set. Claims are grouped by subject, in the order in which the subjects first
    appear, but stand one by one in a row."""
    if not isinstance(value, tuple):
        return ()
    found: dict[object, Member] = {}
    for item in _by_number(value):
        if not isinstance(item, CitableClaim):
            found[item] = Member((item,)) if isinstance(item, int) else Member((), item)
            continue
        key = item.number if in_a_row else item.subject
        known = found.get(key, Member((), item.subject))
        found[key] = Member((*known.numbers, item.number), known.text)
    return tuple(found.values())


def numbers_of(value: Value) -> tuple[int, ...]:
    """The numbers in a value, ascending; of claims, their numbers."""
    if not isinstance(value, tuple):
        return (value,) if isinstance(value, int) else ()
    numbers = (item.number if isinstance(item, CitableClaim) else item for item in value)
    return tuple(sorted(number for number in numbers if isinstance(number, int)))


def texts_of(value: Value) -> tuple[str, ...]:
    """The texts in a list of texts, in its order."""
    if not isinstance(value, tuple):
        return ()
    return tuple(item for item in value if isinstance(item, str) and item)


def _by_number(value: tuple[Any, ...]) -> Iterable[Any]:
    if all(isinstance(item, CitableClaim) for item in value):
        return sorted(value, key=lambda claim: int(claim.number))
    return value


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
