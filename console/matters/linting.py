"""The linter over a document's claims, with the rule pack in force."""

import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Literal, TypedDict

from console.matters.claimset import Content
from console.matters.claimset.rows import standing_text
from rules.linter import Claim, LintSettings, lint_claims
from rules.packs import load_builtin
from rules.store.client import StoreError, active_pack

log = logging.getLogger(__name__)

PACK = "cn-claims"
# Typing asks for findings every second: the store is asked about its pack less often, and while it
# is away hardly ever, for each attempt then costs a wait.
FRESH_SECONDS = 5.0
AWAY_SECONDS = 30.0
# Numbers are positions here, so they have no gaps; a claim without text only looks like one.
_HOLDS_BY_FORM = frozenset({"C01"})


class FindingView(TypedDict):
    claim_id: str
    claim: int
    rule: str
    severity: Literal["error", "warning", "info"]
    article: str
    start: int
    end: int
    message: str
    message_en: str
    consequence: Literal["formal", "rejection", "fee", "style"]


def findings(content: Content, title: str) -> list[FindingView]:
    """All findings of the claims that have a text; places are offsets into each claim's text.

    A claim being written anew counts with its earlier text, without being reported itself.
    """
    rows = content["claims"]
    claims = [
        Claim(number, standing_text(row))
        for number, row in enumerate(rows, start=1)
        if standing_text(row).strip()
    ]
    return [
        FindingView(claim_id=rows[found.claim - 1]["id"], **asdict(found))  # type: ignore[typeddict-item]
        for found in lint_claims(claims, settings_in_force(), title=title)
        if found.rule not in _HOLDS_BY_FORM and rows[found.claim - 1]["state"] != "writing"
    ]


def error_count(found: Sequence[FindingView]) -> int:
    return sum(finding["severity"] == "error" for finding in found)


def settings_in_force() -> LintSettings:
    """The linter's settings of the pack in force; the built-in pack's where there is no store."""
    return _known.get()


class _Known:
    """The last settings read. One thread asks the store; the others go on with what is known."""

    def __init__(self) -> None:
        self._asking = threading.Lock()
        self._settings: LintSettings | None = None
        self._digest = ""
        self._ask_again = 0.0

    def get(self) -> LintSettings:
        due = self._settings is None or time.monotonic() >= self._ask_again
        if due and self._asking.acquire(blocking=self._settings is None):
            try:
                if time.monotonic() >= self._ask_again:
                    self._ask()
            finally:
                self._asking.release()
        return self._settings or _builtin()

    def _ask(self) -> None:
        try:
            pack = active_pack(PACK)
        except StoreError as error:
            log.info("rule pack %s: %s", PACK, error.code)
            self._ask_again = time.monotonic() + AWAY_SECONDS
            self._settings = self._settings or _builtin()
            return
        if pack.digest != self._digest:
            self._settings = LintSettings.from_pack(pack.document)
            self._digest = pack.digest
        self._ask_again = time.monotonic() + FRESH_SECONDS


@lru_cache(maxsize=1)
def _builtin() -> LintSettings:
    return LintSettings.from_pack(load_builtin(PACK))


_known = _Known()
