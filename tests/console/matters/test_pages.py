"""The list of matters, the form of a new one, and the workspace's first state."""

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from console.drafting.models import DraftJob
from console.matters import selectors, services
from console.matters.models import Document, Matter
from tests.console.matters.conftest import Act, insert

pytestmark = pytest.mark.django_db

SCRIPT = "<script>alert('x')</script>"


def listed(client: Client, query: str = "") -> list[Any]:
    return list(client.get(f"/?{query}").context["matters"])


def job(document: Document, user: Any, status: str) -> DraftJob:
    return DraftJob.objects.create(
        document=document,
        user=user,
        request_id=status,
        params={"count": 8},
        pack_slug="cn-claims",
        pack_version=1,
        pack_digest="0" * 64,
        status=status,
    )


def test_the_list_counts_what_each_matter_has(
    agent: Any, agent_client: Client, matter: Matter, act: Act, document: Document
) -> None:
    first = act(insert(None, "一种散热装置，其特征在于，例如包括壳体。")).claim_id
    begun = services.begin_claim(document_id=document.pk, after_id=first, job_id="j")
    services.fill_claim(
        document_id=document.pk,
        claim_id=begun.claim_id,
        text="根据权利要求1所述的散热装置，其特征在于，还包括风扇。",
        numbering=begun.numbering,
        job_id="j",
    )
    services.store_disclosure(matter_id=matter.pk, user=agent, text="交底书")
    job(document, agent, "completed")
    job(document, agent, "running")
    (row,) = listed(agent_client)
    assert (row.claim_count, row.accepted_count, row.proposed_count) == (2, 1, 1)
    assert row.error_count == 1
    assert (row.running, row.has_disclosure) == ("running", True)


def test_a_new_matter_shows_zeros(agent_client: Client, matter: Matter) -> None:
    (row,) = listed(agent_client)
    assert (row.claim_count, row.error_count, row.running, row.has_disclosure) == (0, 0, "", False)


@pytest.mark.parametrize(
    ("query", "found"),
    [("散热", 1), ("cw-1", 1), ("散热 CW", 1), ("水泵", 0), ("%", 0), ("", 1)],
)
def test_the_search_reads_titles_and_references(
    query: str, found: int, agent_client: Client, matter: Matter
) -> None:
    page = agent_client.post("/", {"q": query}, follow=True)
    assert len(page.context["matters"]) == found


def test_the_states_divide_the_list(
    agent: Any, agent_client: Client, matter: Matter, act: Act, document: Document, team: Any
) -> None:
    services.create_matter(user=agent, team_id=team.pk, title="另一案")
    act(insert(None, "一种散热装置，其特征在于，包括壳体。"))
    assert [row.title for row in listed(agent_client, "state=empty")] == ["另一案"]
    assert [row.title for row in listed(agent_client, "state=done")] == ["一种散热装置"]
    assert listed(agent_client, "state=review") == []
    job(document, agent, "queued")
    assert [row.title for row in listed(agent_client, "state=running")] == ["一种散热装置"]
    assert len(listed(agent_client, "state=nonsense")) == 2


def test_the_list_comes_in_pages_newest_change_first(
    agent: Any, agent_client: Client, team: Any
) -> None:
    for number in range(52):
        services.create_matter(user=agent, team_id=team.pk, title=f"第{number}案")
    oldest = Matter.objects.get(title="第0案")
    services.store_disclosure(matter_id=oldest.pk, user=agent, text="交底书")
    first, second = listed(agent_client), listed(agent_client, "page=2")
    assert [len(first), len(second)] == [50, 2]
    assert first[0].title == "第0案"
    assert not {row.pk for row in first} & {row.pk for row in second}
    assert len(listed(agent_client, "page=junk")) == 50
    assert agent_client.post("/", {"q": "第1案"}, follow=True).context["total"] == 52


def test_what_is_searched_for_stands_in_no_address(
    agent: Any, agent_client: Client, team: Any
) -> None:
    for title in ("一种水泵", "一种水泵的控制方法", "一种阀"):
        services.create_matter(user=agent, team_id=team.pk, title=title)
    answer = agent_client.post("/", {"q": "水泵", "state": "empty"})
    assert answer["Location"] == "/?found=1&state=empty"
    page = agent_client.get(answer["Location"])
    assert len(page.context["matters"]) == 2
    links = [link for link in page.content.decode().split('href="') if link.startswith("?")]
    assert links
    assert all(link.startswith("?found=1&amp;state=") for link in links)
    assert len(listed(agent_client)) == 3
    assert agent_client.post("/", {"q": ""})["Location"] == "/"


def test_the_list_asks_the_database_the_same_few_times_however_long_it_is(
    agent: Any, agent_client: Client, team: Any, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        services.create_matter(user=agent, team_id=team.pk, title=f"第{number}案")
    with django_assert_max_num_queries(14):
        agent_client.get("/")


def test_a_matter_is_made_with_its_documents(agent_client: Client, agent: Any, team: Any) -> None:
    form = {
        "title": " 一种\u3000散热装置 ",
        "reference": "CW-2",
        "jurisdiction": "cn",
        "language": "zh",
        "kinds": ["claims", "abstract"],
        "team": team.pk,
    }
    answer = agent_client.post(reverse("matters:new"), form)
    made = Matter.objects.get()
    assert answer["Location"] == reverse("matters:workspace", args=[made.pk])
    assert (made.title, made.reference, made.team, made.created_by) == (
        "一种 散热装置",
        "CW-2",
        team,
        agent,
    )
    assert sorted(made.documents.values_list("kind", flat=True)) == ["abstract", "claims"]


def test_title_alone_is_enough_for_an_agent_of_one_team(agent_client: Client, team: Any) -> None:
    agent_client.post(reverse("matters:new"), {"title": "一种装置"})
    made = Matter.objects.get()
    assert (made.team, made.jurisdiction, made.language) == (team, "cn", "zh")
    assert [each.kind for each in made.documents.all()] == ["claims"]


def test_an_agent_of_two_teams_must_choose(
    agent_client: Client, agent: Any, other_team: Any
) -> None:
    other_team.members.add(agent)
    answer = agent_client.post(reverse("matters:new"), {"title": "一种装置"})
    assert "team" in answer.context["form"].errors
    agent_client.post(reverse("matters:new"), {"title": "一种装置", "team": other_team.pk})
    assert Matter.objects.get().team == other_team


@pytest.mark.parametrize("length", [25, 26, 60, 61])
def test_titles_are_warned_of_beyond_25_and_refused_beyond_60(
    length: int, agent_client: Client
) -> None:
    answer = agent_client.post(reverse("matters:new"), {"title": "长" * length}, follow=True)
    warned = [str(message) for message in answer.context["messages"]]
    if length > 60:
        assert "61" in str(answer.context["form"].errors["title"])
        assert not Matter.objects.exists()
    else:
        assert Matter.objects.count() == 1
        assert bool(warned) == (length > 25)


@pytest.mark.parametrize(
    "form",
    [
        {"title": ""},
        {"title": "\u3000 "},
        {"title": "一种装置", "jurisdiction": "us"},
        {"title": "一种装置", "kinds": ["nonsense"]},
        {"title": "一种装置", "reference": "长" * 61},
        {"title": "一种装置", "team": "junk"},
    ],
)
def test_a_wrong_form_is_shown_again(form: dict[str, Any], agent_client: Client) -> None:
    answer = agent_client.post(reverse("matters:new"), form)
    assert answer.status_code == 200
    assert answer.context["form"].errors
    assert not Matter.objects.exists()


def test_an_agent_without_a_team_is_told(agent: Any, agent_client: Client, team: Any) -> None:
    team.members.clear()
    assert agent_client.get("/").context["has_team"] is False
    answer = agent_client.post(reverse("matters:new"), {"title": "一种装置"})
    assert "team" in answer.context["form"].errors


def test_the_workspace_begins_with_the_state_that_the_script_would_fetch(
    agent_client: Client, matter: Matter, act: Act
) -> None:
    act(insert(None, "一种散热装置，其特征在于，包括壳体。"))
    page = agent_client.get(reverse("matters:workspace", args=[matter.pk]))
    embedded = re.search(
        r'<script id="initial-state" type="application/json">(.*?)</script>', page.content.decode()
    )
    assert embedded is not None
    state = json.loads(embedded[1])
    fetched = agent_client.get(reverse("matters:state", args=[matter.pk])).json()
    assert {key: state[key] for key in fetched} == fetched
    assert state["subjects"] == {"product": "散热装置", "method": "", "categories": ["product"]}
    assert state["urls"]["operations"] == reverse("matters:operations", args=[matter.pk])
    assert fetched["document"]["claims"][0]["number"] == 1
    assert (fetched["job"], fetched["disclosure"], fetched["can_undo"]) == (None, None, True)


def test_script_tags_are_shown_and_never_run(agent: Any, agent_client: Client, team: Any) -> None:
    agent.display_name = team.name = SCRIPT[:60]
    agent.save()
    team.save()
    agent_client.post(reverse("matters:new"), {"title": SCRIPT, "reference": SCRIPT})
    made = Matter.objects.get()
    services.store_disclosure(
        matter_id=made.pk, user=agent, text=SCRIPT, source_name=f"{SCRIPT}.docx"
    )
    services.apply_operation(
        document_id=selectors.claims_document(made.pk).pk,
        user=agent,
        base_revision=0,
        op=insert(None, f"一种{SCRIPT}</script><script>装置。"),
    )
    agent_client.post("/", {"q": SCRIPT})
    for url in (
        "/",
        "/?found=1",
        reverse("matters:workspace", args=[made.pk]),
        reverse("matters:new"),
    ):
        html = agent_client.get(url).content.decode()
        assert "<script>alert" not in html
        assert "</script><script>装置" not in html
    assert "&lt;script&gt;alert" in agent_client.get("/").content.decode()
    state = agent_client.get(reverse("matters:state", args=[made.pk]))
    assert state["Content-Type"] == "application/json"
    assert state.json()["matter"]["title"] == SCRIPT
    assert state.json()["disclosure"]["source_name"] == f"{SCRIPT}.docx"


def test_times_are_given_with_their_zone(agent: Any, agent_client: Client, matter: Matter) -> None:
    services.store_disclosure(matter_id=matter.pk, user=agent, text="交底书")
    state = agent_client.get(reverse("matters:state", args=[matter.pk])).json()
    imported = datetime.fromisoformat(state["disclosure"]["imported_at"])
    assert abs((datetime.now(UTC) - imported).total_seconds()) < 3600


def test_a_reader_who_has_the_disclosure_is_not_sent_it_again(
    agent: Any, agent_client: Client, matter: Matter
) -> None:
    url = reverse("matters:state", args=[matter.pk])
    services.store_disclosure(matter_id=matter.pk, user=agent, text="交底书")
    known = agent_client.get(url).json()["disclosure"]["imported_at"]
    assert "disclosure" not in agent_client.get(url, {"disclosure": known}).json()
    services.store_disclosure(matter_id=matter.pk, user=agent, text="新的交底书")
    answer = agent_client.get(url, {"disclosure": known}).json()
    assert answer["disclosure"]["text"] == "新的交底书"
