"""Publishing and going back, against a real etcd."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from console.accounts.models import AuditEntry
from rules.models import Pack, PackVersion, State
from rules.services import adopt
from rules.store.client import store
from tests.rules.editor.conftest import SUBJECT, banning, document, in_review, post

pytestmark = pytest.mark.services
PACK = "/rules/packs/cn-small/"


@pytest.fixture
def published(etcd: Any, db: None) -> Iterator[PackVersion]:
    """Version 1, in force."""
    store.cache_clear()
    yield adopt(store().publish(document(), author="builtin"))
    store().close()
    store.cache_clear()


def active() -> int:
    return store().in_force()["cn-small"].version


def change(client: Client, draft: PackVersion, content: dict[str, Any]) -> None:
    body = {"base_revision": draft.revision, "document": content}
    assert post(client, f"{PACK}{draft.pk}/save/", body).status_code == 200


def test_a_reviewed_draft_comes_into_force_with_author_and_reason(
    rule_author_client: Client, rule_author: Any, draft: PackVersion
) -> None:
    content = banning("螺钉", "螺栓")
    change(rule_author_client, draft, content)
    assert post(rule_author_client, f"{PACK}{draft.pk}/submit/").status_code == 200
    response = post(rule_author_client, f"{PACK}{draft.pk}/publish/")
    assert (response.json()["state"], response.json()["number"]) == ("published", 2)
    in_force = store().active("cn-small")
    assert (in_force.version, in_force.author) == (2, "author")
    assert in_force.document == content
    draft.refresh_from_db()
    assert (draft.state, draft.reviewer) == (State.PUBLISHED, rule_author)
    entry = AuditEntry.objects.get(action="rules.publish")
    assert (entry.detail["version"], entry.detail["replaced"]) == (2, 1)
    assert entry.detail["examples"] == len(content["examples"])


def test_a_draft_that_nobody_sent_to_review_is_not_published(
    rule_author_client: Client, draft: PackVersion
) -> None:
    response = post(rule_author_client, f"{PACK}{draft.pk}/publish/")
    assert (response.status_code, response.json()["code"]) == (409, "wrong_state")
    assert active() == 1


def test_an_example_with_another_verdict_stands_in_the_way(
    rule_author_client: Client, draft: PackVersion
) -> None:
    change(rule_author_client, draft, banning("翅片"))
    in_review(PackVersion.objects.get(pk=draft.pk))
    response = post(rule_author_client, f"{PACK}{draft.pk}/publish/")
    assert (response.status_code, response.json()["code"]) == (422, "not_verified")
    assert response.json()["failing"] == [0]
    assert active() == 1


def test_what_does_not_compile_is_not_published(
    rule_author_client: Client, draft: PackVersion
) -> None:
    broken = document(grammar=document()["grammar"].replace("CLOSING: PROSE", "CLOSING: PROZE"))
    change(rule_author_client, draft, broken)
    in_review(PackVersion.objects.get(pk=draft.pk))
    response = post(rule_author_client, f"{PACK}{draft.pk}/publish/")
    assert response.json()["code"] == "not_verified"
    assert response.json()["problems"][0]["message_zh"]


def test_under_four_eyes_who_edited_a_draft_cannot_publish_it(
    rule_author_client: Client, colleague_client: Client, draft: PackVersion
) -> None:
    post(rule_author_client, f"{PACK}four-eyes/", {"on": True})
    assert AuditEntry.objects.get(action="rules.four_eyes").detail == {"on": True}
    change(rule_author_client, draft, banning("螺钉"))
    post(rule_author_client, f"{PACK}{draft.pk}/submit/")
    assert not rule_author_client.get(f"{PACK}{draft.pk}/").json()["may_publish"]
    response = post(rule_author_client, f"{PACK}{draft.pk}/publish/")
    assert (response.status_code, response.json()["code"]) == (403, "four_eyes")
    assert post(colleague_client, f"{PACK}{draft.pk}/publish/").json()["number"] == 2
    assert Pack.objects.get().four_eyes


def test_a_draft_of_an_older_version_does_not_undo_a_newer_one(
    rule_author_client: Client, draft: PackVersion
) -> None:
    store().publish(banning("铆钉"), author="li")
    change(rule_author_client, draft, banning("螺钉"))
    in_review(PackVersion.objects.get(pk=draft.pk))
    response = post(rule_author_client, f"{PACK}{draft.pk}/publish/")
    assert (response.status_code, response.json()["code"]) == (409, "outdated")
    assert active() == 2


def test_one_click_goes_back_and_a_stale_page_does_not(
    rule_author_client: Client, published: PackVersion
) -> None:
    adopt(store().publish(banning("螺钉"), author="author"))
    stale = post(rule_author_client, f"{PACK}go-back/", {"number": 1, "over": 1})
    assert (stale.status_code, stale.json()["code"]) == (409, "publish_conflict")
    assert post(rule_author_client, f"{PACK}go-back/", {"number": 1, "over": 2}).status_code == 200
    assert active() == 1
    assert AuditEntry.objects.get(action="rules.go_back").detail["version"] == 1


def test_the_overview_tells_what_is_in_force_and_adopts_what_it_did_not_know(
    rule_author_client: Client, published: PackVersion
) -> None:
    store().publish(banning("螺钉"), author="somebody")
    seen = rule_author_client.get(PACK).json()
    assert (seen["active"], seen["away"]) == (2, "")
    assert [version["number"] for version in seen["versions"]] == [2, 1]
    assert seen["acknowledgements"]["nodes"] == []


def test_the_acknowledgements_are_shown_node_by_node(
    rule_author_client: Client, published: PackVersion, etcd: Any
) -> None:
    word = b'{"version": 1, "digest": "x", "compile_ms": 12.34, "time": "2026-01-01T00:00:00Z"}'
    etcd.put("/claimwright/v1/acks/cn-small/node-1", word)
    nodes = rule_author_client.get(PACK).json()["acknowledgements"]["nodes"]
    assert [(node["id"], node["version"], node["compile_ms"]) for node in nodes] == [
        ("node-1", 1, 12.3)
    ]


def test_a_publication_whose_row_was_lost_is_taken_up_by_its_draft(
    rule_author_client: Client, draft: PackVersion
) -> None:
    """The process died between the store's transaction and its own."""
    content = banning("螺钉")
    change(rule_author_client, draft, content)
    in_review(PackVersion.objects.get(pk=draft.pk))
    adopt(store().publish(content, author="author"))
    response = post(rule_author_client, f"{PACK}{draft.pk}/publish/")
    assert response.json()["number"] == 2
    assert PackVersion.objects.filter(pack=draft.pack, number=2).count() == 1
    entry = AuditEntry.objects.get(action="rules.publish")
    assert (entry.detail["version"], entry.detail["replaced"]) == (2, 1)


def test_a_draft_that_changes_nothing_is_not_published(
    rule_author_client: Client, draft: PackVersion, published: PackVersion
) -> None:
    in_review(draft)
    response = post(rule_author_client, f"{PACK}{draft.pk}/publish/")
    assert (response.status_code, response.json()["code"]) == (409, "unchanged")
    assert PackVersion.objects.filter(pk=published.pk).exists()


def test_where_lark_has_another_opinion_nothing_is_published(
    rule_author_client: Client, draft: PackVersion
) -> None:
    """The engine takes 铝制 for the beginning of 铝制件 and never goes back to 铝."""
    grammar = document()["grammar"].replace(
        '"，" CLOSING\ndependent', '"，" (METAL "制" | PART "件") CLOSING\ndependent'
    )
    grammar += 'METAL: "铝"\nPART: "铝制"\n'
    doubted = {"text": "一种散热装置，铝制底座。", "state": SUBJECT, "verdict": "refused"}
    change(rule_author_client, draft, document(grammar=grammar, examples=[doubted]))
    in_review(PackVersion.objects.get(pk=draft.pk))
    response = post(rule_author_client, f"{PACK}{draft.pk}/publish/")
    assert (response.status_code, response.json()["code"]) == (422, "disagreement")
    assert response.json()["failing"] == [0]
    assert active() == 1
    assert not AuditEntry.objects.filter(action="rules.publish").exists()
