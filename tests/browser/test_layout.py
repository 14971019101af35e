"""Panes, tabs, keys and names: the workspace on a wide and on a narrow screen, without a mouse."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.services]

UNNAMED = """() => [...document.querySelectorAll('button, a, input, select, textarea')]
  .filter((e) => e.checkVisibility())
  .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.title
    || (e.labels && e.labels.length) || e.type === 'hidden'))
  .map((e) => e.outerHTML)"""


def test_separators_are_moved_by_keys_and_remembered(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    separator = page.get_by_role("separator", name="交底书栏的宽度")
    before = int(separator.get_attribute("aria-valuenow") or 0)
    separator.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    expect(separator).to_have_attribute("aria-valuenow", str(before + 80))
    page.reload()
    expect(separator).to_have_attribute("aria-valuenow", str(before + 80))
    pane = page.locator("#pane-disclosure").bounding_box()
    assert pane is not None
    assert round(pane["width"]) == before + 80


def test_separators_are_dragged(desk_of: Callable[..., Any], drafted: Any, agent: Any) -> None:
    page = desk_of(agent).workspace(drafted)
    separator = page.get_by_role("separator", name="检查栏的宽度")
    before = int(separator.get_attribute("aria-valuenow") or 0)
    box = separator.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 4, 400)
    page.mouse.down()
    page.mouse.move(box["x"] - 36, 420)
    page.mouse.up()
    expect(separator).to_have_attribute("aria-valuenow", str(before + 40))


def test_on_a_telephone_the_panes_are_tabs(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent, width=390, height=844).workspace(drafted)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.locator("#pane-claims")).to_be_visible()
    expect(page.locator("#pane-disclosure")).to_be_hidden()
    page.get_by_role("tab", name="交底书").click()
    expect(page.locator(".disclosure-text")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#pane-claims")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_list_is_walked_without_a_mouse(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    page.locator(".claim:nth-child(1) .claim-number").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("j")
    expect(page.locator(".claim:nth-child(3) .claim-number")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".claim:nth-child(3) .cm-content")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".claim:nth-child(3) .claim-number")).to_be_focused()
    page.keyboard.press("?")
    expect(page.locator("#dialog-keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#dialog-keys")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_control_has_a_name_and_every_pane_a_landmark(
    desk_of: Callable[..., Any], drafted: Any, agent: Any, scheme: str
) -> None:
    page = desk_of(agent, color_scheme=scheme).workspace(drafted)
    assert page.evaluate(UNNAMED) == []
    for name in ("技术交底书", "权利要求书", "检查与版本", "起草"):
        expect(page.get_by_role("region", name=name, exact=True)).to_be_visible()
    expect(page.get_by_role("textbox", name="权利要求 1的文字")).to_be_visible()


def test_the_focus_is_always_seen(desk_of: Callable[..., Any], drafted: Any, agent: Any) -> None:
    page = desk_of(agent).workspace(drafted)
    for _ in range(12):
        page.keyboard.press("Tab")
        shown = page.evaluate(
            """() => { const s = getComputedStyle(document.activeElement);
              return s.outlineStyle !== 'none' || document.activeElement.closest('.cm-editor')
                || document.activeElement.matches('[type=search]'); }"""
        )
        assert shown, page.evaluate("document.activeElement.outerHTML")
