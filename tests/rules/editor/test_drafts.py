"""Drafts: begun, saved without overwriting anybody, sent to review, given back, discarded."""

from typing import Any

from django.test import Client

from console.accounts.models import AuditEntry
from rules.models import Pack, PackVersion, State
from tests.rules.editor.conftest import banning, document, post

PACK = "/rules/packs/cn-small/"


def test_a_draft_begins_as_a_copy_with_author_and_reason(
    rule_author_client: Client, rule_author: Any, published: PackVersion
) -> None:
    body = {"base": published.pk, "reason": "审查员不接受“例如”"}
    response = post(rule_author_client, f"{PACK}begin/", body)
    assert response.status_code == 201
    draft = PackVersion.objects.get(pk=response.json()["id"])
    assert (draft.state, draft.author, draft.base) == (State.DRAFT, rule_author, published)
    assert draft.document == published.document
    assert draft.reason == "审查员不接受“例如”"


def test_a_draft_without_a_reason_is_refused(
    rule_author_client: Client, published: PackVersion
) -> None:
    response = post(rule_author_client, f"{PACK}begin/", {"base": published.pk, "reason": "  "})
    assert (response.status_code, response.json()["code"]) == (422, "reason_missing")


def test_saving_makes_the_next_revision_and_says_which_parts_changed(
    rule_author_client: Client, draft: PackVersion
) -> None:
    body = {"base_revision": 0, "document": banning("连接", "耦合")}
    response = post(rule_author_client, f"{PACK}{draft.pk}/save/", body)
    assert response.json()["revision"] == 1
    draft.refresh_from_db()
    assert draft.document["forbidden"][-1]["term"] == "连接"
    entry = AuditEntry.objects.get(action="rules.save")
    assert entry.detail["parts"] == ["forbidden"]
    assert entry.target == f"pack:cn-small:{draft.pk}"


def test_nobody_overwrites_another_authors_edit_silently(
    rule_author_client: Client, colleague_client: Client, draft: PackVersion
) -> None:
    path = f"{PACK}{draft.pk}/save/"
    post(colleague_client, path, {"base_revision": 0, "document": banning("连接")})
    response = post(rule_author_client, path, {"base_revision": 0, "document": banning("固定")})
    assert (response.status_code, response.json()["code"]) == (409, "edit_conflict")
    both = response.json()
    assert both["theirs"]["forbidden"][-1]["term"] == "连接"
    assert both["yours"]["forbidden"][-1]["term"] == "固定"
    assert (both["revision"], both["by"]) == (1, "Colleague")
    draft.refresh_from_db()
    assert draft.document["forbidden"][-1]["term"] == "连接"


def test_what_is_in_review_or_published_cannot_be_edited(
    rule_author_client: Client, draft: PackVersion, published: PackVersion
) -> None:
    assert post(rule_author_client, f"{PACK}{draft.pk}/submit/").json()["state"] == "review"
    for version in (draft, published):
        body = {"base_revision": 0, "document": banning("连接")}
        response = post(rule_author_client, f"{PACK}{version.pk}/save/", body)
        assert (response.status_code, response.json()["code"]) == (409, "wrong_state")


def test_a_reviewer_gives_a_draft_back_with_a_reason(
    colleague_client: Client, rule_author_client: Client, draft: PackVersion
) -> None:
    post(rule_author_client, f"{PACK}{draft.pk}/submit/")
    body = {"reason": "“连接”太常用"}
    response = post(colleague_client, f"{PACK}{draft.pk}/give-back/", body)
    assert response.json()["state"] == "draft"
    steps = colleague_client.get(f"{PACK}{draft.pk}/").json()["steps"]
    assert [step["action"] for step in steps] == ["begin", "submit", "give_back"]
    assert steps[-1]["detail"]["reason"] == "“连接”太常用"


def test_a_discarded_draft_is_not_listed_any_more(
    rule_author_client: Client, draft: PackVersion
) -> None:
    post(rule_author_client, f"{PACK}{draft.pk}/discard/")
    draft.refresh_from_db()
    assert draft.state == State.DISCARDED
    versions = rule_author_client.get(PACK).json()["versions"]
    assert [version["number"] for version in versions] == [1]


def test_an_exported_pack_comes_back_as_a_draft(
    rule_author_client: Client, published: PackVersion
) -> None:
    exported = rule_author_client.get(f"{PACK}{published.pk}/export/")
    assert exported["Content-Disposition"] == 'attachment; filename="cn-small-1.json"'
    body = {"document": exported.json(), "reason": "从另一台机器带来"}
    response = post(rule_author_client, "/rules/import/", body)
    taken_in = PackVersion.objects.get(pk=response.json()["id"])
    assert taken_in.document == published.document
    assert (taken_in.base, taken_in.state) == (published, State.DRAFT)


def test_an_imported_pack_that_is_new_here_is_made(rule_author_client: Client, db: None) -> None:
    body = {"document": document(slug="cn-client"), "reason": "客户的规则"}
    assert post(rule_author_client, "/rules/import/", body).status_code == 201
    assert Pack.objects.get(slug="cn-client").versions.get().base is None


def test_what_is_no_pack_is_not_imported(rule_author_client: Client, db: None) -> None:
    for broken in ({}, {"slug": 1, "grammar": ""}, document(forbidden=[1]), document(examples={})):
        body = {"document": broken, "reason": "试"}
        assert post(rule_author_client, "/rules/import/", body).status_code == 400
    assert not Pack.objects.exists()


def test_a_draft_cannot_be_saved_as_another_pack(
    rule_author_client: Client, draft: PackVersion
) -> None:
    body = {"base_revision": 0, "document": document(slug="cn-other")}
    assert post(rule_author_client, f"{PACK}{draft.pk}/save/", body).status_code == 400
