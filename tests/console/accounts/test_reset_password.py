"""manage.py reset_password."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from console.accounts.models import AuditEntry
from tests.conftest import PASSWORD


def test_the_new_password_works_and_the_old_sessions_end(agent: Any, agent_client: Client) -> None:
    out = StringIO()
    call_command("reset_password", "agent", stdout=out)
    password = out.getvalue().strip().rpartition(" ")[2]
    agent.refresh_from_db()
    assert agent.check_password(password)
    assert not agent.check_password(PASSWORD)
    assert password not in agent.password
    assert agent_client.get("/").status_code == 302
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.target, entry.detail) == ("password.reset", f"user:{agent.pk}", {})


def test_an_unknown_name_is_answered_with_the_known_ones(agent: Any) -> None:
    with pytest.raises(CommandError, match=r"no user 'bob'\. Users: agent\."):
        call_command("reset_password", "bob")
