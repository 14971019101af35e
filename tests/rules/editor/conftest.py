"""A small pack in the console, published by nobody in particular; two rule authors."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from rules.bench.process import bench
from rules.models import PackVersion, State
from rules.services import adopt, begin
from rules.store.records import StoredPack, digest_of
from tests.conftest import make_user, signed_in
from tests.rules.compiler.grammars import pack

SUBJECT = {"number": 1, "kind": "independent", "subject": "散热装置"}
ACCEPTED = "一种散热装置，包括底座和与所述底座连接的翅片。"
REFUSED = "一种散热装置，包括底座，底座例如为铝制底座。"


def document(**changes: Any) -> dict[str, Any]:
    """The compiler's small pack with one forbidden term and an example of each kind."""
    return {
        **pack(forbidden=({"term": "例如"},)),
        "slug": "cn-small",
        "title": {"zh": "小规则包", "en": "Small pack"},
        "examples": [
            {"text": ACCEPTED, "state": SUBJECT, "verdict": "accepted"},
            {"text": REFUSED, "state": SUBJECT, "verdict": "refused", "rule": "W01"},
        ],
        **changes,
    }


def banning(term: str, replacement: str = "") -> dict[str, Any]:
    """The document with one more row in its table."""
    row = {"term": term, "rule": "W01", "severity": "error", "replacement": replacement}
    before = document()
    return {**before, "forbidden": [*before["forbidden"], row]}


@pytest.fixture
def published(db: None) -> PackVersion:
    """Version 1 in the database only; the store knows nothing of it."""
    content = document()
    return adopt(StoredPack("cn-small", 1, digest_of(content), content, "builtin"))


@pytest.fixture
def draft(published: PackVersion, rule_author: Any) -> PackVersion:
    return begin(pack=published.pack, base=published, user=rule_author, reason="客户要求")


@pytest.fixture
def colleague(db: None) -> Any:
    return make_user("colleague", role="rule_author")


@pytest.fixture
def colleague_client(colleague: Any) -> Client:
    return signed_in(colleague)


@pytest.fixture(scope="session", autouse=True)
def _close_bench() -> Any:
    yield
    bench().close()


def post(client: Client, path: str, body: Any = None) -> HttpResponse:
    return client.post(
        path, json.dumps(body if body is not None else {}), content_type="application/json"
    )


def in_review(version: PackVersion) -> PackVersion:
    version.state = State.REVIEW
    version.save()
    return version
