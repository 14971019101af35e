"""A draft as its reader sees it. Web process, worker, Valkey and etcd are real; the node is a real
HTTP server that writes given claims letter by letter."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import CLAIMS, SAVED, WebProcess, states_of, texts_of
from tests.console.drafting.conftest import rules_in_force
from tests.console.drafting.writing_node import WritingNode
from tests.support.waiting import until
from tests.support.worker import Worker

__all__ = ["rules_in_force"]
pytestmark = [pytest.mark.browser, pytest.mark.services]


SLOW = 0.5  # seconds between letters: what passes by is there to be seen on a busy machine too


@pytest.fixture
def node(rules_in_force: None) -> Iterator[WritingNode]:
    """Writes every claim slowly, until a test has seen what it wants to see of it."""
    with WritingNode(CLAIMS, pause=0.03, pauses=dict.fromkeys(CLAIMS, SLOW)) as writing:
        yield writing


@pytest.fixture
def drafting(
    desk_of: Callable[..., Any], matter: Any, agent: Any, node: WritingNode, tmp_path: Path
) -> Iterator[Page]:
    """The workspace with a draft of four claims begun by its shortcut."""
    with Worker(tmp_path, nodes=[node.url]):
        page = desk_of(agent, height=760).workspace(matter)
        page.fill("#draft [name=count]", "4")
        page.keyboard.press("Control+Enter")
        yield page


def claim(page: Page, number: int) -> Any:
    return page.locator(f".claim:nth-child({number})")


def hurry(node: WritingNode, *numbers: int) -> None:
    """These claims, or all, need not be seen (any more) while they are written."""
    for number in numbers or range(1, len(CLAIMS) + 1):
        node.pauses.pop(CLAIMS[number - 1], None)


def finished(page: Page) -> None:
    expect(page.locator(".draft-last")).to_have_text("起草完成")


# Where the text of claim 1 stands, frame by frame, while it is written and afterwards.
WATCH = """() => {
  window.places = { live: null, done: null };
  const look = () => {
    const shown = (selector) => {
      const element = document.querySelector(`.claim:first-child ${selector}`);
      const box = element?.getBoundingClientRect();
      return box && box.height ? [box.x, box.y, box.height] : null;
    };
    places.live = shown('.claim-live') ?? places.live;
    places.done ??= shown('.claim-editor .cm-line');
    requestAnimationFrame(look);
  };
  look();
}"""


def test_each_claim_is_seen_as_it_is_written_and_nothing_jumps(
    drafting: Page, matter: Any, node: WritingNode
) -> None:
    drafting.evaluate(WATCH)
    first = claim(drafting, 1)
    expect(first.locator(".claim-live")).to_contain_text("一种散热")
    expect(first.locator(".claim-state")).to_have_text("撰写中")
    expect(drafting.locator(".draft-words")).to_have_text("正在撰写权利要求 1")
    hurry(node, 1)
    expect(first.locator(".claim-state")).to_have_text("待定")
    expect(drafting.locator("#announcer")).to_contain_text("权利要求 1 已写成")
    hurry(node)
    finished(drafting)
    assert texts_of(matter) == list(CLAIMS)
    for number, text in enumerate(CLAIMS, 1):
        expect(claim(drafting, number).locator(".cm-content")).to_have_text(text)
    places = drafting.evaluate("places")
    assert places["live"] == places["done"]


def test_a_reload_and_a_restart_lose_nothing_and_repeat_nothing(
    drafting: Page, matter: Any, node: WritingNode, web_process: WebProcess
) -> None:
    hurry(node, 1)
    expect(claim(drafting, 2).locator(".claim-live")).to_contain_text("根据权利")
    drafting.reload()
    expect(claim(drafting, 2)).to_contain_text("根据权利要求1所述的散热装置")
    web_process.kill()
    expect(drafting.locator("#connection")).to_contain_text("连接中断")
    web_process.start()
    expect(drafting.locator("#connection")).to_have_text("已连接")
    hurry(node)
    finished(drafting)
    assert texts_of(matter) == list(CLAIMS)
    expect(drafting.locator(".claim")).to_have_count(len(CLAIMS))
    for number, text in enumerate(CLAIMS, 1):
        expect(claim(drafting, number).locator(".cm-content")).to_have_text(text)


def test_escape_twice_stops_the_model(drafting: Page, matter: Any, node: WritingNode) -> None:
    hurry(node, 1)
    expect(claim(drafting, 2).locator(".claim-live")).to_contain_text("根据")
    drafting.keyboard.press("Escape")
    expect(drafting.locator(".notice")).to_contain_text("再按一次 Esc")
    drafting.keyboard.press("Escape")
    drafting.keyboard.press("Escape")
    expect(drafting.locator(".draft-last")).to_have_text("已停止")
    assert node.closed_by_reader.wait(15)
    expect(drafting.locator(".claim")).to_have_count(1)
    assert texts_of(matter) == [CLAIMS[0]]


def test_the_agent_edits_and_pauses_while_the_model_writes(
    drafting: Page, matter: Any, node: WritingNode
) -> None:
    hurry(node, 1)
    expect(claim(drafting, 2).locator(".claim-live")).to_contain_text("根据")
    claim(drafting, 1).locator(".cm-content").click()
    drafting.keyboard.press("Control+End")
    drafting.keyboard.type("（手改）", delay=60)
    expect(drafting.locator("#saving")).to_have_text(SAVED)
    expect(claim(drafting, 1).locator(".cm-content")).to_be_focused()
    drafting.click("[data-act=pause]")
    expect(drafting.locator(".draft-words")).to_contain_text("已暂停")
    hurry(node)
    drafting.click("[data-act=resume]")
    finished(drafting)
    assert texts_of(matter) == [CLAIMS[0] + "（手改）", *CLAIMS[1:]]
    assert states_of(matter) == ["accepted", "proposed", "proposed", "proposed"]


def test_the_reader_s_place_is_kept_and_a_claim_is_written_anew_on_demand(
    drafting: Page, matter: Any, node: WritingNode
) -> None:
    place = "document.querySelector('#claims-scroll').scrollTop"
    rest = """() => { const e = document.querySelector('#claims-scroll');
      return e.scrollHeight - e.scrollTop - e.clientHeight; }"""
    hurry(node, 1, 2)
    drafting.set_viewport_size({"width": 1440, "height": 400})
    expect(claim(drafting, 3).locator(".claim-live")).to_contain_text("根据")
    until(lambda: drafting.evaluate(place) > 0 and drafting.evaluate(rest) < 2)
    drafting.locator("#claims-scroll").hover()
    drafting.mouse.wheel(0, -1_000)
    until(lambda: drafting.evaluate(place) == 0)
    hurry(node)
    finished(drafting)
    assert drafting.evaluate(place) == 0

    anew = "根据权利要求1所述的散热装置，其特征在于，所述翅片为铜制翅片。"
    node.texts.append(anew)
    claim(drafting, 2).locator(".claim-number").focus()
    drafting.keyboard.press("r")
    drafting.keyboard.type("改用铜")
    drafting.keyboard.press("Enter")
    expect(claim(drafting, 2).locator(".cm-content")).to_have_text(anew)
    assert any("改用铜" in prompt for prompt in node.prompts)
    assert texts_of(matter)[1] == anew
