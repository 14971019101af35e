"""What worker and WebSocket say reaches an English reader in English."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import apart
from tests.console.drafting.conftest import rules_in_force
from tests.console.drafting.writing_node import WritingNode
from tests.support.worker import Worker

__all__ = ["rules_in_force"]
pytestmark = [pytest.mark.browser, pytest.mark.services]

CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture
def english(desk_of: Callable[..., Any], agent: Any, matter: Any) -> Page:
    """The workspace of a matter with a disclosure, in English."""
    desk = desk_of(agent)
    page = desk.open("/")
    page.click("details.menu summary")
    page.click("text=English interface")
    expect(page.get_by_role("heading", name="Matters")).to_be_visible()
    return desk.workspace(matter)  # type: ignore[no-any-return]


def test_a_draft_without_disclosure_is_refused_in_english(
    english: Page, matter: Any, rules_in_force: None
) -> None:
    apart(matter.disclosures.all().delete)
    english.keyboard.press("Control+Enter")
    notice = english.locator(".notice p")
    expect(notice).to_have_text("There is no disclosure yet. Import or paste one first.")


def test_a_draft_that_failed_says_why_in_english(
    english: Page, rules_in_force: None, tmp_path: Path
) -> None:
    with WritingNode(["。"] * 8) as node, Worker(tmp_path, nodes=[node.url]):
        english.fill("#draft [name=count]", "1")
        english.keyboard.press("Control+Enter")
        expect(english.locator(".notice p")).to_contain_text("No acceptable claim could be written")
        last = english.locator(".draft-last")
        expect(last).to_contain_text("The draft failed. No acceptable claim could be written")
        expect(last).to_contain_text("Not written: claim 1")
        expect(english.locator("#announcer")).to_contain_text("Claim 1 was not written: Several")
        for said in (".notice p", ".draft-last", "#announcer"):
            assert not CHINESE.search(english.locator(said).inner_text())
