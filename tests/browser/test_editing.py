"""Writing in a claim: saved by itself, decided and moved by mouse and by keys."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import CLAIMS, SAVED, states_of, texts_of

pytestmark = [pytest.mark.browser, pytest.mark.services]


def write(page: Page, number: int, text: str) -> None:
    """Types at the end of a claim."""
    page.locator(f".claim:nth-child({number}) .cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type(text)


def choose(page: Page, number: int) -> None:
    page.locator(f".claim:nth-child({number}) .claim-number").focus()


def test_what_is_typed_is_saved_and_there_after_a_reload(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    write(page, 2, "（改）")
    expect(page.locator("#saving")).to_have_text("未保存")
    expect(page.locator("#saving")).to_have_text(SAVED)
    assert texts_of(drafted)[1] == CLAIMS[1] + "（改）"
    page.reload()
    expect(page.locator(".claim:nth-child(2) .cm-content")).to_have_text(CLAIMS[1] + "（改）")


def test_an_edited_claim_counts_as_accepted(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    write(page, 1, "其")
    expect(page.locator(".claim:nth-child(1) .claim-state")).to_have_text("已接受")


def test_claims_are_accepted_and_rejected_by_keys(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    choose(page, 1)
    page.keyboard.press("a")
    expect(page.locator(".claim:nth-child(1) .claim-state")).to_have_text("已接受")
    expect(page.locator(".claim:nth-child(2) .claim-number")).to_be_focused()
    page.keyboard.press("End")
    choose(page, 4)
    page.keyboard.press("x")
    expect(page.locator(".claim")).to_have_count(3)
    assert states_of(drafted) == ["accepted", "proposed", "proposed"]
    expect(page.locator("#announcer")).to_have_text("权利要求 4 已拒绝")


def test_moving_a_claim_renumbers_what_cites_it(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    choose(page, 4)
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator(".claim:nth-child(3) .cm-content")).to_contain_text("底座设有通孔")
    expect(page.locator(".claim:nth-child(3) .claim-number")).to_be_focused()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator(".claim:nth-child(2) .cm-content")).to_contain_text("底座设有通孔")
    expect(page.locator(".claim:nth-child(4) .cm-content")).to_contain_text("根据权利要求3")


def test_a_move_that_would_cite_forward_is_refused_with_the_reason(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    choose(page, 2)
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator(".notice-problem")).to_contain_text("只能排在它之后")
    assert texts_of(drafted) == list(CLAIMS)


def test_a_claim_is_inserted_written_and_taken_back(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    choose(page, 1)
    page.keyboard.press("i")
    expect(page.locator(".claim:nth-child(2) .cm-content")).to_be_focused()
    page.keyboard.type("根据权利要求1所述的散热装置，其特征在于，还包括风扇。")
    expect(page.locator(".claim:nth-child(4) .cm-content")).to_contain_text("根据权利要求3")
    expect(page.locator("#saving")).to_have_text(SAVED)
    page.keyboard.press("Escape")
    expect(page.locator(".claim:nth-child(2) .claim-number")).to_be_focused()
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect(page.locator(".claim")).to_have_count(4)
    assert texts_of(drafted) == list(CLAIMS)
    page.keyboard.press("Control+y")
    expect(page.locator(".claim")).to_have_count(5)


def test_a_removed_claim_can_be_undone_by_the_button(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    choose(page, 3)
    page.keyboard.press("Delete")
    expect(page.locator(".claim")).to_have_count(3)
    page.click("#undo")
    expect(page.locator(".claim")).to_have_count(4)
    assert texts_of(drafted) == list(CLAIMS)


def test_a_claim_is_dragged_to_its_place(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    page.locator(".claim:nth-child(4) .claim-number").drag_to(
        page.locator(".claim:nth-child(2)"), target_position={"x": 200, "y": 4}
    )
    expect(page.locator(".claim:nth-child(2) .cm-content")).to_contain_text("底座设有通孔")


def test_a_finding_leads_to_its_words(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    write(page, 4, "优选为圆孔。")
    item = page.locator(".finding-item", has_text="优选").first
    expect(item).to_be_visible()
    expect(page.locator(".claim:nth-child(4) .finding").first).to_be_visible()
    item.click()
    selected = page.evaluate("getSelection().toString()")
    assert "优选" in selected
    expect(page.locator(".claim:nth-child(4) .claim-marks")).to_be_visible()
    count = int(page.locator("#tab-findings [data-finding-count]").inner_text())
    for button in page.locator(".filter").all():
        button.click()
    expect(page.locator(".finding-item")).to_have_count(0)
    expect(page.locator("#finding-summary")).to_have_text("所选级别没有发现问题。")
    page.locator(".filter").first.click()
    assert page.locator(".finding-item").count() <= count


def test_the_whole_set_is_copied_with_its_numbers(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    desk = desk_of(agent, permissions=["clipboard-read", "clipboard-write"])
    page = desk.workspace(drafted)
    page.click("#copy")
    expect(page.locator(".notice")).to_contain_text("已复制 4 项")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.splitlines()[1] == f"2. {CLAIMS[1]}"
