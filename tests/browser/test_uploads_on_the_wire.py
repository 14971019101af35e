"""Hostile uploads to the real web process, byte by byte, while another agent works on."""

import json
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from django.test import Client

from tests.browser.conftest import apart
from tests.console.matters.importing.samples import docx, p

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

MEBIBYTE = 1024 * 1024
BOUNDARY = "frontier"
TOKEN = "a" * 32


class Session:
    """One signed-in person's requests, each on a connection of its own."""

    def __init__(self, site: str, user: Any) -> None:
        self._address = urlsplit(site).netloc
        client = Client()
        if user is not None:
            client.force_login(user)
        cookies = {key: morsel.value for key, morsel in client.cookies.items()}
        cookies["csrftoken"] = TOKEN
        self.headers = {
            "Cookie": "; ".join(f"{key}={value}" for key, value in cookies.items()),
            "X-CSRFToken": TOKEN,
            "Accept": "application/json",
        }

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, str]:
        """Status and text. A body without Content-Length in `headers` is sent in chunks."""
        connection = HTTPConnection(self._address, timeout=60)
        try:
            connection.request(method, path, body, {**self.headers, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def upload(
        self,
        matter: Any,
        name: str,
        pieces: list[bytes],
        *,
        chunked: bool,
        halfway: Callable[[], None] = lambda: None,
    ) -> tuple[int, Any]:
        """The answer to a file sent in pieces; `halfway` happens when half of them are sent."""
        lead = (
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        ).encode()
        whole = [lead, *pieces, f"\r\n--{BOUNDARY}--\r\n".encode()]

        def sent() -> Iterator[bytes]:
            for place, piece in enumerate(whole):
                if place == len(whole) // 2:
                    halfway()
                yield piece

        headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
        if not chunked:
            headers["Content-Length"] = str(sum(map(len, whole)))
        status, text = self.ask("POST", f"/matters/{matter.pk}/disclosure/", sent(), headers)
        return status, json.loads(text)


@pytest.fixture
def session(site: str) -> Callable[[Any], Session]:
    return lambda user: apart(lambda: Session(site, user))


@pytest.fixture
def works_on(session: Callable[[Any], Session], drafted: Any, member: Any) -> Callable[[], None]:
    """Another agent reads the page and edits a claim; both are answered as ever."""
    colleague = session(member)

    def work() -> None:
        path = f"/matters/{drafted.pk}/"
        status, page = colleague.ask("GET", path)
        assert (status, "initial-state" in page) == (200, True)
        status, text = colleague.ask("GET", path + "state/")
        state = json.loads(text)["document"]
        claim = state["claims"][0]
        edit = {"kind": "edit", "claim_id": claim["id"], "rev": claim["rev"]}
        edit["text"] = claim["text"].replace("翅片。", "翅片和翅片。")
        body = {
            "operation_id": str(uuid4()),
            "base_revision": state["revision"],
            "op": edit,
        }
        headers = {"Content-Type": "application/json"}
        status, text = colleague.ask("POST", path + "operations/", json.dumps(body), headers)
        assert status == 200, text
        assert json.loads(text)["revision"] > state["revision"]

    return work


def disclosure_of(matter: Any) -> str:
    from console.matters import selectors

    return str(apart(lambda: selectors.disclosure_text(matter.pk)))


LARGE = [b"\0" * MEBIBYTE] * 50
WORD = docx(p("一种散热装置，包括底座和翅片。"))


@pytest.mark.parametrize("chunked", [False, True], ids=["with its length", "in chunks"])
@pytest.mark.parametrize(
    ("name", "pieces", "status", "code"),
    [
        ("large.docx", LARGE, 413, "file_too_large"),
        ("broken.docx", [WORD[:200], WORD[300:]], 400, "broken_document"),
        ("binary.txt", [bytes(range(256))] * 100, 400, "not_text"),
    ],
    ids=["fifty megabytes", "broken Word file", "binary"],
)
def test_a_hostile_upload_is_told_clearly_while_another_agent_works_on(
    name: str,
    pieces: list[bytes],
    status: int,
    code: str,
    chunked: bool,
    session: Callable[[Any], Session],
    works_on: Callable[[], None],
    drafted: Any,
    agent: Any,
) -> None:
    before = disclosure_of(drafted)
    told, answer = session(agent).upload(drafted, name, pieces, chunked=chunked, halfway=works_on)
    assert (told, answer["code"]) == (status, code)
    assert answer["message"].endswith("。")
    assert disclosure_of(drafted) == before
    works_on()


def test_a_file_in_chunks_is_imported_like_one_with_its_length(
    session: Callable[[Any], Session], drafted: Any, agent: Any
) -> None:
    status, answer = session(agent).upload(drafted, "new.docx", [WORD], chunked=True)
    assert (status, answer["disclosure"]["source_name"]) == (200, "new.docx")
    assert disclosure_of(drafted) == "一种散热装置，包括底座和翅片。"


def test_who_is_not_signed_in_is_told_so_and_an_outsider_finds_nothing(
    session: Callable[[Any], Session], drafted: Any, outsider: Any
) -> None:
    for user, status, code in ((None, 401, "login_required"), (outsider, 404, "not_found")):
        told, answer = session(user).upload(drafted, "large.docx", LARGE, chunked=True)
        assert (told, answer["code"]) == (status, code)


def test_a_large_text_in_chunks_is_refused_too(
    session: Callable[[Any], Session], drafted: Any, agent: Any
) -> None:
    before = disclosure_of(drafted)
    pieces = iter([b'{"text": "', *[b"x" * MEBIBYTE] * 50, b'"}'])
    path, headers = f"/matters/{drafted.pk}/disclosure/", {"Content-Type": "application/json"}
    status, text = session(agent).ask("POST", path, pieces, headers)
    assert (status, json.loads(text)["code"]) == (413, "too_large")
    assert disclosure_of(drafted) == before
