"""Roles, and the guard that views use."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, Group
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from console.accounts.access import require_role
from console.accounts.models import Role


@require_role(Role.OPERATOR)
def page(request: HttpRequest, name: str) -> HttpResponse:
    return HttpResponse(name)


def ask(user: Any) -> HttpResponse:
    request = RequestFactory().get("/")
    request.user = user
    return page(request, name="ok")


def test_every_role_has_its_group(db: None) -> None:
    assert set(Role.values) <= set(Group.objects.values_list("name", flat=True))


def test_the_role_opens_the_page(operator: Any) -> None:
    assert ask(operator).content == b"ok"


def test_another_role_does_not(agent: Any, rule_author: Any) -> None:
    for user in (agent, rule_author, AnonymousUser()):
        with pytest.raises(PermissionDenied):
            ask(user)


def test_a_closed_account_has_no_role(operator: Any) -> None:
    operator.is_active = False
    with pytest.raises(PermissionDenied):
        ask(operator)


def test_a_refused_page_leads_back_to_where_the_users_work_begins(
    client: Client, rule_author: Any
) -> None:
    client.force_login(rule_author)
    response = client.get(reverse("matters:new"))
    assert response.status_code == 403
    assert f'href="{reverse("admin:index")}"' in response.content.decode()


def test_the_bare_address_leads_to_where_the_users_work_begins(
    client: Client, rule_author: Any, operator: Any
) -> None:
    for user, home in ((rule_author, "admin:index"), (operator, "operations:overview")):
        client.force_login(user)
        assert client.get("/")["Location"] == reverse(home)
    operator.groups.clear()
    client.force_login(operator)
    assert client.get("/").status_code == 403
