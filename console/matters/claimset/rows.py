"""The form of a document's claims, and what can be read from it. Pure."""

import secrets
from collections.abc import Callable, Mapping
from typing import Literal, NotRequired, TypedDict, cast

from console.matters.claimset import citations
from console.matters.claimset.numerals import references
from rules.linter import Claim, analyse

State = Literal["writing", "proposed", "accepted", "failed"]
Origin = Literal["model", "agent"]

MAX_CLAIMS = 500
MAX_CLAIM_CHARACTERS = 20_000


class Earlier(TypedDict):
    text: str
    state: State
    origin: Origin


class ClaimRow(TypedDict):
    """`job` wrote or is writing the text; `earlier` is what a regeneration replaces."""

    id: str
    text: str
    state: State
    origin: Origin
    rev: int
    job: NotRequired[str]
    earlier: NotRequired[Earlier]


class NumberedRow(TypedDict):
    """A row as everybody outside sees it."""

    id: str
    number: int
    text: str
    state: State
    origin: Origin
    rev: int


class Content(TypedDict):
    """`removed` names, while a claim is being written, the parent of each claim removed meanwhile:
    the text that arrives may still cite it."""

    claims: list[ClaimRow]
    removed: NotRequired[dict[str, str]]


class ClaimSetError(Exception):
    """An operation that would leave the document worse. `template` % `values` is the sentence."""

    def __init__(self, code: str, template: str, **values: object) -> None:
        self.code = code
        self.template = template
        self.values = values
        super().__init__(template % values)


def _(sentence: str) -> str:
    """Marks a sentence for the translators; whoever shows the error translates it."""
    return sentence


def empty() -> Content:
    return {"claims": []}


def read(stored: object) -> Content:
    """A document's stored content; one that was made without any has no claims."""
    return cast(Content, stored) if isinstance(stored, dict) and "claims" in stored else empty()


def new_id() -> str:
    return "c" + secrets.token_hex(5)


def numbering(content: Content) -> dict[str, int]:
    return {row["id"]: number for number, row in enumerate(content["claims"], start=1)}


def numbered(content: Content) -> list[NumberedRow]:
    return [
        {
            "id": row["id"],
            "number": number,
            "text": row["text"],
            "state": row["state"],
            "origin": row["origin"],
            "rev": row["rev"],
        }
        for number, row in enumerate(content["claims"], start=1)
    ]


def row_of(content: Content, claim_id: str) -> ClaimRow:
    for row in content["claims"]:
        if row["id"] == claim_id:
            return row
    raise ClaimSetError("no_such_claim", _("这项权利要求已不存在。"))


def has(content: Content, claim_id: str) -> bool:
    return any(row["id"] == claim_id for row in content["claims"])


def standing_text(row: ClaimRow) -> str:
    """What the claim says at present: while it is written anew, still its earlier text."""
    if row["state"] == "writing" and "earlier" in row:
        return row["earlier"]["text"]
    return row["text"]


def written_texts(content: Content) -> list[str]:
    """The texts of the claims that have one, numbered among themselves from 1, for an export.

    Raises ClaimSetError (cites_unwritten_claim) where a text cites a claim that has none.
    """
    numbers = numbering(content)
    kept = [row for row in content["claims"] if standing_text(row).strip()]
    missing = {row["id"] for row in content["claims"]} - {row["id"] for row in kept}
    for row in kept:
        for cited in cited_ids(content, standing_text(row)) & missing:
            raise ClaimSetError(
                "cites_unwritten_claim",
                _("权利要求%(number)d引用的权利要求%(cited)d还没有文字，请先写完或修改引用。"),
                number=numbers[row["id"]],
                cited=numbers[cited],
            )
    renumber = renumbering(numbers, {row["id"]: i for i, row in enumerate(kept, start=1)})
    return [citations.rewrite(standing_text(row), renumber) for row in kept]


def cited_ids(content: Content, text: str) -> set[str]:
    rows = content["claims"]
    return {rows[n - 1]["id"] for n in citations.cited_numbers(text) if 1 <= n <= len(rows)}


def citing_numbers(content: Content, claim_id: str) -> list[int]:
    """The numbers of the other claims whose standing text cites it."""
    return [
        number
        for number, row in enumerate(content["claims"], start=1)
        if row["id"] != claim_id and claim_id in cited_ids(content, standing_text(row))
    ]


def sole_parent(content: Content, row: ClaimRow) -> str | None:
    """The claim that a dependent claim limits, where it is exactly one.

    None for an independent claim that cites another (a method of making the device of claim 1).
    """
    rows = content["claims"]
    claims = [Claim(number, standing_text(each)) for number, each in enumerate(rows, start=1)]
    number = numbering(content)[row["id"]]
    info = analyse(claims)[number - 1]
    if info.kind != "dependent" or len(set(info.cites)) != 1:
        return None
    # The linter reads 权力要求1或权力要求2 up to its first number, this package reads both.
    first = next(iter(references(standing_text(row))), None)
    if first is None or set(first.numbers) != set(info.cites):
        return None
    parent = info.cites[0]
    return rows[parent - 1]["id"] if 1 <= parent <= len(rows) and parent != number else None


def is_being_written(content: Content) -> bool:
    return any(row["state"] == "writing" for row in content["claims"])


def renumbering(
    before: Mapping[str, int],
    after: Mapping[str, int],
    replaced_by: Mapping[str, str] | None = None,
) -> Callable[[int], int]:
    """Old number to new number of the same claim. A number that names no claim stays as it is."""
    replaced_by = replaced_by or {}
    table = {
        number: after.get(replaced_by.get(claim_id, claim_id), number)
        for claim_id, number in before.items()
    }
    return lambda number: table.get(number, number)


def settled(row: ClaimRow, **values: object) -> ClaimRow:
    """The row with these values, and without an earlier text to go back to."""
    kept = {key: value for key, value in row.items() if key != "earlier"}
    return cast(ClaimRow, {**kept, **values})


def as_earlier(row: ClaimRow) -> Earlier:
    return {"text": row["text"], "state": row["state"], "origin": row["origin"]}


def checked(text: str) -> str:
    if len(text) > MAX_CLAIM_CHARACTERS:
        raise ClaimSetError(
            "claim_too_long",
            _("一项权利要求最多%(limit)d个字符。"),
            limit=MAX_CLAIM_CHARACTERS,
        )
    return text


def being_written(number: int) -> ClaimSetError:
    return ClaimSetError(
        "claim_is_being_written",
        _("权利要求%(number)d正在起草，请等它写完或停止起草后再改。"),
        number=number,
    )
