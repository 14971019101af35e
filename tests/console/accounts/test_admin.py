"""The admin: for operators, through the one sign-in form, with every change on record."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from console.accounts.models import AuditEntry, Role, Team, User
from console.matters import services

USERS = reverse("admin:accounts_user_changelist")
TEAMS = reverse("admin:accounts_team_changelist")
AUDIT = reverse("admin:accounts_auditentry_changelist")


@pytest.mark.parametrize("page", ["/admin/", USERS, TEAMS, AUDIT])
def test_an_agent_does_not_get_in(agent_client: Client, page: str) -> None:
    assert agent_client.get(page, follow=True).status_code == 403


@pytest.mark.parametrize("page", [USERS, TEAMS, AUDIT])
def test_a_rule_author_gets_in_but_sees_no_accounts(rule_author_client: Client, page: str) -> None:
    assert rule_author_client.get("/admin/").status_code == 200
    assert rule_author_client.get(page).status_code == 403


@pytest.mark.parametrize("page", ["/admin/", USERS, TEAMS, AUDIT])
def test_an_operator_reads_them_all(operator_client: Client, team: Team, page: str) -> None:
    assert operator_client.get(page).status_code == 200


def test_the_admin_has_no_sign_in_form_of_its_own(client: Client, db: None) -> None:
    response = client.get(USERS, follow=True)
    assert response.redirect_chain[-1][0].startswith(reverse("login"))
    assert client.post("/admin/login/", {"username": "a", "password": "b"}).status_code == 302


def user_form(user: User, **changes: Any) -> dict[str, Any]:
    groups = [group.pk for group in user.groups.all()]
    return {"username": user.username, "is_active": "on", "groups": groups} | changes


def test_a_role_is_given_and_recorded(operator_client: Client, agent: User, operator: User) -> None:
    from django.contrib.auth.models import Group

    roles = [Group.objects.get(name=name).pk for name in ("agent", "rule_author")]
    url = reverse("admin:accounts_user_change", args=[agent.pk])
    response = operator_client.post(url, user_form(agent, groups=roles))
    assert response.status_code == 302
    assert agent.has_role(Role.RULE_AUTHOR)
    entry = AuditEntry.objects.get(action="user.change")
    assert (entry.actor, entry.target) == (operator, f"user:{agent.pk}")
    assert entry.detail["roles_after"] == ["agent", "rule_author"]


def test_an_operator_cannot_become_a_superuser(operator_client: Client, operator: User) -> None:
    url = reverse("admin:accounts_user_change", args=[operator.pk])
    operator_client.post(url, user_form(operator, is_superuser="on", is_staff="on"))
    operator.refresh_from_db()
    assert not operator.is_superuser


def test_a_superusers_account_is_closed_to_operators(operator_client: Client) -> None:
    root = User.objects.create_superuser("root", password="x")
    change = reverse("admin:accounts_user_change", args=[root.pk])
    assert operator_client.post(change, user_form(root, username="taken")).status_code == 403
    password = reverse("admin:auth_user_password_change", args=[root.pk])
    assert operator_client.get(password).status_code == 403


def test_joining_a_team_is_recorded(
    operator_client: Client, team: Team, agent: User, outsider: User
) -> None:
    url = reverse("admin:accounts_team_change", args=[team.pk])
    membership = agent.membership_set.get()
    form = {
        "name": team.name,
        "membership_set-TOTAL_FORMS": 2,
        "membership_set-INITIAL_FORMS": 1,
        "membership_set-0-id": membership.pk,
        "membership_set-0-team": team.pk,
        "membership_set-0-user": agent.pk,
        "membership_set-1-team": team.pk,
        "membership_set-1-user": outsider.pk,
    }
    assert operator_client.post(url, form).status_code == 302
    entry = AuditEntry.objects.get(action="team.change")
    assert entry.detail["members_before"] == [agent.pk]
    assert entry.detail["members_after"] == sorted([agent.pk, outsider.pk])


def test_a_new_user_is_made_and_recorded(operator_client: Client) -> None:
    form = {
        "username": "neu",
        "password1": "quite-another-9413",
        "password2": "quite-another-9413",
        "usable_password": "true",
    }
    assert operator_client.post(reverse("admin:accounts_user_add"), form).status_code == 302
    assert AuditEntry.objects.get(action="user.create").target == (
        f"user:{User.objects.get(username='neu').pk}"
    )


def test_users_and_audit_entries_cannot_be_deleted(operator_client: Client, agent: User) -> None:
    assert (
        operator_client.get(reverse("admin:accounts_user_delete", args=[agent.pk])).status_code
        == 403
    )
    entry = AuditEntry.objects.create(action="x", target="y")
    for page in ("delete", "change"):
        url = reverse(f"admin:accounts_auditentry_{page}", args=[entry.pk])
        assert operator_client.post(url, {}).status_code == 403


def test_a_team_with_matters_is_not_deleted_and_its_matters_are_not_shown(
    operator_client: Client, team: Team, agent: User
) -> None:
    matter = services.create_matter(user=agent, team_id=team.pk, title="一种保密装置")
    services.store_disclosure(
        matter_id=matter.pk, user=agent, text="壳体", source_name="保密.docx", source_format="docx"
    )
    url = reverse("admin:accounts_team_delete", args=[team.pk])
    several = {"action": "delete_selected", "_selected_action": [team.pk]}
    for answer in (
        operator_client.get(url),
        operator_client.post(url, {"post": "yes"}),
        operator_client.post(TEAMS, several),
        operator_client.post(TEAMS, {**several, "post": "yes"}, follow=True),
    ):
        assert answer.status_code == 200
        assert "保密" not in answer.content.decode()
    assert Team.objects.filter(pk=team.pk).exists()


def test_several_teams_deleted_at_once_are_recorded(operator_client: Client, team: Team) -> None:
    form = {"action": "delete_selected", "_selected_action": [team.pk], "post": "yes"}
    assert operator_client.post(TEAMS, form).status_code == 302
    assert not Team.objects.filter(pk=team.pk).exists()
    assert AuditEntry.objects.get(action="team.delete").target == f"team:{team.pk}"


def test_a_team_without_matters_is_deleted_and_recorded(
    operator_client: Client, team: Team
) -> None:
    url = reverse("admin:accounts_team_delete", args=[team.pk])
    assert operator_client.post(url, {"post": "yes"}).status_code == 302
    assert AuditEntry.objects.get(action="team.delete").target == f"team:{team.pk}"
    assert not Team.objects.filter(pk=team.pk).exists()
