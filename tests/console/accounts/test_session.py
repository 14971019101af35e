"""What a request without a session gets, signing out, the password, the language."""

from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver, reverse
from django.urls.resolvers import URLPattern, URLResolver

from console.accounts.models import AuditEntry
from tests.conftest import PASSWORD

# metrics asks for its own token or an operator: tests/console/operations/test_metrics.py.
OPEN_TO_ALL = {"login", "logout", "set_language", "healthz", "readyz", "metrics", "favicon"}


def named_routes(patterns: list[Any], prefix: str = "") -> list[tuple[str, Any]]:
    found = []
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            if pattern.app_name != "admin":
                space = f"{pattern.namespace}:" if pattern.namespace else ""
                found += named_routes(pattern.url_patterns, prefix + space)
        elif isinstance(pattern, URLPattern):
            found.append((f"{prefix}{pattern.name}", pattern.callback))
    return found


def test_every_page_but_the_known_few_asks_for_signing_in() -> None:
    """A new view is closed by default; opening one to strangers means changing this test."""
    routes = named_routes(get_resolver().url_patterns)
    is_open = {name for name, view in routes if not getattr(view, "login_required", True)}
    assert is_open == OPEN_TO_ALL


def test_a_stranger_is_sent_to_the_form_and_back(client: Client, db: None) -> None:
    response = client.get("/matters/new/")
    assert response.status_code == 302
    assert response["Location"] == f"{reverse('login')}?next=/matters/new/"


@pytest.mark.parametrize(
    "request_as",
    [{"HTTP_ACCEPT": "application/json"}, {"content_type": "application/json", "data": "{}"}],
)
def test_a_script_learns_that_the_session_has_ended(
    client: Client, db: None, request_as: dict[str, Any]
) -> None:
    response = client.post("/matters/new/", **request_as)
    assert response.status_code == 401
    assert response.json()["code"] == "login_required"


def test_signing_out_ends_the_session_and_works_twice(agent_client: Client) -> None:
    for _ in range(2):
        response = agent_client.post(reverse("logout"))
        assert response["Location"] == reverse("login")
    assert agent_client.get("/").status_code == 302


def test_signing_out_needs_a_post(agent_client: Client) -> None:
    assert agent_client.get(reverse("logout")).status_code == 405


def change_password(client: Client, new: str) -> Any:
    values = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    return client.post(reverse("password_change"), values)


def test_a_new_password_keeps_this_session_and_ends_the_others(
    agent: Any, agent_client: Client
) -> None:
    other = Client()
    other.force_login(agent)
    response = change_password(agent_client, "quite-another-9413")
    assert response["Location"] == reverse("matters:list")
    assert agent_client.get("/").status_code == 200
    assert other.get("/").status_code == 302
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.action) == (agent, "password.change")


@pytest.mark.parametrize("weak", ["short", "12345678901", "password123", "agent1234"])
def test_a_weak_password_is_refused_with_the_reason(agent_client: Client, weak: str) -> None:
    response = change_password(agent_client, weak)
    assert response.status_code == 200
    assert response.context["form"].errors["new_password2"]


def test_a_language_switch_does_not_lead_away(client: Client, db: None) -> None:
    response = client.post(
        reverse("set_language"), {"language": "en", "next": "https://evil.example/"}
    )
    assert response["Location"] == "/"


def test_a_forged_form_is_refused(agent: Any) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(agent)
    assert strict.post(reverse("logout")).status_code == 403
