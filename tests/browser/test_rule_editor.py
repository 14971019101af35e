"""A rule author's main path: a row in the table of words, its examples, review, in force."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest
from django.contrib.auth.models import Group
from playwright.sync_api import Page, expect

from tests.browser.conftest import CLAIMS, apart
from tests.conftest import make_user
from tests.console.drafting.conftest import rules_in_force

__all__ = ["rules_in_force"]
pytestmark = [pytest.mark.browser, pytest.mark.services]

# The first compilation starts a process; a busy machine may take its time over 281 examples, and
# before publishing, the independent parser takes half a minute of both cores for them.
SLOW = 180_000


@pytest.fixture
def author(site: str) -> Any:
    return apart(lambda: make_user("author", role="rule_author"))


@pytest.fixture
def pack(rules_in_force: None, site: str) -> Any:
    """cn-claims, in force and known to the console."""
    from rules.services import adopt
    from rules.store.client import active_pack

    return apart(lambda: adopt(active_pack("cn-claims")).pack)


@pytest.fixture
def page(desk_of: Callable[..., Any], author: Any, pack: Any) -> Page:
    page: Page = desk_of(author).open(f"/admin/rules/pack/{pack.pk}/change/")
    page.wait_for_selector(".rules:not([data-loading])")
    return page


def begin(page: Page, reason: str) -> None:
    page.get_by_role("button", name="开始修改").click()
    page.get_by_role("dialog").get_by_role("textbox").fill(reason)
    page.get_by_role("dialog").get_by_role("button", name="开始修改").click()
    page.wait_for_url(re.compile(r"\?version=\d+"))
    page.wait_for_selector(".rules:not([data-loading])")


def test_banning_a_word_goes_from_a_row_to_the_version_in_force(page: Page, pack: Any) -> None:
    examples = page.locator(".right .count")
    expect(examples).to_contain_text("全部相符", timeout=SLOW)
    expect(page.locator(".rules-head .badge")).to_have_text("生效中")

    begin(page, "客户要求“连接”写作“耦合”")
    page.get_by_role("tab", name="禁用词语").click()
    page.get_by_role("button", name="添加一行").click()
    row = page.locator("tr.fresh")
    row.get_by_label("禁用词语").fill("连接")
    row.get_by_label("禁用词语").press("Tab")
    row.get_by_label("改写为").fill("耦合")
    row.get_by_label("改写为").press("Tab")
    expect(page.locator(".saving")).to_have_text("已保存")

    # Claims that were lawful say 连接: they are shown as failing, and at which character.
    expect(examples).to_contain_text("不符", timeout=SLOW)
    page.get_by_label("筛选示例").select_option("failing")
    failing = page.locator(".example.bad")
    expect(failing.first.locator(".badge")).to_have_text("应接受，实为拒绝")
    expect(failing.first.locator("mark")).to_have_text("接")

    # Sent to review like this, it could not be published: the author is asked first.
    page.get_by_role("button", name="送审").click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text("个示例不符，这样不能发布")
    question.get_by_role("button", name="取消").click()
    expect(page.locator(".rules-head .badge")).to_have_text("草稿")

    # The author takes them out: with the house rule they are no examples of lawful claims.
    while failing.count():
        before = failing.count()
        failing.first.get_by_role("button", name="删除").click()
        page.get_by_role("dialog").get_by_role("button", name="删除").click()
        expect(failing).to_have_count(before - 1)
    expect(examples).to_contain_text("全部相符", timeout=SLOW)

    page.get_by_role("tab", name="沙盒").click()
    expect(page.get_by_label("要试的文字")).to_have_value("")
    page.get_by_label("要试的文字").fill("一种散热装置，包括底座，所述底座连接翅片。")
    expect(page.locator(".result")).to_have_text("请填写主题名称，再看判定。")
    page.get_by_label("主题名称（不含“一种”）").fill("散热装置")
    result = page.locator(".result")
    page.get_by_label("编号").fill("2")
    page.locator(".state-form select").select_option("dependent")
    page.get_by_label("可引用的在前权利要求").fill("1 散热装置")
    expect(result).to_contain_text("这像是独立权利要求，而类型是从属权利要求。", timeout=SLOW)
    page.get_by_label("编号").fill("1")
    page.locator(".state-form select").select_option("independent")
    page.get_by_label("可引用的在前权利要求").fill("")
    expect(result).to_contain_text("可改写为“耦合”", timeout=SLOW)
    expect(result.locator("mark")).to_have_text("接")

    page.get_by_role("button", name="送审").click()
    expect(page.locator(".rules-head .badge")).to_have_text("待审核")
    page.get_by_role("tab", name="发布").click()
    expect(page.locator(".changes").first).to_contain_text("禁用“连接”，改写为“耦合”")
    page.get_by_role("button", name="发布", exact=True).click()
    expect(page.locator(".notice-line")).to_have_text("第2版已生效。", timeout=2 * SLOW)
    expect(page.locator(".rules-head .badge")).to_have_text("生效中")

    from rules.store.client import store

    active = apart(lambda: store().active("cn-claims"))
    assert (active.version, active.author) == (2, "author")
    assert active.document["forbidden"][0] == {
        "term": "连接",
        "rule": "W01",
        "severity": "error",
        "replacement": "耦合",
    }

    page.get_by_role("button", name="一键恢复第1版").click()
    page.get_by_role("dialog").get_by_role("button", name="恢复第1版").click()
    expect(page.locator(".right [role=status]", has_text="第1版生效中")).to_be_visible()
    assert apart(lambda: store().in_force()["cn-claims"].version) == 1


def test_a_mistake_in_the_grammar_is_shown_while_typing(page: Page) -> None:
    begin(page, "试验")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\nlead_too: MISSING_NAME\n")
    expect(page.locator(".problems")).to_contain_text("MISSING_NAME", timeout=SLOW)
    expect(page.locator(".cm-lintRange-error").first).to_be_visible()
    expect(page.locator(".right .count")).to_contain_text("暂不判定")
    page.locator(".problems .link").first.click()
    page.keyboard.press("Delete")
    expect(page.locator(".problems")).not_to_contain_text("MISSING_NAME", timeout=SLOW)


def test_two_authors_at_once_are_both_shown_their_texts(
    page: Page, desk_of: Callable[..., Any]
) -> None:
    begin(page, "试验")
    colleague = apart(lambda: make_user("colleague", role="rule_author"))
    other = desk_of(colleague).open(page.url.removeprefix(page.url.split("/admin")[0]))
    other.wait_for_selector(".rules:not([data-loading])")
    for tab, word in ((other, "甲乙丙"), (page, "丁戊己")):
        tab.get_by_role("tab", name="禁用词语").click()
        tab.get_by_role("button", name="添加一行").click()
        tab.locator("tr.fresh").get_by_label("禁用词语").fill(word)
        tab.locator("tr.fresh").get_by_label("禁用词语").press("Tab")
        expect(tab.locator(".saving")).to_have_text("已保存" if tab is other else "有冲突")
    notice = page.locator(".notice-line")
    expect(notice).to_contain_text("Colleague")
    notice.get_by_role("button", name="比较").click()
    expect(page.get_by_role("dialog")).to_contain_text("甲乙丙")
    expect(page.get_by_role("dialog")).to_contain_text("丁戊己")
    page.get_by_role("button", name="关闭").click()
    notice.get_by_role("button", name="用他人的内容").click()
    expect(page.locator(".saving")).to_have_text("已保存")
    expect(page.locator(".terms tbody tr").first.get_by_label("禁用词语")).to_have_value("甲乙丙")


def test_renaming_a_rule_changes_every_use_of_it(page: Page) -> None:
    begin(page, "试验")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Control+f")
    page.keyboard.type("characterised:")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.keyboard.press("Home")
    page.keyboard.press("F2")
    page.get_by_role("dialog").get_by_role("textbox").fill("announced")
    page.get_by_role("dialog").get_by_role("button", name="确定").click()
    text = page.locator(".cm-content")
    expect(text).to_contain_text("announced:")
    expect(text).not_to_contain_text("characterised")


def test_selected_words_of_a_claim_become_an_example(
    desk_of: Callable[..., Any], team: Any, drafted: Any, pack: Any, screenshots: Any
) -> None:
    def make() -> Any:
        user = make_user("li", role="agent", team=team)
        user.groups.add(Group.objects.get_or_create(name="rule_author")[0])
        return user

    desk = desk_of(apart(make))
    workspace = desk.workspace(drafted)
    claim = workspace.locator(".claim").nth(1)
    claim.locator(".cm-content").click()
    for keys in ("Control+Home", "Control+Shift+End", "Shift+ArrowLeft"):
        workspace.keyboard.press(keys)
    workspace.screenshot(path=screenshots / "rules-from-workspace.png")
    with desk.context.expect_page() as opened:
        claim.get_by_role("button", name="选中的文字作规则示例").click()
    editor = opened.value
    editor.wait_for_selector(".rules:not([data-loading])")
    text, wanted = editor.get_by_label("要试的文字"), CLAIMS[1].removesuffix("。")
    expect(text).to_have_value(wanted)
    assert "散热" not in unquote(editor.url)

    begin(editor, "补充示例")
    expect(text).to_have_value(wanted)
    expect(editor.locator(".notice-line")).to_contain_text("保密内容")
    expect(editor.locator(".result .badge")).to_contain_text("还没有写完", timeout=SLOW)
    editor.screenshot(path=screenshots / "rules-taken-example.png")
    editor.get_by_role("button", name="存为示例").click()
    expect(editor.locator(".saving")).to_have_text("已保存")
    first = apart(lambda: pack.versions.get(state="draft").document["examples"][0])
    assert (first["text"], first["verdict"]) == (wanted, "incomplete")
    assert (first["state"]["number"], first["state"]["subject"]) == (2, "散热装置")


@pytest.mark.parametrize(
    ("width", "theme", "language"),
    [
        (1440, "light", "zh-hans"),
        (1440, "dark", "zh-hans"),
        (390, "dark", "zh-hans"),
        (390, "light", "en"),
    ],
)
def test_nothing_sticks_out_at_any_width(
    desk_of: Callable[..., Any],
    author: Any,
    pack: Any,
    width: int,
    theme: str,
    language: str,
    screenshots: Any,
) -> None:
    desk = desk_of(author, width=width)
    desk.context.add_cookies([{"name": "django_language", "value": language, "url": desk.site}])
    desk.context.add_init_script(f"localStorage.setItem('adminTheme', '\"{theme}\"')")
    page = desk.open(f"/admin/rules/pack/{pack.pk}/change/")
    page.wait_for_selector(".rules:not([data-loading])")
    expect(page.locator(".right .count.good")).to_be_visible(timeout=SLOW)
    tabs = page.get_by_role("tab")
    assert tabs.count() == 7
    for index in range(tabs.count()):
        tabs.nth(index).click()
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, (index, wide)
        name = f"rules-{width}-{theme}-{language}-{index}.png"
        page.screenshot(path=screenshots / name, full_page=width < 1000)
