"""The main job, with nothing replaced: an agent signs in, imports a genuine description of an
invention, has eight claims drafted by a real node, reloads in the middle, edits one, and opens what
was exported.

CLAIMWRIGHT_SCREENSHOTS=folder keeps the pictures; docs/images/workspace.png is one of them.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from docx import Document
from playwright.sync_api import Page, expect

from tests.browser.conftest import SAVED
from tests.conftest import PASSWORD
from tests.console.drafting.conftest import rules_in_force
from tests.support.worker import Worker

__all__ = ["rules_in_force"]
pytestmark = [pytest.mark.browser, pytest.mark.services, pytest.mark.node]

TITLE = "一种血液灌流器的密封检测装置"
DISCLOSURE = settings.BASE_DIR / "tests/console/drafting/data/sealing_test_device.txt"
FULL_LINE = 66  # columns; the filed text breaks its lines after 82 at most
CLAIMS = 8
# For the whole draft: a node on two busy cores writes a few tokens a second.
DRAFT_MILLISECONDS = 900_000


@pytest.fixture
def worker(live_node: str, rules_in_force: None, tmp_path: Path) -> Iterator[Worker]:
    with Worker(tmp_path, nodes=[live_node]) as running:
        yield running


def as_word_file(text: str, target: Path) -> None:
    """With the paragraphs that the inventor wrote: a full line goes on in the next one."""
    document, paragraph = Document(), ""
    for line in text.splitlines():
        paragraph += line
        if columns(line) < FULL_LINE or line.endswith("。"):
            document.add_paragraph(paragraph)
            paragraph = ""
    document.save(str(target))


def columns(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line)


def sign_in(page: Page, username: str) -> None:
    page.fill("#id_username", username)
    page.fill("#id_password", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="案件")).to_be_visible()


def make_matter(page: Page) -> None:
    page.get_by_role("link", name="新建案件").first.click()
    page.fill("[name=title]", TITLE)
    page.fill("[name=reference]", "CW-2026-0017")
    page.get_by_role("button", name="新建案件").click()
    expect(page.locator("#connection[data-tone=ok]")).to_be_visible()


def texts(page: Page) -> list[str]:
    return page.locator(".claim-editor .cm-content").all_inner_texts()


def test_an_agent_drafts_eight_claims(
    desk_of: Callable[..., Any],
    agent: Any,
    worker: Worker,
    tmp_path: Path,
    screenshots: Path,
) -> None:
    page = desk_of().open("/")
    sign_in(page, agent.username)
    make_matter(page)

    file = tmp_path / f"{TITLE}.docx"
    as_word_file(DISCLOSURE.read_text("utf-8"), file)
    page.set_input_files("#pane-disclosure input[type=file]", str(file))
    expect(page.locator(".disclosure-text")).to_contain_text("所述内包装袋内放置血液灌流器")

    page.fill("#draft [name=count]", str(CLAIMS))
    page.keyboard.press("Control+Enter")
    third = page.locator(".claim:nth-child(3) .claim-live")
    expect(third).to_contain_text(re.compile(".{8}"), timeout=DRAFT_MILLISECONDS)
    page.screenshot(path=screenshots / "writing.png")
    before = texts(page)[:2]

    page.reload()
    expect(page.locator(".claim:nth-child(2) .cm-content")).to_have_text(before[1])
    expect(page.locator(".draft-last")).to_contain_text("起草完成", timeout=DRAFT_MILLISECONDS)
    expect(page.locator(".claim")).to_have_count(CLAIMS)
    assert texts(page)[:2] == before
    assert all(re.search("。$", text) for text in texts(page))
    page.locator(".claim:nth-child(1) .claim-number").focus()
    page.evaluate("document.querySelector('#claims-scroll').scrollTo(0, 0)")
    page.screenshot(path=screenshots / "workspace.png")

    last = page.locator(f".claim:nth-child({CLAIMS}) .cm-content")
    last.click()
    page.keyboard.press("Control+End")
    page.keyboard.press("Backspace")
    page.keyboard.type("，并整体置于外包装盒内。")
    expect(page.locator("#saving")).to_have_text(SAVED)
    expected = texts(page)

    with page.expect_download() as download:
        page.click("#export")
    target = tmp_path / "权利要求书.docx"
    download.value.save_as(target)
    exported = [paragraph.text for paragraph in Document(str(target)).paragraphs]
    assert exported[-CLAIMS:] == [f"{number}. {text}" for number, text in enumerate(expected, 1)]
    assert expected[-1].endswith("，并整体置于外包装盒内。")
