"""Changing which claims there are and in which order, with every citation kept true. Pure."""

from collections.abc import Callable, Iterable, Mapping
from typing import cast

from console.matters.claimset import citations
from console.matters.claimset.rows import (
    MAX_CLAIMS,
    ClaimRow,
    ClaimSetError,
    Content,
    _,
    being_written,
    cited_ids,
    is_being_written,
    numbering,
    renumbering,
    row_of,
)


def rearranged(
    content: Content,
    rows: Iterable[ClaimRow],
    revision: int,
    replaced_by: Mapping[str, str] | None = None,
) -> Content:
    """`rows` in their new order; their texts still carry the numbers of `content`.

    `replaced_by` names the claim that is cited from now on in place of one that is gone.
    """
    rows = list(rows)
    replaced_by = replaced_by or {}
    new_numbers = {row["id"]: number for number, row in enumerate(rows, start=1)}
    renumber = renumbering(numbering(content), new_numbers, replaced_by)
    result: Content = {"claims": [_renumbered(row, renumber, revision) for row in rows]}
    if "removed" in content and is_being_written(result):
        result["removed"] = content["removed"]
    known = new_numbers.keys() | replaced_by.keys()
    for old, new in zip(rows, result["claims"], strict=True):
        # What a regeneration replaced is kept out of sight: it must not keep a claim alive that it
        # cites. With that claim the way back goes; the versions still have the text.
        hidden = old.get("earlier") if old["state"] != "writing" else None
        if hidden and cited_ids(content, hidden["text"]) - known:
            new.pop("earlier", None)
    return result


def inserted(content: Content, row: ClaimRow, after_id: str | None, revision: int) -> Content:
    if len(content["claims"]) >= MAX_CLAIMS:
        raise ClaimSetError("too_many_claims", _("权利要求最多%(limit)d项。"), limit=MAX_CLAIMS)
    place = 0 if after_id is None else numbering(content)[row_of(content, after_id)["id"]]
    rows = [*content["claims"][:place], row, *content["claims"][place:]]
    return rearranged(content, rows, revision)


def with_row(content: Content, changed: ClaimRow) -> Content:
    rows = [changed if row["id"] == changed["id"] else row for row in content["claims"]]
    return cast(Content, {**content, "claims": rows})


def tidied(content: Content) -> Content:
    """Without the memory of removed claims, once no text is to come that could cite them."""
    return content if is_being_written(content) else {"claims": content["claims"]}


def keep_what_may_be_cited(before: Content, after: Content) -> None:
    """A text being written may cite any claim that stood before it: those must go on doing so.

    Raises claim_is_being_written.
    """
    new_numbers = numbering(after)
    for place, row in enumerate(before["claims"]):
        if row["state"] != "writing" or row["id"] not in new_numbers:
            continue
        for former in before["claims"][:place]:
            if new_numbers.get(former["id"], len(new_numbers) + 1) > new_numbers[row["id"]]:
                raise being_written(place + 1)


def _renumbered(row: ClaimRow, renumber: Callable[[int], int], revision: int) -> ClaimRow:
    text = citations.rewrite(row["text"], renumber)
    result: ClaimRow = {**row, "text": text}
    if text != row["text"]:
        result["rev"] = revision
    if "earlier" in row:
        earlier = row["earlier"]
        result["earlier"] = {**earlier, "text": citations.rewrite(earlier["text"], renumber)}
    return result
