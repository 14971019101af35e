"""Signing in, the list, a new matter, what a stranger sees, light and dark, both languages."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.conftest import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.services]


def test_signing_in_leads_to_the_matters_and_out_again(
    desk_of: Callable[..., Any], drafted: Any
) -> None:
    page = desk_of().open("/")
    page.fill("#id_username", "agent")
    page.fill("#id_password", "wrong")
    page.click("text=登录 >> nth=-1")
    expect(page.get_by_role("alert")).to_contain_text("用户名或密码不正确")
    page.fill("#id_password", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="案件")).to_be_visible()
    expect(page.get_by_role("link", name="一种散热装置")).to_be_visible()
    expect(page.locator(".matters")).to_contain_text("4 项待定")
    page.click("details.menu summary")
    page.click("text=退出登录")
    expect(page.get_by_role("heading", name="登录")).to_be_visible()


def test_an_agent_without_matters_is_led_to_the_first_one(
    desk_of: Callable[..., Any], agent: Any
) -> None:
    page = desk_of(agent).open("/")
    expect(page.locator(".empty")).to_contain_text("还没有案件")
    page.click(".empty >> text=新建案件")
    page.fill("[name=title]", "一种车载冷却装置及其控制方法")
    expect(page.locator("#title-count")).to_have_text("14 字")
    page.fill("[name=reference]", "KH-77")
    page.click("main >> role=button[name='新建案件']")
    expect(page.get_by_role("heading", name="一种车载冷却装置及其控制方法")).to_be_visible()
    expect(page.locator(".disclosure-empty")).to_contain_text("导入技术交底书")
    expect(page.locator("#draft [type=submit]")).to_be_disabled()


def test_matters_are_found_by_title_and_by_state(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent).open("/")
    page.fill("[name=q]", "散热")
    page.keyboard.press("Enter")
    expect(page.locator(".matters tbody tr")).to_have_count(1)
    page.click(".segments >> text=全部已接受")
    expect(page.locator(".empty")).to_contain_text("没有符合条件的案件")


def test_an_outsider_gets_a_plain_404(
    desk_of: Callable[..., Any], matter: Any, outsider: Any
) -> None:
    page = desk_of(outsider).open(f"/matters/{matter.pk}/")
    expect(page.get_by_role("heading")).to_have_text("没有找到这个页面")


def test_the_dark_theme_is_chosen_once_and_kept(desk_of: Callable[..., Any], agent: Any) -> None:
    desk = desk_of(agent, color_scheme="light")
    page = desk.open("/")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.click("[data-act=theme]")
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    assert page.evaluate(ground) == dark


def test_the_system_s_dark_theme_is_followed(desk_of: Callable[..., Any], agent: Any) -> None:
    page = desk_of(agent, color_scheme="dark").open("/")
    red, green, blue = page.evaluate(
        "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    )
    assert max(red, green, blue) < 60


def test_the_interface_speaks_english_too(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    desk = desk_of(agent)
    page = desk.open("/")
    page.click("details.menu summary")
    page.click("text=English interface")
    expect(page.get_by_role("heading", name="Matters")).to_be_visible()
    page.click("text=一种散热装置")
    expect(page.locator("#connection")).to_have_text("Connected")
    expect(page.locator(".claim-state").first).to_have_text("To decide")


@pytest.mark.parametrize("path", ["/", "/matters/new/", "/accounts/password/"])
def test_pages_fit_a_telephone(
    desk_of: Callable[..., Any], drafted: Any, agent: Any, path: str
) -> None:
    page = desk_of(agent, width=390, height=844).open(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
