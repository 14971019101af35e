"""Going back to claims as they once were, for undo, redo and an older version. Pure."""

from console.matters.claimset.order import keep_what_may_be_cited, rearranged
from console.matters.claimset.rows import (
    ClaimRow,
    Content,
    Earlier,
    as_earlier,
    citing_numbers,
    has,
    numbering,
    settled,
)


def restore(current: Content, target: Content, *, revision: int) -> Content:
    """`target`'s claims in place of `current`'s, for undo, redo and an older version.

    What is being written now goes on, at its place or behind what stood before it; what was being
    written when `target` was kept, and is no longer, has its earlier text or is left out. Raises
    claim_is_being_written where the text being written might cite a claim that would vanish.
    """
    now = {row["id"]: row for row in current["claims"]}
    in_work = [row for row in current["claims"] if row["state"] == "writing"]
    rows: list[ClaimRow] = []
    for row in target["claims"]:
        running = now.get(row["id"])
        if running is not None and running["state"] == "writing":
            back = row.get("earlier") if row["state"] == "writing" else as_earlier(row)
            rows.append(writing_row(running, earlier=back))
        elif row["state"] != "writing":
            rows.append(row)
        elif "earlier" in row:
            rows.append(settled(row, **row["earlier"]))
        elif citing_numbers(target, row["id"]):
            rows.append(settled(row, state="failed"))
    for row in in_work:
        if all(row["id"] != each["id"] for each in rows):
            rows.insert(_place_behind_predecessor(current, row, rows), writing_row(row))
    result = rearranged(target, rows, revision)
    for row in result["claims"]:
        former = now.get(row["id"])
        unchanged = former is not None and former["text"] == row["text"]
        row["rev"] = former["rev"] if unchanged and former else revision
    keep_what_may_be_cited(current, result)
    result.pop("removed", None)
    if in_work and "removed" in current:
        removed = current["removed"].items()
        result["removed"] = {gone: parent for gone, parent in removed if not has(result, gone)}
    return result


def writing_row(row: ClaimRow, earlier: Earlier | None = None) -> ClaimRow:
    kept = settled(row)
    return {**kept, "earlier": earlier} if earlier else kept


def _place_behind_predecessor(current: Content, row: ClaimRow, rows: list[ClaimRow]) -> int:
    places = {each["id"]: place for place, each in enumerate(rows, start=1)}
    before = current["claims"][: numbering(current)[row["id"]] - 1]
    return max((places[each["id"]] for each in before if each["id"] in places), default=0)
