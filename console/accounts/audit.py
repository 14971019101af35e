"""The audit log: what was done, by whom, to what. Ids and settings only, never client text."""

from typing import Any

from console.accounts.models import AuditEntry, User


def record(*, actor: User | None, action: str, target: str, **detail: Any) -> AuditEntry:
    """Appends one entry. `action` is a dotted slug ("password.reset"); `detail` must be JSON-able.

    Call it in the transaction of the change itself: both are kept or neither is.
    """
    return AuditEntry.objects.create(actor=actor, action=action, target=target, detail=detail)
