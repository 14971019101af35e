"""The JSON of operations and versions."""

from itertools import count
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from console.matters import selectors
from console.matters.models import Document, Matter
from tests.console.matters.conftest import Act, insert, texts

pytestmark = pytest.mark.django_db

FIRST = "一种散热装置，其特征在于，包括壳体。"
SECOND = "根据权利要求1所述的散热装置，其特征在于，还包括风扇。"
_numbers = count(1)


@pytest.fixture
def send(agent_client: Client, matter: Matter) -> Any:
    def post(op: Any, *, client: Client = agent_client, **more: Any) -> Any:
        body = {
            "operation_id": f"operation-{next(_numbers)}",
            "base_revision": selectors.claims_document(matter.pk).revision,
            "op": op,
            **more,
        }
        url = reverse("matters:operations", args=[matter.pk])
        return client.post(url, body, content_type="application/json")

    return post


def test_an_operation_answers_with_the_whole_new_state(send: Any) -> None:
    answer = send(insert(None, FIRST.replace("壳体", "例如壳体")))
    assert answer.status_code == 200
    body = answer.json()
    (claim,) = body["claims"]
    assert set(body) == {"revision", "claims", "findings", "can_undo", "can_redo", "claim_id"}
    assert set(claim) == {"id", "number", "text", "state", "origin", "rev"}
    assert (body["revision"], body["claim_id"], body["can_undo"]) == (1, claim["id"], True)
    finding = next(each for each in body["findings"] if each["rule"] == "W01")
    assert set(finding) == {
        "claim_id",
        "claim",
        "rule",
        "severity",
        "article",
        "start",
        "end",
        "message",
        "message_en",
        "consequence",
    }


def test_a_conflict_shows_theirs_and_gives_yours_back(send: Any, member_client: Client) -> None:
    (claim,) = send(insert(None, FIRST)).json()["claims"]
    mine = {"kind": "edit", "claim_id": claim["id"], "rev": claim["rev"], "text": FIRST + "我"}
    send({**mine, "text": FIRST + "他"}, client=member_client)
    answer = send(mine)
    body = answer.json()
    assert (answer.status_code, body["code"]) == (409, "edit_conflict")
    assert (body["theirs"]["text"], body["yours"]) == (FIRST + "他", FIRST + "我")
    assert (body["revision"], len(body["claims"])) == (2, 1)
    assert body["message"].endswith("。")


def test_a_refusal_says_why_and_what_the_claims_are(send: Any) -> None:
    first = send(insert(None, FIRST)).json()["claim_id"]
    send(insert(first, SECOND))
    answer = send({"kind": "remove", "claim_id": first})
    body = answer.json()
    assert (answer.status_code, body["code"]) == (422, "claim_is_cited")
    assert "权利要求2" in body["message"]
    assert len(body["claims"]) == body["revision"] == 2


def test_a_repeated_request_is_answered_with_the_state_of_now(send: Any) -> None:
    send(insert(None, FIRST), operation_id="the-same-1")
    again = send(insert(None, FIRST), operation_id="the-same-1")
    assert (again.status_code, len(again.json()["claims"])) == (200, 1)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"text"',
        b"null",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"operation_id": "operation-1", "base_revision": 0}',
        b'{"operation_id": "x", "base_revision": 0, "op": {"kind": "undo"}}',
        b'{"operation_id": "operation 1!", "base_revision": 0, "op": {"kind": "undo"}}',
        b'{"operation_id": "operation-1", "base_revision": -1, "op": {"kind": "undo"}}',
        b'{"operation_id": "operation-1", "base_revision": 1e400, "op": {"kind": "undo"}}',
        b'{"operation_id": "operation-1", "base_revision": NaN, "op": {"kind": "undo"}}',
        b'{"operation_id": "operation-1", "base_revision": 99999999999999, "op": {}}',
    ],
)
def test_junk_is_refused_with_a_sentence(
    body: bytes, agent_client: Client, matter: Matter, document: Document
) -> None:
    url = reverse("matters:operations", args=[matter.pk])
    answer = agent_client.post(url, body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert answer.json()["message"]
    assert texts(document) == []


def test_a_form_is_no_operation(agent_client: Client, matter: Matter) -> None:
    answer = agent_client.post(reverse("matters:operations", args=[matter.pk]), {"op": "undo"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


@pytest.mark.parametrize("size", [600 * 1024, 5 * 1024 * 1024])
def test_a_huge_request_is_refused(size: int, send: Any, document: Document) -> None:
    answer = send(insert(None, "x" * size))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert texts(document) == []


def test_a_claim_beyond_the_limit_is_refused(send: Any) -> None:
    answer = send(insert(None, "长" * 20_001))
    assert (answer.status_code, answer.json()["code"]) == (422, "claim_too_long")


def test_versions_are_listed_shown_and_restored(
    act: Act, agent_client: Client, matter: Matter, document: Document
) -> None:
    first = act(insert(None, FIRST)).claim_id
    act(insert(first, SECOND))
    act({"kind": "move", "claim_id": first, "to": 0})
    act({"kind": "remove", "claim_id": texts(document) and act(insert(None, "")).claim_id})

    def get(name: str, *args: Any, **query: Any) -> Any:
        return agent_client.get(reverse(f"matters:{name}", args=[matter.pk, *args]), query)

    listed = get("versions").json()
    assert [each["operation"] for each in listed["versions"]] == [
        "remove",
        "insert",
        "insert",
        "insert",
        "created",
    ]
    assert listed["versions"][0]["current"] is True
    assert listed["versions"][2]["summary"] == "插入权利要求2"
    assert listed["versions"][2]["author"] == "Agent"
    older = get("versions", before=listed["versions"][2]["revision"]).json()["versions"]
    assert [each["operation"] for each in older] == ["insert", "created"]
    shown = get("version", 1).json()
    assert (shown["revision"], [each["text"] for each in shown["claims"]]) == (1, [FIRST])

    url = reverse("matters:restore", args=[matter.pk, 1])
    body = {"operation_id": "restore-it"}
    answer = agent_client.post(url, body, content_type="application/json")
    assert (answer.status_code, len(answer.json()["claims"])) == (200, 1)
    agent_client.post(url, body, content_type="application/json")
    newest, *_older = get("versions").json()["versions"]
    assert (newest["operation"], newest["summary"]) == ("restore", "恢复到版本1")
    act({"kind": "undo"})
    assert texts(document) == [FIRST, SECOND]


@pytest.mark.parametrize("before", ["x", "-1", "1" * 30])
def test_a_junk_page_of_versions_is_refused(
    before: str, agent_client: Client, matter: Matter
) -> None:
    url = reverse("matters:versions", args=[matter.pk])
    assert agent_client.get(url, {"before": before}).status_code == 400


def test_a_version_that_never_was_is_not_found(agent_client: Client, matter: Matter) -> None:
    assert agent_client.get(reverse("matters:version", args=[matter.pk, 77])).status_code == 404
    url = reverse("matters:restore", args=[matter.pk, 77])
    answer = agent_client.post(url, {"operation_id": "restore-it"}, content_type="application/json")
    assert answer.status_code == 404


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("zh-hans", "没有可以撤销的修改。"), ("en", "There is nothing to undo.")],
)
def test_errors_are_told_in_the_readers_language(
    language: str, sentence: str, agent_client: Client, matter: Matter
) -> None:
    answer = agent_client.post(
        reverse("matters:operations", args=[matter.pk]),
        {"operation_id": "operation-1", "base_revision": 0, "op": {"kind": "undo"}},
        content_type="application/json",
        headers={"Accept-Language": language},
    )
    assert answer.json() == {
        "code": "nothing_to_undo",
        "message": sentence,
        "revision": 0,
        "claims": [],
    }


def test_nothing_of_a_matter_is_kept_by_a_browser_cache(
    agent_client: Client, matter: Matter
) -> None:
    for name in ("workspace", "state", "versions"):
        answer = agent_client.get(reverse(f"matters:{name}", args=[matter.pk]))
        assert "no-store" in answer["Cache-Control"]
