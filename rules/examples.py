"""A claim of the agency's own documents, taken as an example of a pack.

Only by a rule author who is also an agent of the matter's team: to anybody else the matter does not
exist. Once it is saved as an example, every rule author can read it, which the page says.
"""

from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import audit
from console.accounts.models import User
from console.matters.selectors import MatterNotFound, claim_set, claims_document, matter_for
from rules import selectors
from rules.claimstates import states
from rules.errors import RulesError
from rules.linter import Claim

_STATE = ("number", "kind", "subject", "citable")
"""What a claim's example says of its state; the rest is as it always is."""


@transaction.atomic
def take_claim(*, user: User, matter_id: str, claim_id: str) -> dict[str, Any]:
    """{text, state}: the claim, and the state of its set just before it.

    Raises RulesError: not_found, also for another team's matter; no_text.
    """
    try:
        matter = matter_for(user, matter_id)
    except MatterNotFound:
        raise selectors.not_found() from None
    rows = claim_set(claims_document(matter.pk).pk)
    row = next((row for row in rows if row["id"] == claim_id), None)
    if row is None:
        raise selectors.not_found()
    if not row["text"].strip():
        raise RulesError("no_text", _("这一项还没有文字，不能作为示例。"))
    number = row["number"]
    before = [one for one in rows if one["number"] <= number and one["text"].strip()]
    *_earlier, (claim, state) = states([Claim(one["number"], one["text"]) for one in before])
    audit.record(
        actor=user, action="rules.take_example", target=f"matter:{matter.pk}", claim=number
    )
    values = asdict(state)
    return {"text": claim.text, "state": {name: values[name] for name in _STATE}}
