"""Two tabs on one matter: changes of one arrive in the other; a conflict is the agent's choice."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import CLAIMS, SAVED, texts_of

pytestmark = [pytest.mark.browser, pytest.mark.services]

THEIRS = CLAIMS[1] + "（二部）"
MINE = CLAIMS[1] + "（我）"


def type_at_end(page: Page, number: int, text: str) -> None:
    page.locator(f".claim:nth-child({number}) .cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type(text)


@pytest.fixture
def disagreeing(desk_of: Callable[..., Any], drafted: Any, agent: Any, member: Any) -> Page:
    """A tab whose unsaved claim 2 a colleague has changed meanwhile."""
    mine = desk_of(agent).workspace(drafted)
    theirs = desk_of(member).workspace(drafted)
    mine.route("**/operations/", lambda route: route.abort())
    type_at_end(mine, 2, "（我）")
    expect(mine.locator("#saving")).to_have_text("未保存，正在重试")
    type_at_end(theirs, 2, "（二部）")
    expect(theirs.locator("#saving")).to_have_text(SAVED)
    mine.unroute("**/operations/")
    expect(mine.locator(".claim:nth-child(2) .conflict")).to_be_visible()
    return mine


def test_changes_of_a_colleague_arrive_beside_ones_own(
    desk_of: Callable[..., Any], drafted: Any, agent: Any, member: Any
) -> None:
    mine = desk_of(agent).workspace(drafted)
    theirs = desk_of(member).workspace(drafted)
    type_at_end(mine, 1, "甲")
    type_at_end(theirs, 4, "丁")
    expect(mine.locator(".claim:nth-child(4) .cm-content")).to_have_text(CLAIMS[3] + "丁")
    expect(theirs.locator(".claim:nth-child(1) .cm-content")).to_have_text(CLAIMS[0] + "甲")
    expect(mine.locator(".conflict")).to_have_count(0)


def test_a_conflict_overwrites_nothing(disagreeing: Page, drafted: Any) -> None:
    box = disagreeing.locator(".conflict")
    expect(box).to_contain_text("（二部）")
    expect(box.locator("ins")).to_contain_text("我")
    expect(disagreeing.locator("#saving")).to_have_text("有冲突")
    expect(disagreeing.locator(".claim:nth-child(2) .cm-content")).to_have_text(MINE)
    assert texts_of(drafted)[1] == THEIRS


def test_mine_is_kept_by_choice(disagreeing: Page, drafted: Any) -> None:
    disagreeing.click("text=用我的版本")
    expect(disagreeing.locator("#saving")).to_have_text(SAVED)
    expect(disagreeing.locator(".conflict")).to_have_count(0)
    assert texts_of(drafted)[1] == MINE


def test_theirs_is_taken_by_choice(disagreeing: Page, drafted: Any) -> None:
    disagreeing.click("text=用别处的版本")
    expect(disagreeing.locator(".claim:nth-child(2) .cm-content")).to_have_text(THEIRS)
    expect(disagreeing.locator(".conflict")).to_have_count(0)
    assert texts_of(drafted)[1] == THEIRS


def test_both_are_merged_by_hand(disagreeing: Page, drafted: Any) -> None:
    disagreeing.click("text=两者合并")
    disagreeing.fill(".conflict textarea", CLAIMS[1] + "（合）")
    disagreeing.click("text=采用合并后的文字")
    expect(disagreeing.locator("#saving")).to_have_text(SAVED)
    assert texts_of(drafted)[1] == CLAIMS[1] + "（合）"


def test_a_conflict_outlives_a_reload(disagreeing: Page, drafted: Any) -> None:
    disagreeing.reload()
    box = disagreeing.locator(".claim:nth-child(2) .conflict")
    expect(box).to_contain_text("（二部）")
    expect(disagreeing.locator(".claim:nth-child(2) .cm-content")).to_have_text(MINE)


def test_an_unsaved_text_survives_the_removal_of_its_claim(
    desk_of: Callable[..., Any], drafted: Any, agent: Any, member: Any
) -> None:
    mine = desk_of(agent).workspace(drafted)
    theirs = desk_of(member).workspace(drafted)
    mine.route("**/operations/", lambda route: route.abort())
    type_at_end(mine, 4, "（我）")
    expect(mine.locator("#saving")).to_have_text("未保存，正在重试")
    theirs.locator(".claim:nth-child(4) .claim-number").focus()
    theirs.keyboard.press("Delete")
    expect(theirs.locator(".claim")).to_have_count(3)
    mine.unroute("**/operations/")
    expect(mine.locator(".conflict")).to_contain_text("已在别处删除")
    mine.click("text=作为新的一项插入")
    expect(theirs.locator(".claim:nth-child(4) .cm-content")).to_have_text(CLAIMS[3] + "（我）")
    expect(mine.locator(".claim")).to_have_count(4)
    expect(mine.locator(".conflict")).to_have_count(0)
