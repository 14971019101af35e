"""Chinese input methods: what confirms a candidate never does anything else, and nothing is written
into a text that is being composed."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.conftest import CLAIMS, SAVED, apart, states_of, texts_of

pytestmark = [pytest.mark.browser, pytest.mark.services]


class InputMethod:
    """The browser's own composition, as an input method of the system drives it."""

    def __init__(self, page: Page) -> None:
        self._session: CDPSession = page.context.new_cdp_session(page)

    def compose(self, text: str) -> None:
        self._session.send(
            "Input.imeSetComposition",
            {"text": text, "selectionStart": len(text), "selectionEnd": len(text)},
        )

    def confirm(self, text: str) -> None:
        """As browsers do it: the composition ends, then a late keydown with keyCode 229 comes."""
        self._session.send("Input.insertText", {"text": text})
        self.late_key("Enter")

    def late_key(self, key: str, modifiers: int = 0) -> None:
        self._session.send(
            "Input.dispatchKeyEvent",
            {
                "type": "rawKeyDown",
                "key": key,
                "windowsVirtualKeyCode": 229,
                "modifiers": modifiers,
            },
        )


def edited_elsewhere(matter: Any, user: Any, text: str) -> None:
    from console.matters import selectors, services

    def edit() -> None:
        document = selectors.claims_document(matter.pk)
        row = selectors.claim_set(document.pk)[1]
        services.apply_operation(
            document_id=document.pk,
            user=user,
            base_revision=document.revision,
            op={"kind": "edit", "claim_id": row["id"], "rev": row["rev"], "text": text},
        )

    apart(edit)


def test_a_composed_word_is_saved_once_it_is_confirmed(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    page.locator(".claim:nth-child(1) .cm-content").click()
    page.keyboard.press("Control+End")
    method = InputMethod(page)
    method.compose("re")
    method.compose("reguan")
    page.wait_for_timeout(1_000)
    assert texts_of(drafted)[0] == CLAIMS[0], "half a word was saved"
    method.confirm("热管")
    expect(page.locator("#saving")).to_have_text(SAVED)
    assert texts_of(drafted)[0] == CLAIMS[0] + "热管"
    assert states_of(drafted)[1:] == ["proposed"] * 3


def test_the_enter_that_confirms_a_candidate_decides_nothing(
    desk_of: Callable[..., Any], drafted: Any, agent: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    page.locator(".claim:nth-child(1) .claim-number").focus()
    method = InputMethod(page)
    for key in ("Enter", "a", "x", "Delete"):
        method.late_key(key)
    page.keyboard.press("r")
    field = page.locator(".claim-instruction input")
    expect(field).to_be_focused()
    method.compose("shangwei")
    method.confirm("上位")
    page.wait_for_timeout(300)
    expect(field).to_have_value("上位")
    expect(field).to_be_focused()
    page.locator(".claim:nth-child(1) .cm-content").click()
    method.late_key("Enter", modifiers=2)
    page.wait_for_timeout(300)
    expect(page.locator("#draft form")).to_be_visible()
    assert states_of(drafted) == ["proposed"] * 4


def test_a_change_from_elsewhere_waits_for_the_end_of_the_composition(
    desk_of: Callable[..., Any], drafted: Any, agent: Any, member: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    content = page.locator(".claim:nth-child(2) .cm-content")
    content.click()
    page.keyboard.press("Control+End")
    method = InputMethod(page)
    method.compose("tongzhi")
    edited_elsewhere(
        drafted, member, "根据权利要求1所述的散热装置，其特征在于，所述翅片为铜制翅片。"
    )
    page.wait_for_timeout(1_000)
    expect(content).to_have_text(CLAIMS[1] + "tongzhi")
    method.confirm("铜质")
    expect(content).to_have_text(CLAIMS[1] + "铜质")
    conflict = page.locator(".claim:nth-child(2) .conflict")
    expect(conflict).to_contain_text("铜制翅片")
    expect(conflict).to_contain_text("铜质")
    assert "铜制" in texts_of(drafted)[1]


def test_a_change_from_elsewhere_arrives_after_an_abandoned_composition(
    desk_of: Callable[..., Any], drafted: Any, agent: Any, member: Any
) -> None:
    page = desk_of(agent).workspace(drafted)
    content = page.locator(".claim:nth-child(2) .cm-content")
    content.click()
    page.keyboard.press("Control+End")
    method = InputMethod(page)
    method.compose("tong")
    theirs = "根据权利要求1所述的散热装置，其特征在于，所述翅片为铜制翅片。"
    edited_elsewhere(drafted, member, theirs)
    page.wait_for_timeout(500)
    method.compose("")
    expect(content).to_have_text(theirs)
    expect(page.locator(".conflict")).to_have_count(0)
