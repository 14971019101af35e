"""The disclosure in, the versions, the claims out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from docx import Document
from playwright.sync_api import Page, expect

from tests.browser.conftest import CLAIMS, SAVED, texts_of

pytestmark = [pytest.mark.browser, pytest.mark.services]


@pytest.fixture
def empty_matter(agent: Any, team: Any, site: str) -> Any:
    from console.matters import services
    from tests.browser.conftest import apart

    return apart(lambda: services.create_matter(user=agent, team_id=team.pk, title="一种散热装置"))


def word_file(folder: Path, *paragraphs: str) -> Path:
    document = Document()
    for text in paragraphs:
        document.add_paragraph(text)
    path = folder / "技术交底书.docx"
    document.save(str(path))
    return path


def bring(page: Page, path: Path) -> None:
    page.set_input_files("#pane-disclosure input[type=file]", str(path))


def test_a_word_file_is_read_beside_the_claims(
    desk_of: Callable[..., Any], empty_matter: Any, agent: Any, tmp_path: Path
) -> None:
    page = desk_of(agent).workspace(empty_matter)
    bring(page, word_file(tmp_path, "一、技术领域", "本发明涉及散热。", "翅片由铝制成。"))
    text = page.locator(".disclosure-text")
    expect(text.get_by_role("heading", name="一、技术领域")).to_be_visible()
    expect(text).to_contain_text("翅片由铝制成。")
    expect(page.locator(".disclosure-about")).to_contain_text("技术交底书.docx")
    expect(page.locator("#draft [type=submit]")).to_be_enabled()


def test_a_pasted_text_is_taken_and_searched(
    desk_of: Callable[..., Any], empty_matter: Any, agent: Any
) -> None:
    page = desk_of(agent).workspace(empty_matter)
    page.click(".disclosure-empty >> text=粘贴文字")
    page.fill("#paste-text", "技术领域\n散热装置的散热能力。\n<script>alert(1)</script>")
    page.click("#dialog-paste >> role=button[name='导入']")
    expect(page.locator(".disclosure-text")).to_contain_text("<script>alert(1)</script>")
    page.keyboard.press("/")
    page.keyboard.type("散热")
    expect(page.locator(".search-result")).to_have_text("1/2")
    page.keyboard.press("Enter")
    expect(page.locator(".search-result")).to_have_text("2/2")


def test_a_broken_file_says_what_to_do_and_the_earlier_text_stays(
    desk_of: Callable[..., Any], matter: Any, agent: Any, tmp_path: Path
) -> None:
    page = desk_of(agent).workspace(matter)
    broken = tmp_path / "坏.docx"
    broken.write_bytes(b"PK\x03\x04 and nothing more")
    bring(page, broken)
    expect(page.locator("#dialog-confirm")).to_contain_text("替换交底书")
    page.click("#dialog-confirm [data-close=yes]")
    expect(page.locator(".import-problem")).to_contain_text("重新保存")
    expect(page.locator(".disclosure-text")).to_contain_text("翅片由铝制成")


def test_files_that_cannot_be_disclosures_are_refused_before_they_are_sent(
    desk_of: Callable[..., Any], empty_matter: Any, agent: Any, tmp_path: Path
) -> None:
    page = desk_of(agent).workspace(empty_matter)
    picture = tmp_path / "图.png"
    picture.write_bytes(b"\x89PNG")
    bring(page, picture)
    expect(page.locator(".import-problem")).to_contain_text("不是可以导入的格式")
    huge = tmp_path / "大.docx"
    with huge.open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    bring(page, huge)
    expect(page.locator(".import-problem")).to_contain_text("超过 20 MB")


def test_an_earlier_version_is_compared_and_restored(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    page.locator(".claim:nth-child(1) .cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("另外")
    expect(page.locator("#saving")).to_have_text(SAVED)
    page.click("#tab-versions")
    expect(page.locator(".version").first).to_contain_text("修改权利要求1")
    page.locator(".version").nth(1).click()
    dialog = page.locator("#dialog-compare")
    expect(dialog.locator("ins")).to_have_text("另外")
    dialog.get_by_role("button", name="恢复此版本").click()
    expect(page.locator(".claim:nth-child(1) .cm-content")).to_have_text(CLAIMS[0])
    assert texts_of(drafted) == list(CLAIMS)
    page.click("#undo")
    expect(page.locator(".claim:nth-child(1) .cm-content")).to_have_text(CLAIMS[0] + "另外")


def test_the_export_opens_as_a_word_document_with_the_claims(
    desk_of: Callable[..., Any], drafted: Any, agent: Any, tmp_path: Path
) -> None:
    page = desk_of(agent).workspace(drafted)
    with page.expect_download() as download:
        page.click("#export")
    assert download.value.suggested_filename == "一种散热装置-权利要求书.docx"
    target = tmp_path / "export.docx"
    download.value.save_as(target)
    paragraphs = [paragraph.text for paragraph in Document(str(target)).paragraphs]
    for text in CLAIMS:
        assert any(text in paragraph for paragraph in paragraphs)
