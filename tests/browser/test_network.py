"""Lost network, restarted server, expired login, closed page: no typed word is lost."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import CLAIMS, SAVED, Desk, WebProcess, texts_of
from tests.conftest import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.services]


def type_at_end(page: Page, number: int, text: str) -> None:
    page.locator(f".claim:nth-child({number}) .cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type(text)


def test_an_edit_made_offline_is_saved_when_the_network_is_back(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    desk: Desk = desk_of(agent)
    page = desk.workspace(drafted)
    desk.context.set_offline(True)
    type_at_end(page, 1, "离线")
    expect(page.locator("#saving")).to_have_text("未保存，正在重试")
    assert texts_of(drafted)[0] == CLAIMS[0]
    desk.context.set_offline(False)
    expect(page.locator("#saving")).to_have_text(SAVED)
    assert texts_of(drafted)[0] == CLAIMS[0] + "离线"


def test_what_is_not_saved_yet_is_copied_as_it_is_seen_and_not_left_out_of_an_export(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    desk: Desk = desk_of(agent, permissions=["clipboard-read", "clipboard-write"])
    page = desk.workspace(drafted)
    page.route("**/operations/", lambda route: route.abort())
    type_at_end(page, 1, "未存")
    expect(page.locator("#saving")).to_have_text("未保存，正在重试")
    page.click("#copy")
    expect(page.locator(".notice")).to_contain_text("已复制 4 项")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.splitlines()[0] == f"1. {CLAIMS[0]}未存"
    page.click("#export")
    expect(page.locator(".notice-problem")).to_contain_text("还有文字没有保存")


def test_an_edit_made_offline_survives_closing_the_page(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    desk: Desk = desk_of(agent)
    page = desk.workspace(drafted)
    desk.context.set_offline(True)
    type_at_end(page, 3, "离线")
    expect(page.locator("#saving")).to_have_text("未保存，正在重试")
    page.close()
    desk.context.set_offline(False)
    assert texts_of(drafted)[2] == CLAIMS[2]
    again = desk.workspace(drafted)
    expect(again.locator(".claim:nth-child(3) .cm-content")).to_have_text(CLAIMS[2] + "离线")
    expect(again.locator("#saving")).to_have_text(SAVED)
    assert texts_of(drafted)[2] == CLAIMS[2] + "离线"


def test_an_answer_that_was_lost_does_not_save_twice(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    lost = []

    def carry_out_but_lose_the_answer(route: Any) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().status)
            route.abort()

    page.route("**/operations/", carry_out_but_lose_the_answer)
    type_at_end(page, 1, "一次")
    expect(page.locator("#saving")).to_have_text(SAVED)
    expect(page.locator(".conflict")).to_have_count(0)
    assert lost == [200]
    assert texts_of(drafted)[0] == CLAIMS[0] + "一次"


def test_a_restarted_server_is_found_again(
    desk_of: Callable[..., Any], drafted: Any, agent: Any, web_process: WebProcess
) -> None:
    page = desk_of(agent).workspace(drafted)
    web_process.kill()
    expect(page.locator("#connection")).to_contain_text("连接中断")
    type_at_end(page, 2, "期间")
    expect(page.locator("#saving")).to_have_text("未保存，正在重试")
    web_process.start()
    expect(page.locator("#connection")).to_have_text("已连接")
    expect(page.locator("#saving")).to_have_text(SAVED)
    assert texts_of(drafted)[1] == CLAIMS[1] + "期间"


def test_an_expired_login_asks_for_a_new_one_and_goes_on(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    desk: Desk = desk_of(agent)
    page = desk.workspace(drafted)
    desk.context.clear_cookies()
    type_at_end(page, 1, "过期")
    expect(page.locator("#dialog-expired")).to_be_visible()
    expect(page.locator("#saving")).to_have_text("未保存，等待重新登录")
    with desk.context.expect_page() as opened:
        page.get_by_role("link", name="重新登录").click()
    login = opened.value
    login.fill("#id_username", "agent")
    login.fill("#id_password", PASSWORD)
    login.keyboard.press("Enter")
    expect(login.locator("#workspace")).to_be_visible()
    expect(page.locator("#dialog-expired")).to_be_hidden()
    expect(page.locator("#saving")).to_have_text(SAVED)
    expect(page.locator("#connection")).to_have_text("已连接")
    assert texts_of(drafted)[0] == CLAIMS[0] + "过期"


def test_a_refused_text_says_why_and_stays(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    page.locator(".claim:nth-child(1) .cm-content").click()
    page.keyboard.insert_text("甲" * 25_000)
    expect(page.locator(".claim:nth-child(1) .claim-note")).to_contain_text("最多")
    expect(page.locator("#saving")).to_have_text("有修改未保存")
    page.keyboard.press("Control+z")
    expect(page.locator("#saving")).to_contain_text("已保存")
