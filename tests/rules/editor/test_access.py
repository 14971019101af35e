"""Rules are for rule authors: whoever else asks gets 403, whoever has not signed in gets 401."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from console.accounts.models import User
from rules.models import PackVersion
from tests.conftest import signed_in
from tests.rules.editor.conftest import document, post

PACK = "/rules/packs/cn-small/"
POSTS = (
    "/rules/bench/check/",
    "/rules/bench/judge/",
    "/rules/bench/explain/",
    "/rules/bench/sample/",
    "/rules/import/",
    "/rules/examples/",
    f"{PACK}begin/",
    f"{PACK}go-back/",
    f"{PACK}four-eyes/",
    f"{PACK}{{version}}/save/",
    f"{PACK}{{version}}/give-back/",
    f"{PACK}{{version}}/submit/",
    f"{PACK}{{version}}/publish/",
    f"{PACK}{{version}}/discard/",
    f"{PACK}{{version}}/regression/",
    f"{PACK}{{version}}/regression/stop/",
)
GETS = (PACK, f"{PACK}{{version}}/", f"{PACK}{{version}}/export/", f"{PACK}{{version}}/regression/")
PAGES = (reverse("admin:rules_pack_changelist"), "/admin/rules/pack/{pack}/change/")


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("who", ["agent_client", "operator_client"])
def test_nobody_else_changes_rules(
    path: str, who: str, draft: PackVersion, request: pytest.FixtureRequest
) -> None:
    client = request.getfixturevalue(who)
    response = post(client, path.format(version=draft.pk))
    assert (response.status_code, response.json()["code"]) == (403, "role_required")


@pytest.mark.parametrize("path", GETS)
@pytest.mark.parametrize("who", ["agent_client", "operator_client"])
def test_nobody_else_reads_rules(
    path: str, who: str, draft: PackVersion, request: pytest.FixtureRequest
) -> None:
    client = request.getfixturevalue(who)
    assert client.get(path.format(version=draft.pk)).status_code == 403


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("who", ["agent_client", "operator_client"])
def test_nobody_else_opens_the_pages(
    path: str, who: str, draft: PackVersion, request: pytest.FixtureRequest
) -> None:
    client = request.getfixturevalue(who)
    assert client.get(path.format(pack=draft.pack_id), follow=True).status_code == 403


@pytest.mark.parametrize("path", GETS)
def test_who_has_not_signed_in_is_asked_to(path: str, draft: PackVersion, client: Client) -> None:
    response = client.get(path.format(version=draft.pk), headers={"accept": "application/json"})
    assert response.status_code == 401


@pytest.mark.parametrize("path", PAGES)
def test_a_rule_author_opens_the_pages(
    path: str, draft: PackVersion, rule_author_client: Client
) -> None:
    assert rule_author_client.get(path.format(pack=draft.pack_id)).status_code == 200


def test_a_superuser_needs_no_role(published: PackVersion) -> None:
    root: Any = User.objects.create_superuser("root", password="x")
    assert signed_in(root).get(f"{PACK}{published.pk}/").status_code == 200


def test_a_version_is_found_under_its_own_pack_only(
    published: PackVersion, rule_author_client: Client
) -> None:
    assert rule_author_client.get(f"/rules/packs/other/{published.pk}/").status_code == 404
    assert rule_author_client.get(f"{PACK}{published.pk + 99}/").status_code == 404
    assert rule_author_client.get("/admin/rules/pack/import/change/").status_code == 404


def test_a_get_changes_nothing_and_a_strange_body_is_named(
    draft: PackVersion, rule_author_client: Client
) -> None:
    path = f"{PACK}{draft.pk}/save/"
    assert rule_author_client.get(path).status_code == 405
    body = {"base_revision": "0", "document": document()}
    assert post(rule_author_client, path, body).status_code == 400
    assert post(rule_author_client, path, []).status_code == 400
