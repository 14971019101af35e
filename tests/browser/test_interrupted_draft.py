"""A running draft whose reader loses the network or the login, or whose worker dies: in the end the
page shows exactly what was written, and while it is written never anything else."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import CLAIMS, Desk, WebProcess, apart, texts_of
from tests.browser.test_running_draft import claim, finished
from tests.conftest import PASSWORD
from tests.console.drafting.conftest import rules_in_force
from tests.console.drafting.writing_node import WritingNode
from tests.support.cable import Cable
from tests.support.waiting import until
from tests.support.worker import Worker

__all__ = ["rules_in_force"]
pytestmark = [pytest.mark.browser, pytest.mark.services]

SLOW = 1.0  # seconds between letters
QUICK = 0.02


class HesitantNode(WritingNode):
    """Writes claim 2 slowly, so that things can happen meanwhile, until it is told to hurry."""

    def __init__(self) -> None:
        super().__init__(CLAIMS, pause=QUICK, pauses={CLAIMS[1]: SLOW})

    def hurry(self) -> None:
        self.pauses.clear()


# Each text that stands in a claim at the end of a frame and is not how that claim begins.
WATCH = """(claims) => {
  window.wrong = [];
  const look = () => {
    document.querySelectorAll('.claim').forEach((row, index) => {
      for (const part of row.querySelectorAll('.claim-live, .cm-content')) {
        const shown = part.getBoundingClientRect().height ? part.textContent : '';
        if (!claims[index]?.startsWith(shown)) wrong.push([index + 1, shown]);
      }
    });
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.fixture
def node(rules_in_force: None) -> Iterator[HesitantNode]:
    with HesitantNode() as writing:
        yield writing


@pytest.fixture
def worker(node: HesitantNode, tmp_path: Path, site: str) -> Iterator[Worker]:
    with Worker(tmp_path, nodes=[node.url], name="first") as process:
        yield process


def begin_draft(page: Page) -> None:
    """Up to the middle of claim 2."""
    page.evaluate(WATCH, list(CLAIMS))
    page.fill("#draft [name=count]", str(len(CLAIMS)))
    page.keyboard.press("Control+Enter")
    expect(claim(page, 2).locator(".claim-live")).to_contain_text("根据")


def shows_exactly_the_claims(page: Page, matter: Any) -> None:
    finished(page)
    assert texts_of(matter) == list(CLAIMS)
    expect(page.locator(".claim")).to_have_count(len(CLAIMS))
    for number, text in enumerate(CLAIMS, 1):
        expect(claim(page, number).locator(".cm-content")).to_have_text(text)
        expect(claim(page, number).locator(".claim-live")).to_be_hidden()
    assert page.evaluate("wrong") == []


@pytest.mark.parametrize("how", ["reset", "silent"])
@pytest.mark.parametrize(
    "written_meanwhile", [1, 3, len(CLAIMS)], ids=["same claim", "later claim", "ended"]
)
def test_a_lost_network_costs_nothing(
    desk_of: Callable[..., Any],
    matter: Any,
    agent: Any,
    node: HesitantNode,
    worker: Worker,
    web_process: WebProcess,
    how: str,
    written_meanwhile: int,
) -> None:
    with Cable(web_process.port) as cable:
        desk: Desk = desk_of(agent)
        desk.site = cable.url
        page = desk.workspace(matter)
        begin_draft(page)
        cable.pull(how)
        desk.context.set_offline(True)
        expect(page.locator("#connection")).to_contain_text("离线")
        if written_meanwhile > 1:
            node.hurry()
        until(lambda: CLAIMS[written_meanwhile - 1] in texts_of(matter), 60)
        expect(page.locator(".claim")).to_have_count(2)
        cable.plug_in()
        desk.context.set_offline(False)
        expect(page.locator("#connection")).to_have_text("已连接")
        node.hurry()
        shows_exactly_the_claims(page, matter)


def test_a_killed_worker_s_claim_goes_on_in_the_next_one(
    desk_of: Callable[..., Any],
    matter: Any,
    agent: Any,
    node: HesitantNode,
    worker: Worker,
    tmp_path: Path,
) -> None:
    page = desk_of(agent).workspace(matter)
    begin_draft(page)
    worker.kill()
    with Worker(tmp_path, nodes=[node.url], name="second"):
        until(lambda: any(CLAIMS[1].startswith(text) for text in node.resumed), 60)
        node.hurry()
        shows_exactly_the_claims(page, matter)


def test_a_login_that_ran_out_is_renewed_and_the_page_catches_up(
    desk_of: Callable[..., Any], matter: Any, agent: Any, node: HesitantNode, worker: Worker
) -> None:
    from django.contrib.sessions.models import Session

    desk: Desk = desk_of(agent)
    page = desk.workspace(matter)
    begin_draft(page)
    apart(lambda: Session.objects.all().delete())
    expect(page.locator("#dialog-expired")).to_be_visible()
    expect(page.locator("#connection")).to_have_text("登录已过期")
    assert len(texts_of(matter)) == 2
    node.hurry()
    until(lambda: CLAIMS[2] in texts_of(matter), 60)
    with desk.context.expect_page() as opened:
        page.get_by_role("link", name="重新登录").click()
    login = opened.value
    login.fill("#id_username", "agent")
    login.fill("#id_password", PASSWORD)
    login.keyboard.press("Enter")
    expect(login.locator("#workspace")).to_be_visible()
    login.close()
    expect(page.locator("#dialog-expired")).to_be_hidden()
    expect(page.locator("#connection")).to_have_text("已连接")
    shows_exactly_the_claims(page, matter)
