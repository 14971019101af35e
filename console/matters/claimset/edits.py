"""What the agent does to the claims. Pure."""

from collections.abc import Mapping

from console.matters.claimset import citations
from console.matters.claimset.order import (
    inserted,
    keep_what_may_be_cited,
    rearranged,
    with_row,
)
from console.matters.claimset.rows import (
    ClaimRow,
    ClaimSetError,
    Content,
    _,
    being_written,
    checked,
    cited_ids,
    citing_numbers,
    is_being_written,
    numbering,
    renumbering,
    row_of,
    settled,
    sole_parent,
    standing_text,
)


def edit(
    content: Content, claim_id: str, text: str, *, revision: int, seen: Mapping[str, int]
) -> Content:
    """The agent's own words, which makes the claim accepted. `seen` is the numbering he saw."""
    row = row_of(content, claim_id)
    if row["state"] == "writing":
        raise being_written(numbering(content)[claim_id])
    text = checked(citations.rewrite(text, renumbering(seen, numbering(content))))
    changed = settled(row, text=text, state="accepted", origin="agent", rev=revision)
    return with_row(content, changed)


def insert(
    content: Content,
    claim_id: str,
    after_id: str | None,
    text: str,
    *,
    revision: int,
    seen: Mapping[str, int],
) -> Content:
    """A claim of the agent's own behind `after_id` (None: before all). The text may be empty."""
    row: ClaimRow = {
        "id": claim_id,
        "text": "",
        "state": "accepted",
        "origin": "agent",
        "rev": revision,
    }
    result = inserted(content, row, after_id, revision)
    text = checked(citations.rewrite(text, renumbering(seen, numbering(result))))
    return with_row(result, {**row, "text": text})


def move(content: Content, claim_id: str, to_index: int, *, revision: int) -> Content:
    """The claim at position `to_index` (from 0) of the result.

    Raises would_cite_forward where a text would then cite a later claim, and
    claim_is_being_written where the text being written might do so.
    """
    row = row_of(content, claim_id)
    if not 0 <= to_index < len(content["claims"]):
        raise ClaimSetError("no_such_index", _("没有这个位置。"))
    rows = [each for each in content["claims"] if each["id"] != claim_id]
    rows.insert(to_index, row)
    result = rearranged(content, rows, revision)
    before, after = numbering(content), numbering(result)
    for citing in content["claims"]:
        for cited in cited_ids(content, standing_text(citing)):
            was_earlier = before[cited] < before[citing["id"]]
            if was_earlier and after[cited] > after[citing["id"]]:
                raise ClaimSetError(
                    "would_cite_forward",
                    _("权利要求%(citing)d引用了权利要求%(cited)d，只能排在它之后。"),
                    citing=before[citing["id"]],
                    cited=before[cited],
                )
    keep_what_may_be_cited(content, result)
    return result


def remove(content: Content, claim_id: str, *, revision: int) -> Content:
    """Without the claim; what cited it cites its parent instead.

    Raises claim_is_cited where it is cited and has no single parent.
    """
    row = row_of(content, claim_id)
    parent = sole_parent(content, row)
    citing = citing_numbers(content, claim_id)
    if citing and parent is None:
        raise ClaimSetError(
            "claim_is_cited",
            _("权利要求%(number)d被权利要求%(citing)s引用，请先修改或删除它们。"),
            number=numbering(content)[claim_id],
            citing="、".join(map(str, citing)),
        )
    rows = [each for each in content["claims"] if each is not row]
    result = rearranged(content, rows, revision, {claim_id: parent} if parent else {})
    if parent is None:
        keep_what_may_be_cited(content, result)
    elif is_being_written(result):
        former = content.get("removed", {})
        moved_on = {gone: parent if to == claim_id else to for gone, to in former.items()}
        result["removed"] = {**moved_on, claim_id: parent}
    return result


def accept(content: Content, claim_id: str) -> Content:
    row = row_of(content, claim_id)
    if row["state"] == "writing":
        raise being_written(numbering(content)[claim_id])
    if row["state"] == "accepted":
        return content
    if row["state"] != "proposed":
        raise _not_proposed(numbering(content)[claim_id])
    return with_row(content, settled(row, state="accepted"))


def reject(content: Content, claim_id: str, *, revision: int) -> Content:
    """A proposed claim goes; a proposed regeneration goes back to the text it replaced."""
    row = row_of(content, claim_id)
    if row["state"] != "proposed":
        raise _not_proposed(numbering(content)[claim_id])
    if "earlier" in row:
        return with_row(content, settled(row, **row["earlier"], rev=revision))
    return remove(content, claim_id, revision=revision)


def _not_proposed(number: int) -> ClaimSetError:
    return ClaimSetError("not_proposed", _("权利要求%(number)d没有待确认的文字。"), number=number)
