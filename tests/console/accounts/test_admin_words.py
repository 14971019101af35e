"""The admin speaks the reader's language and belongs to the console."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from console.accounts import audit
from console.accounts.models import AuditEntry, Team, User
from console.matters import services

ROOT = Path(__file__).parents[3]
AUDIT = reverse("admin:accounts_auditentry_changelist")
USERS = reverse("admin:accounts_user_changelist")
TEAMS = reverse("admin:accounts_team_changelist")


class Words(HTMLParser):
    """What a reader sees: text, without scripts, styles and the names of icons."""

    def __init__(self) -> None:
        super().__init__()
        self._unread = ""
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        icon = "material-symbols" in (dict(attrs).get("class") or "")
        if tag in ("script", "style", "template") or (tag == "span" and icon):
            self._unread = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == self._unread:
            self._unread = ""

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self.seen += data.split()


def words(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200
    page = Words()
    page.feed(response.content.decode())
    return " ".join(page.seen)


def recorded_actions() -> set[str]:
    """The actions that stand in the code, and the steps of a rule version."""
    found: set[str] = set()
    for path in [*(ROOT / "console").rglob("*.py"), *(ROOT / "rules").rglob("*.py")]:
        text = path.read_text("utf-8")
        found |= set(re.findall(r'action="(\w+\.\w+)"', text))
        found |= {f"rules.{step}" for step in re.findall(r'\buser, "(\w+)"', text)}
    return found


def test_each_action_that_is_recorded_has_a_name() -> None:
    found = recorded_actions()
    assert {"matter.create", "team.delete", "rules.begin", "rules.save", "rules.submit"} <= found
    assert found - set(audit.ACTIONS) == set()


@pytest.mark.parametrize("page", ["/admin/", USERS, TEAMS, AUDIT])
def test_the_chinese_admin_has_no_english_words(
    operator_client: Client, agent: User, team: Team, page: str
) -> None:
    services.create_matter(user=agent, team_id=team.pk, title="一种保密装置")
    # Names, and the letters of an id.
    known = {"Claimwright", agent.username, str(agent), "operator", "Operator"}
    english = set(re.findall(r"[A-Za-z]{2,}", words(operator_client, page))) - known
    assert {one for one in english if not re.fullmatch("[a-f]+", one)} == set()


def test_a_users_and_a_teams_page_name_roles_and_members_in_the_readers_language(
    operator_client: Client, agent: User, team: Team
) -> None:
    user_page = words(operator_client, reverse("admin:accounts_user_change", args=[agent.pk]))
    assert "专利代理师" in user_page
    assert "rule_author" not in user_page
    assert "Raw passwords" not in user_page
    team_page = words(operator_client, reverse("admin:accounts_team_change", args=[team.pk]))
    assert "成员" in team_page
    assert "Membership" not in team_page


def test_the_audit_log_says_what_was_done_and_keeps_the_id_and_no_title(
    operator_client: Client, agent: User, team: Team
) -> None:
    matter = services.create_matter(user=agent, team_id=team.pk, title="一种保密装置")
    listed = words(operator_client, AUDIT)
    assert "新建案件" in listed
    assert f"案件 {matter.pk}" in listed
    assert "matter.create" not in listed
    assert "一种保密装置" not in listed
    entry = AuditEntry.objects.get(action="matter.create")
    page = words(operator_client, reverse("admin:accounts_auditentry_change", args=[entry.pk]))
    assert f"案件 {matter.pk}" in page
    assert "matter.create" not in page.lower()


def test_the_audit_log_is_filtered_by_action(
    operator_client: Client, agent: User, team: Team
) -> None:
    services.create_matter(user=agent, team_id=team.pk, title="一种保密装置")
    audit.record(actor=agent, action="password.change", target=f"user:{agent.pk}")
    found = operator_client.get(AUDIT, {"action": "password.change"}).context["cl"]
    assert [entry.action for entry in found.queryset] == ["password.change"]


def test_an_entry_of_another_release_is_shown_as_it_was_recorded(operator_client: Client) -> None:
    AuditEntry.objects.create(action="future.step", target="thing:7")
    listed = words(operator_client, AUDIT)
    assert "future.step" in listed
    assert "thing:7" in listed


def test_english_headings_know_one_from_many(operator_client: Client) -> None:
    operator_client.post(reverse("set_language"), {"language": "en", "next": "/"})
    assert "Select user to change" in words(operator_client, USERS)
    assert "Users" in words(operator_client, "/admin/")
    assert "Select audit entry to view" in words(operator_client, AUDIT)


def test_the_admin_leads_back_to_what_the_reader_may_see(
    operator_client: Client, rule_author_client: Client
) -> None:
    head = f'href="{reverse("operations:overview")}"'
    assert head in operator_client.get("/admin/").content.decode()
    assert head not in rule_author_client.get("/admin/").content.decode()


def test_the_account_is_shown_by_its_full_name(operator_client: Client, operator: User) -> None:
    assert "沈若衡" not in words(operator_client, "/admin/")
    operator.display_name = "沈若衡"
    operator.save()
    assert "沈若衡" in words(operator_client, "/admin/")


def test_a_browser_finds_the_icon_without_signing_in(client: Client, db: None) -> None:
    response = client.get("/favicon.ico")
    assert response.status_code == 302
    assert response["Location"].endswith("img/seal.svg")
    page = client.get(reverse("login")).content.decode()
    assert 'rel="icon"' in page
