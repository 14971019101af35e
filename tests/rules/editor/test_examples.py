"""A claim becomes an example only through someone who may read its matter and may write rules."""

from typing import Any

import pytest
from django.contrib.auth.models import Group

from console.accounts.models import AuditEntry
from console.matters import selectors, services
from rules.models import Pack
from tests.conftest import make_user, signed_in
from tests.rules.editor.conftest import post

PATH = "/rules/examples/"
CLAIMS = (
    "一种散热装置，包括底座和与所述底座连接的翅片。",
    "根据权利要求1所述的散热装置，其特征在于，所述翅片为铝制翅片。",
)


@pytest.fixture
def matter(agent: Any, team: Any) -> Any:
    """Two claims, and a third that is still being written."""
    made = services.create_matter(user=agent, team_id=team.pk, title="一种散热装置")
    document = selectors.claims_document(made.pk).pk
    after = None
    for job, text in enumerate((*CLAIMS, None)):
        begun = services.begin_claim(document_id=document, after_id=after, job_id=str(job))
        after = begun.claim_id
        if text:
            services.fill_claim(
                document_id=document,
                claim_id=after,
                text=text,
                numbering=begun.numbering,
                job_id=str(job),
            )
    return made


def both_roles(name: str, team: Any) -> Any:
    user = make_user(name, role="agent", team=team)
    user.groups.add(Group.objects.get_or_create(name="rule_author")[0])
    return user


def body(matter: Any, number: int) -> dict[str, str]:
    rows = selectors.claim_set(selectors.claims_document(matter.pk).pk)
    return {"matter": str(matter.pk), "claim": rows[number - 1]["id"]}


def test_a_claim_comes_with_the_state_that_it_was_written_in(matter: Any, team: Any) -> None:
    response = post(signed_in(both_roles("li", team)), PATH, body(matter, 2))
    assert response.status_code == 200
    assert response.json() == {
        "text": CLAIMS[1],
        "state": {
            "number": 2,
            "kind": "dependent",
            "subject": "散热装置",
            "citable": [{"number": 1, "subject": "散热装置", "multiple": False}],
        },
    }
    entry = AuditEntry.objects.get(action="rules.take_example")
    assert (entry.target, entry.detail) == (f"matter:{matter.pk}", {"claim": 2})


def test_to_another_team_and_to_an_author_in_no_team_the_matter_does_not_exist(
    matter: Any, other_team: Any, rule_author: Any
) -> None:
    for user in (both_roles("stranger", other_team), rule_author):
        response = post(signed_in(user), PATH, body(matter, 1))
        assert (response.status_code, response.json()["code"]) == (404, "not_found")
        assert "底座" not in response.content.decode()
    assert not AuditEntry.objects.filter(action="rules.take_example").exists()


def test_an_agent_of_the_team_who_writes_no_rules_takes_none(
    matter: Any, agent_client: Any
) -> None:
    assert post(agent_client, PATH, body(matter, 1)).status_code == 403


def test_what_has_no_text_or_does_not_exist_is_no_example(matter: Any, team: Any) -> None:
    client = signed_in(both_roles("li", team))
    assert post(client, PATH, body(matter, 3)).json()["code"] == "no_text"
    for changed in ({"claim": "c0"}, {"matter": "no id"}, {"matter": str(matter.pk)[::-1]}):
        assert post(client, PATH, {**body(matter, 1), **changed}).status_code == 404


def test_the_workspace_leads_rule_authors_and_nobody_else_to_the_editor(
    matter: Any, team: Any, agent_client: Any
) -> None:
    pack = Pack.objects.create(slug="cn-claims", title="权利要求")
    page = f"/matters/{matter.pk}/"
    address = f"/admin/rules/pack/{pack.pk}/change/"
    assert address in signed_in(both_roles("li", team)).get(page).content.decode()
    assert address not in agent_client.get(page).content.decode()
