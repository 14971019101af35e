"""What a draft job does to the claims. Pure."""

from collections.abc import Mapping

from console.matters.claimset import citations
from console.matters.claimset.order import inserted, rearranged, tidied, with_row
from console.matters.claimset.restoring import writing_row
from console.matters.claimset.rows import (
    ClaimRow,
    ClaimSetError,
    Content,
    _,
    as_earlier,
    being_written,
    checked,
    citing_numbers,
    has,
    numbering,
    renumbering,
    row_of,
    settled,
)


def begin(
    content: Content, claim_id: str, after_id: str | None, *, job: str, revision: int
) -> Content:
    """A place for a claim that `job` now writes, behind `after_id`, or last where that is gone."""
    row: ClaimRow = {
        "id": claim_id,
        "text": "",
        "state": "writing",
        "origin": "model",
        "rev": revision,
        "job": job,
    }
    if after_id is not None and not has(content, after_id):
        after_id = content["claims"][-1]["id"] if content["claims"] else None
    return inserted(content, row, after_id, revision)


def restart(content: Content, claim_id: str, *, job: str, revision: int) -> Content:
    """The claim is written anew; its text stays in `earlier` until the new one is accepted."""
    row = row_of(content, claim_id)
    if row["state"] == "writing":
        raise being_written(numbering(content)[claim_id])
    earlier = as_earlier(row) if row["text"] else row.get("earlier")
    fresh: ClaimRow = {**row, "text": "", "state": "writing", "rev": revision, "job": job}
    return with_row(content, writing_row(fresh, earlier=earlier))


def fill(
    content: Content, claim_id: str, text: str, *, numbering_then: Mapping[str, int], revision: int
) -> Content:
    """The finished text, whose citations are numbered as when it was begun (`numbering_then`).

    Raises cites_removed_claim where it cites a claim that is gone and left no parent.
    """
    row = row_of(content, claim_id)
    now = numbering(content)
    ids_then = {number: each for each, number in numbering_then.items()}
    removed = content.get("removed", {})
    lost = [
        number
        for number in citations.cited_numbers(text)
        if number in ids_then and removed.get(ids_then[number], ids_then[number]) not in now
    ]
    if lost:
        raise ClaimSetError(
            "cites_removed_claim",
            _("写出的文字引用了刚被删除的权利要求%(number)d。"),
            number=min(lost),
        )
    renumber = renumbering(numbering_then, now, removed)
    changed: ClaimRow = {
        **row,
        "text": checked(citations.rewrite(text, renumber)),
        "state": "proposed",
        "origin": "model",
        "rev": revision,
    }
    return tidied(with_row(content, changed))


def fail(content: Content, claim_id: str, *, revision: int) -> Content:
    """Back to the earlier text, or without the claim where it never had one.

    A claim without text that another one cites stays, as "failed", so that the citation stays true.
    """
    row = row_of(content, claim_id)
    if "earlier" in row:
        restored = settled(row, **row["earlier"], rev=revision)
        return tidied(with_row(content, restored))
    if citing_numbers(content, claim_id):
        return tidied(with_row(content, settled(row, state="failed", rev=revision)))
    rows = [each for each in content["claims"] if each is not row]
    return tidied(rearranged(content, rows, revision))
