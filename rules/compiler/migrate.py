"""Pack documents of older formats, brought up to today's. Published versions never change, so every
format that was ever published stays readable."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from .errors import PackError, Problem

CURRENT = 2
"""The `schema_version` that schema/pack.schema.json describes."""

Document = dict[str, Any]


def migrate(document: Mapping[str, Any]) -> Document:
    """A copy of the document in today's format. Raises PackError: schema-version."""
    found = document.get("schema_version", document.get("schema"))
    if not isinstance(found, int) or not 1 <= found <= CURRENT:
        raise PackError((_unknown(found),))
    migrated = dict(document)
    for step in _STEPS[found - 1 :]:
        migrated = step(migrated)
    return migrated


def _to_2(document: Document) -> Document:
    """`schema` is called schema_version, texts have a language, citations have parts. What a
    terminal may repeat was not asked then: all that was published may go on."""
    rest = {key: value for key, value in document.items() if key != "schema"}
    migrated = {"schema_version": 2, **rest}
    migrated.setdefault("language", "zh" if document.get("jurisdiction") == "cn" else "en")
    citations = document.get("citations")
    if isinstance(citations, Mapping):
        migrated["citations"] = {
            rule: _parts(text) if isinstance(text, str) else text
            for rule, text in citations.items()
        }
    terminals = _TERMINAL.findall(str(document.get("grammar", "")))
    migrated.setdefault("unbounded_runs", dict.fromkeys(terminals, "(?s:.)"))
    return migrated


_TERMINAL = re.compile(r"^(_?[A-Z][_A-Z0-9]*)[ \t]*:", re.MULTILINE)


def _parts(text: str) -> dict[str, str]:
    """细则22.2；指南P1C1§4.4 as article and section."""
    parts = [part.strip() for part in text.split("；")]
    sections = [part for part in parts if part.startswith("指南")]
    articles = [part for part in parts if not part.startswith("指南")]
    named = {"article": "；".join(articles), "section": "；".join(sections)}
    return {name: value for name, value in named.items() if value}


_STEPS: tuple[Callable[[Document], Document], ...] = (_to_2,)
"""The step at place n leads from format n + 1 to the next one."""


def _unknown(found: object) -> Problem:
    return Problem(
        code="schema-version",
        line=0,
        column=0,
        excerpt=f"schema_version: {found}",
        message_zh=f"不认识规则包格式版本“{found}”，本软件支持1至{CURRENT}。",
        message_en=f"Format version “{found}” is not known; this software reads 1 to {CURRENT}.",
        hint_zh=f'新规则包请写 "schema_version": {CURRENT}。',
        hint_en=f'Write "schema_version": {CURRENT} in a new pack.',
    )
