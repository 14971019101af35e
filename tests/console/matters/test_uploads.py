"""Bringing a disclosure in: files, pasted text, and everything that is neither."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from console.matters import selectors, services
from console.matters.models import Disclosure, Matter
from tests.console.matters.importing.samples import docx, p

pytestmark = pytest.mark.django_db


@pytest.fixture
def upload(agent_client: Client, matter: Matter) -> Any:
    def post(name: str, data: bytes) -> Any:
        url = reverse("matters:disclosure", args=[matter.pk])
        return agent_client.post(url, {"file": SimpleUploadedFile(name, data)})

    return post


@pytest.fixture
def paste(agent_client: Client, matter: Matter) -> Any:
    def post(body: Any, content_type: str = "application/json") -> Any:
        url = reverse("matters:disclosure", args=[matter.pk])
        return agent_client.post(url, body, content_type=content_type)

    return post


def test_a_word_file_is_imported(upload: Any, matter: Matter) -> None:
    answer = upload("交底书.docx", docx(p("一种散热装置")))
    assert answer.status_code == 200
    stored = answer.json()["disclosure"]
    assert (stored["text"], stored["source_name"], stored["source_format"]) == (
        "一种散热装置",
        "交底书.docx",
        "docx",
    )
    assert selectors.disclosure_text(matter.pk) == "一种散热装置"


def test_text_is_pasted_as_json_or_as_a_form(
    paste: Any, agent_client: Client, matter: Matter
) -> None:
    assert paste({"text": "一种装置"}).json()["disclosure"]["source_format"] == "paste"
    url = reverse("matters:disclosure", args=[matter.pk])
    agent_client.post(url, {"text": "另一种装置"})
    assert selectors.disclosure_text(matter.pk) == "另一种装置"
    assert matter.disclosures.count() == 2


def test_two_hundred_thousand_characters_are_pasted(paste: Any, matter: Matter) -> None:
    assert paste({"text": "散热" * 100_000}).status_code == 200
    assert len(selectors.disclosure_text(matter.pk)) == 200_000


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("交底书.docx", b"PK\x03\x04 broken", "broken_document"),
        ("交底书.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), "old_word_format"),
        ("交底书.txt", bytes(range(256)) * 40, "not_text"),
        ("交底书.txt", b" \n ", "disclosure_empty"),
        ("交底书.txt", b"x" * 500_001, "disclosure_too_long"),
        ("交底书.pdf", b"%PDF-1.4", "pdf_not_supported"),
    ],
)
def test_what_cannot_be_read_leaves_the_earlier_disclosure(
    name: str, data: bytes, code: str, upload: Any, agent: Any, matter: Matter
) -> None:
    services.store_disclosure(matter_id=matter.pk, user=agent, text="先前的交底书")
    answer = upload(name, data)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert answer.json()["message"].endswith("。")
    assert selectors.disclosure_text(matter.pk) == "先前的交底书"


def test_an_empty_file_is_told(upload: Any) -> None:
    answer = upload("空.txt", b"")
    assert (answer.status_code, answer.json()["code"]) == (400, "disclosure_empty")


def test_a_file_of_fifty_megabytes_is_refused(upload: Any) -> None:
    answer = upload("大.docx", b"\0" * (50 * 1024 * 1024))
    assert (answer.status_code, answer.json()["code"]) == (413, "file_too_large")
    assert "20 MB" in answer.json()["message"]
    assert not Disclosure.objects.exists()


def test_a_file_that_hides_its_size_is_cut_off(upload: Any, settings: Any) -> None:
    settings.MAX_IMPORT_BYTES = 100_000
    settings.IMPORT_FORM_BYTES = 10**9
    answer = upload("大.txt", b"x" * 3_000_000)
    assert (answer.status_code, answer.json()["code"]) == (413, "file_too_large")
    assert not Disclosure.objects.exists()


def test_a_pasted_text_beyond_what_a_request_may_hold_is_refused(paste: Any) -> None:
    answer = paste({"text": "x" * (5 * 1024 * 1024)})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_form_beyond_what_a_request_may_hold_is_refused(
    agent_client: Client, matter: Matter
) -> None:
    url = reverse("matters:disclosure", args=[matter.pk])
    for content_type in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        part = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n'
        lead = part if "multipart" in content_type else b"text="
        answer = agent_client.generic("POST", url, lead + b"x" * 5_000_000, content_type)
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("{}", "application/json"),
        ('{"text": 5}', "application/json"),
        ("[]", "application/json"),
        ("{", "application/json"),
        ("", "application/x-www-form-urlencoded"),
        ("junk", "multipart/form-data"),
        ("junk", "multipart/form-data; boundary=x"),
        ("junk", "text/plain"),
    ],
)
def test_a_request_without_text_or_file_is_told_so(
    body: str, content_type: str, agent_client: Client, matter: Matter
) -> None:
    url = reverse("matters:disclosure", args=[matter.pk])
    answer = agent_client.generic("POST", url, body.encode(), content_type)
    assert answer.status_code == 400
    assert answer.json()["code"] in {"bad_request", "nothing_sent"}


def test_a_file_with_the_token_in_its_form_passes_the_forgery_check(
    agent: Any, matter: Matter
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(agent)
    client.get(reverse("matters:new"))
    token = client.cookies["csrftoken"].value
    url = reverse("matters:disclosure", args=[matter.pk])
    file = SimpleUploadedFile("a.txt", "一种装置".encode())
    assert client.post(url, {"file": file}).status_code == 403
    file.seek(0)
    form = {"file": file, "csrfmiddlewaretoken": token}
    assert client.post(url, form).status_code == 200


def test_names_of_files_are_only_names(upload: Any, matter: Matter) -> None:
    upload("../../etc/pass\nwd.txt", "一种装置".encode())
    stored = selectors.disclosure_of(matter.pk)
    assert stored is not None
    assert "/" not in stored.source_name
    upload("长" * 240 + ".txt", "一种装置".encode())
    stored = selectors.disclosure_of(matter.pk)
    assert stored is not None
    assert len(stored.source_name) <= 200
    assert stored.source_name.endswith(".txt")
