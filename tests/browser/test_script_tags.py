"""Markup that a person, a file or the model writes is text, wherever it goes and is shown.

The page's content policy would stop such a script; a report of that fails a test too (Desk).
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from docx import Document
from playwright.sync_api import Page, expect

from tests.browser.conftest import CLAIMS, SAVED, Desk, apart
from tests.browser.test_running_draft import claim
from tests.console.drafting.conftest import rules_in_force
from tests.console.drafting.writing_node import WritingNode
from tests.support.worker import Worker

__all__ = ["rules_in_force"]
pytestmark = [pytest.mark.browser, pytest.mark.services]

SCRIPT = "<script>window.pwned=1</script>"
IMAGE = "<img src=x onerror=window.pwned=1>"
TAGS = SCRIPT + IMAGE


def is_only_text(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.pwned") is None
    assert page.locator("img[src], main script:not([src]):not([type])").count() == 0


def form(page: Page) -> Any:
    page.click("#draft [data-act=more]")
    return page.locator("#draft form")


@pytest.mark.parametrize("text", [SCRIPT, f"</script>{IMAGE}"], ids=["script", "image"])
def test_title_and_reference(desk_of: Callable[..., Any], agent: Any, text: str) -> None:
    desk: Desk = desk_of(agent)
    page = desk.open("/matters/new/")
    page.fill("[name=title]", text)
    page.fill("[name=reference]", text)
    page.click("main >> role=button[name='新建案件']")
    page.wait_for_selector("#workspace:not([data-loading])")
    expect(page.locator(".matter-name h1")).to_have_text(text)
    expect(page.locator(".matter-name .reference")).to_have_text(text)
    assert page.title().startswith(text)
    is_only_text(page)
    page.goto(desk.site)
    expect(page.locator(".matters tbody th a")).to_have_text(text)
    expect(page.locator(".matters td.reference")).to_have_text(text)
    is_only_text(page)


@pytest.mark.parametrize("path", ["/", "/matters/new/"], ids=["search", "refused title"])
def test_what_a_form_says_again(
    desk_of: Callable[..., Any], agent: Any, matter: Any, path: str
) -> None:
    page = desk_of(agent).open(path)
    field = page.locator("[name=q], [name=title]")
    field.fill(TAGS)
    field.press("Enter")
    expect(page.locator(".empty, .form .problem").first).to_be_visible()
    expect(field).to_have_value(TAGS)
    is_only_text(page)


def pasted(page: Page, folder: Path) -> str:
    page.click(".disclosure-reading [data-act=paste]")
    page.fill("#paste-text", TAGS)
    page.click("#dialog-paste [data-close=yes]")
    return ".disclosure-text"


def in_a_word_file(page: Page, folder: Path) -> str:
    document = Document()
    document.add_paragraph(TAGS)
    document.save(str(folder / "a.docx"))
    page.set_input_files("#pane-disclosure input[type=file]", folder / "a.docx")
    return ".disclosure-text"


def as_a_file_s_name(page: Page, folder: Path) -> str:
    (folder / f"{IMAGE}.txt").write_text("底座上设有翅片。", "utf-8")
    page.set_input_files("#pane-disclosure input[type=file]", folder / f"{IMAGE}.txt")
    return ".disclosure-about"


@pytest.mark.parametrize("bring", [pasted, in_a_word_file, as_a_file_s_name])
def test_disclosure(
    desk_of: Callable[..., Any],
    agent: Any,
    matter: Any,
    tmp_path: Path,
    bring: Callable[[Page, Path], str],
) -> None:
    page = desk_of(agent).workspace(matter)
    place = bring(page, tmp_path)
    page.click("#dialog-confirm [data-close=yes]")
    shown = IMAGE if bring is as_a_file_s_name else TAGS
    expect(page.locator(place)).to_contain_text(shown)
    page.reload()
    expect(page.locator(place)).to_contain_text(shown)
    page.fill("#disclosure-query", TAGS)
    expect(page.locator(".search-result")).to_have_text(
        "没有找到" if place != ".disclosure-text" else "1/1"
    )
    is_only_text(page)


def test_a_refused_file_s_name(
    desk_of: Callable[..., Any], agent: Any, matter: Any, tmp_path: Path
) -> None:
    page = desk_of(agent).workspace(matter)
    (tmp_path / f"{IMAGE}.png").write_bytes(b"\x89PNG")
    page.set_input_files("#pane-disclosure input[type=file]", tmp_path / f"{IMAGE}.png")
    expect(page.locator(".import-problem")).to_contain_text(IMAGE)
    is_only_text(page)


def test_claim_text_and_its_earlier_version(
    desk_of: Callable[..., Any], agent: Any, drafted: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    claim(page, 1).locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.insert_text(TAGS)
    expect(page.locator("#saving")).to_have_text(SAVED)
    page.reload()
    expect(claim(page, 1).locator(".cm-content")).to_have_text(TAGS + CLAIMS[0])
    page.click("#tab-versions")
    page.locator(".version").nth(1).click()
    expect(page.locator("#dialog-compare ins")).to_have_text(TAGS)
    is_only_text(page)


def test_own_first_claim(
    desk_of: Callable[..., Any], agent: Any, matter: Any, rules_in_force: None
) -> None:
    page = desk_of(agent).workspace(matter)
    form(page).locator("[name=first_claim]").fill(f"一种散热装置，包括{TAGS}。")
    page.keyboard.press("Control+Enter")
    shown = claim(page, 1).locator(".cm-content")
    expect(shown).to_have_text(f"一种散热装置，包括{TAGS}。")
    page.reload()
    expect(shown).to_have_text(f"一种散热装置，包括{TAGS}。")
    is_only_text(page)


@pytest.mark.parametrize("field", ["product_subject", "method_subject", "instruction"])
def test_what_the_model_is_asked_and_what_it_writes(
    desk_of: Callable[..., Any],
    agent: Any,
    matter: Any,
    rules_in_force: None,
    tmp_path: Path,
    field: str,
) -> None:
    from console.drafting.models import DraftJob

    written = f"一种散热装置，其特征在于，包括底座和设于所述底座上的{TAGS}。"
    with (
        WritingNode([written] * 8, pause=0.05) as node,
        Worker(tmp_path, nodes=[node.url]),
    ):
        page = desk_of(agent).workspace(matter)
        asked = form(page).locator(f"[name={field}]")
        asked.fill(TAGS)
        if field == "method_subject":
            page.select_option("#draft [name=categories]", "method")
        page.keyboard.press("Control+Enter")
        expect(
            claim(page, 1).locator(":is(.claim-live, .cm-content):visible").first
        ).to_contain_text(TAGS)
        is_only_text(page)
        expect(asked).to_have_value(TAGS)
        page.reload()
        is_only_text(page)
        assert apart(DraftJob.objects.get).params[field] == TAGS


def test_the_wish_for_a_claim_written_anew(
    desk_of: Callable[..., Any], agent: Any, drafted: Any, rules_in_force: None, tmp_path: Path
) -> None:
    with WritingNode([CLAIMS[1].replace("铝", "铜")]) as node, Worker(tmp_path, nodes=[node.url]):
        page = desk_of(agent).workspace(drafted)
        claim(page, 2).locator(".claim-number").focus()
        page.keyboard.press("r")
        page.keyboard.insert_text(TAGS)
        expect(page.locator(".claim-instruction :is(input, textarea)")).to_have_value(TAGS)
        page.keyboard.press("Enter")
        expect(claim(page, 2).locator(".cm-content")).to_contain_text("铜")
        assert any(TAGS in prompt for prompt in node.prompts)
        is_only_text(page)
