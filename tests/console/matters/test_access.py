"""Who may reach what: a matter is its team's, and to others it does not exist."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from console.matters import selectors, services
from console.matters.models import Matter

pytestmark = pytest.mark.django_db

JSON = "application/json"
# Every address of a matter, with a request that would succeed for its agent.
ENDPOINTS: dict[str, tuple[str, tuple[Any, ...], Any]] = {
    "workspace": ("get", (), None),
    "state": ("get", (), None),
    "disclosure": ("post", (), {"text": "一种散热装置。"}),
    "operations": (
        "post",
        (),
        {
            "operation_id": "operation-1",
            "base_revision": 1,
            "op": {"kind": "insert", "after_id": None, "text": "一种装置。"},
        },
    ),
    "versions": ("get", (), None),
    "version": ("get", (1,), None),
    "restore": ("post", (1,), {"operation_id": "operation-2"}),
    "export": ("get", (), None),
}


@pytest.fixture
def matter(matter: Matter, agent: Any) -> Matter:
    services.apply_operation(
        document_id=selectors.claims_document(matter.pk).pk,
        user=agent,
        base_revision=0,
        op={"kind": "insert", "after_id": None, "text": "一种散热装置，其特征在于，包括壳体。"},
    )
    return matter


def ask(client: Client, name: str, matter_id: Any, **more: Any) -> Any:
    method, args, body = ENDPOINTS[name]
    url = reverse(f"matters:{name}", args=[matter_id, *args])
    if method == "get":
        return client.get(url, headers={"Accept": JSON}, **more)
    return client.post(url, body, content_type=JSON, headers={"Accept": JSON}, **more)


@pytest.mark.parametrize("name", ENDPOINTS)
def test_the_team_reaches_everything(
    name: str, matter: Matter, agent_client: Client, member_client: Client
) -> None:
    assert ask(agent_client, name, matter.pk).status_code == 200
    assert ask(member_client, name, matter.pk).status_code == 200


@pytest.mark.parametrize("name", ENDPOINTS)
def test_to_an_outsider_it_does_not_exist(
    name: str, matter: Matter, outsider_client: Client
) -> None:
    answer = ask(outsider_client, name, matter.pk)
    assert answer.status_code == 404
    assert answer.content == ask(outsider_client, name, uuid4()).content or name == "workspace"
    assert matter.title not in answer.content.decode()


@pytest.mark.parametrize("name", ENDPOINTS)
def test_nobody_without_the_agents_role_gets_in(
    name: str, matter: Matter, team: Any, rule_author: Any, rule_author_client: Client
) -> None:
    team.members.add(rule_author)
    assert ask(rule_author_client, name, matter.pk).status_code == 403


@pytest.mark.parametrize("name", ENDPOINTS)
def test_without_signing_in_scripts_get_401(name: str, matter: Matter, client: Client) -> None:
    answer = ask(client, name, matter.pk)
    assert (answer.status_code, answer.json()["code"]) == (401, "login_required")


@pytest.mark.parametrize("name", ["list", "new"])
def test_pages_send_a_stranger_to_the_sign_in(name: str, client: Client) -> None:
    answer = client.get(reverse(f"matters:{name}"))
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("login"))


def test_pages_are_for_agents(matter: Matter, operator_client: Client) -> None:
    assert operator_client.get(reverse("matters:new")).status_code == 403
    page = operator_client.get(reverse("matters:list"), follow=True)
    assert matter.title not in page.content.decode()


def test_a_member_who_left_the_team_is_an_outsider(
    matter: Matter, team: Any, member: Any, member_client: Client
) -> None:
    team.members.remove(member)
    assert ask(member_client, "state", matter.pk).status_code == 404


def test_a_deactivated_user_is_nobody(matter: Matter, agent: Any) -> None:
    agent.is_active = False
    agent.save()
    with pytest.raises(selectors.MatterNotFound):
        selectors.matter_for(agent, matter.pk)


@pytest.mark.parametrize("junk", ["", "x", "0", "../..", "00000000-0000-0000-0000-000000000000"])
def test_junk_ids_name_no_matter(junk: str, agent: Any, matter: Matter) -> None:
    with pytest.raises(selectors.MatterNotFound):
        selectors.matter_for(agent, junk)


@pytest.mark.parametrize("name", [name for name, end in ENDPOINTS.items() if end[0] == "post"])
def test_a_form_of_another_site_changes_nothing(name: str, matter: Matter, agent: Any) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(agent)
    before = selectors.claims_document(matter.pk).revision
    answer = ask(client, name, matter.pk)
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf_failed")
    assert selectors.claims_document(matter.pk).revision == before
    assert selectors.disclosure_of(matter.pk) is None


@pytest.mark.parametrize("name", [name for name, end in ENDPOINTS.items() if end[0] == "post"])
def test_a_link_cannot_change_anything(name: str, matter: Matter, agent_client: Client) -> None:
    url = reverse(f"matters:{name}", args=[matter.pk, *ENDPOINTS[name][1]])
    assert agent_client.get(url, headers={"Accept": JSON}).status_code == 405


def test_the_list_shows_only_the_teams_matters(
    matter: Matter, agent_client: Client, outsider_client: Client
) -> None:
    assert [each.pk for each in agent_client.get("/").context["matters"]] == [matter.pk]
    assert list(outsider_client.get("/").context["matters"]) == []


def test_a_matter_cannot_be_made_for_another_team(
    agent_client: Client, other_team: Any, count_matters: Callable[[], int]
) -> None:
    form = {"title": "一种装置", "kinds": ["claims"], "team": other_team.pk}
    answer = agent_client.post(reverse("matters:new"), form)
    assert answer.status_code == 200
    assert "team" in answer.context["form"].errors
    assert count_matters() == 0


@pytest.fixture
def count_matters() -> Callable[[], int]:
    return Matter.objects.count
