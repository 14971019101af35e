"""The audit log keeps what it was told."""

from typing import Any

import pytest
from django.db.models import ProtectedError

from console.accounts import audit
from console.accounts.models import AuditEntry


def test_an_entry_says_who_did_what_to_what(agent: Any) -> None:
    audit.record(actor=agent, action="matter.share", target="matter:1", team=3)
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.action, entry.target) == (agent, "matter.share", "matter:1")
    assert entry.detail == {"team": 3}


def test_an_entry_is_neither_changed_nor_deleted(agent: Any) -> None:
    entry = audit.record(actor=agent, action="x", target="y")
    entry.action = "z"
    with pytest.raises(TypeError):
        entry.save()
    with pytest.raises(TypeError):
        entry.delete()
    assert AuditEntry.objects.get().action == "x"


def test_who_stands_in_the_log_is_not_deleted(agent: Any) -> None:
    audit.record(actor=agent, action="x", target="y")
    with pytest.raises(ProtectedError):
        agent.delete()
