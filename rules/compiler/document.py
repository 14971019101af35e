"""The pack document: what pack.json says, checked before the grammar is looked at."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from textwrap import shorten
from typing import Any

from jsonschema import Draft202012Validator

from .errors import PackError, Problem
from .terms import Term, trimmed

CLAUSE_MARKS = "，；。：、\n"
CONTEXTS_PER_TERM = 48
"""Contexts of one term that the grammar takes up, in the order of the table. Each costs the engine
one to three thousand units of the 200,000 that a single mask may use; above that a request
fails."""


def check_document(document: Mapping[str, Any]) -> None:
    """Raises PackError when the document breaks the schema or its table contradicts itself."""
    problems = [
        Problem(
            code="schema",
            line=0,
            column=0,
            excerpt="/".join(str(step) for step in error.absolute_path) or "pack.json",
            message_zh=f"规则包文件不符合格式：{shorten(error.message, 160)}",
            message_en=f"The pack document breaks its schema: {shorten(error.message, 160)}",
        )
        for error in _validator().iter_errors(document)
    ]
    if not problems and "extends" in document:
        problems = [_unresolved(document["extends"])]
    if not problems:
        problems = list(_table_problems(document["forbidden"]))
    if problems:
        raise PackError(tuple(problems))


def terms_of(document: Mapping[str, Any]) -> tuple[Term, ...]:
    """The rows of the table of forbidden terms whose rule the grammar enforces.

    A context that begins with a clause mark or with one of the pack's `frequent` characters, before
    its term, is for the linter alone: the grammar would have to remember each of those characters,
    so that nearly every token would need a mask of its own. So are contexts beyond the first
    CONTEXTS_PER_TERM that add something. A term of the pack's `tempting` list is lawful only in
    contexts that begin before it. There the grammar is stricter.
    """
    enforced = set(document["enforces"])
    costly = {*CLAUSE_MARKS, *document.get("frequent", "")}
    tempting = set(document.get("tempting", ()))
    return tuple(
        _term(row, costly, row["term"] in tempting)
        for row in document["forbidden"]
        if row["rule"] in enforced
    )


def in_order(terms: tuple[Term, ...], document: Mapping[str, Any]) -> tuple[Term, ...]:
    """The terms by the severity of their rows, errors first, otherwise as the table has them."""
    ranks = {row["term"]: _SEVERITIES.index(row["severity"]) for row in document["forbidden"]}
    return tuple(sorted(terms, key=lambda term: ranks[term.text]))


_SEVERITIES = ("error", "warning", "info")


def _term(row: Mapping[str, Any], costly: Collection[str], tempting: bool) -> Term:
    term = Term(
        row["term"],
        tuple(
            context
            for context in row.get("allowed_in", ())
            if (not tempting if context.startswith(row["term"]) else context[0] not in costly)
        ),
        row.get("only") == "before_number",
        row.get("whole_word", False),
    )
    return replace(term, contexts=trimmed(term).contexts[:CONTEXTS_PER_TERM])


def _table_problems(rows: list[dict[str, Any]]) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, row in enumerate(rows):
        term = row["term"]
        if term in seen:
            yield _row_problem(
                "term-twice", index, term, f"“{term}”在表中出现两次。", f"“{term}” is listed twice."
            )
        seen.add(term)
        if any(mark in term for mark in CLAUSE_MARKS):
            yield _row_problem(
                "term-crosses-clause",
                index,
                term,
                f"“{term}”含有分句标点，禁用词语不能跨越分句。",
                f"“{term}” holds a clause mark; a forbidden term cannot reach over one.",
            )
        for context in row.get("allowed_in", ()):
            if term not in context or context == term:
                yield _row_problem(
                    "context-without-term",
                    index,
                    context,
                    f"“{context}”必须是包含“{term}”的更长词语。",
                    f"“{context}” must be a longer text that contains “{term}”.",
                )


def _unresolved(base: str) -> Problem:
    return Problem(
        code="base-missing",
        line=0,
        column=0,
        excerpt=f"extends: {base}",
        message_zh=f"规则包扩展“{base}”，编译前须先与其合并。",
        message_en=f"The pack extends “{base}” and must be put together with it before.",
    )


def _row_problem(code: str, index: int, text: str, zh: str, en: str) -> Problem:
    return Problem(code, 0, 0, f"forbidden/{index}: {text}", zh, en)


@cache
def _validator() -> Draft202012Validator:
    path = Path(__file__).parent / "schema" / "pack.schema.json"
    return Draft202012Validator(json.loads(path.read_text("utf-8")))
