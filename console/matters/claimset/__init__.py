"""The claims of one document as a value, and every change that can be made to it. Pure.

A number is a position; a citation in a text belongs to a claim, not to a number. So every operation
that changes positions rewrites the numbers in all texts (citations.py), and each citation goes on
pointing to the claim it pointed to before.

Each operation takes a content and gives a new one; `revision` is the number the new content will
have. A row's `rev` is the revision in which its text last changed: it never comes back, so that
whoever holds an older text can always be told.

A claim is begun (state "writing", no text), filled ("proposed") or failed, and then accepted,
edited or rejected by the agent. While an existing claim is written anew its former text stays in
`earlier`.
"""

from console.matters.claimset.drafting import begin, fail, fill, restart
from console.matters.claimset.edits import accept, edit, insert, move, reject, remove
from console.matters.claimset.restoring import restore
from console.matters.claimset.rows import (
    MAX_CLAIM_CHARACTERS,
    MAX_CLAIMS,
    ClaimRow,
    ClaimSetError,
    Content,
    NumberedRow,
    empty,
    has,
    new_id,
    numbered,
    numbering,
    read,
    row_of,
    written_texts,
)

__all__ = [
    "MAX_CLAIMS",
    "MAX_CLAIM_CHARACTERS",
    "ClaimRow",
    "ClaimSetError",
    "Content",
    "NumberedRow",
    "accept",
    "begin",
    "edit",
    "empty",
    "fail",
    "fill",
    "has",
    "insert",
    "move",
    "new_id",
    "numbered",
    "numbering",
    "read",
    "reject",
    "remove",
    "restart",
    "restore",
    "row_of",
    "written_texts",
]
