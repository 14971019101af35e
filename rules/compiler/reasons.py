"""Why a text is refused: the forbidden term that it would complete, or the rules of the grammar
that were being written there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .compiled import CompiledPack
from .earley import Earley
from .errors import caret
from .spans import breached
from .state import State
from .verdict import Explanation, Verdict, explain


@dataclass(frozen=True)
class Term:
    """The row of the table that a text breaks, and the law behind its rule."""

    term: str
    rule: str
    replacement: str
    citation: str


@dataclass(frozen=True)
class Reason:
    """`symbols` are the author's rules and terminals that could go on at the place, with their
    lines in the grammar. `excerpt` shows the text with a caret under the place."""

    verdict: Verdict
    excerpt: str
    allowed: tuple[str, ...] = ()
    term: Term | None = None
    symbols: tuple[tuple[str, int], ...] = ()


def reason(pack: CompiledPack, state: State, text: str) -> Reason:
    """Raises StateError when the state admits no text, GrammarError when the engine cannot build
    the grammar."""
    explained: Explanation = explain(pack, state, text)
    verdict = explained.verdict
    if verdict.kind == "accepted":
        return Reason(verdict, "")
    place = len(text) if verdict.position is None else verdict.position
    return Reason(
        verdict,
        _excerpt(text, place),
        explained.allowed,
        _term(pack, text, place) if verdict.kind == "refused" else None,
        _symbols(pack, pack.instantiate(state), text[:place]),
    )


def _excerpt(text: str, place: int) -> str:
    before = text[:place]
    return caret(text, before.count("\n") + 1, place - before.rfind("\n"))


def _term(pack: CompiledPack, text: str, place: int) -> Term | None:
    """The longest term with an occurrence across the place, if that occurrence is a breach."""
    document = pack.document
    rows: Mapping[str, Mapping[str, Any]] = {row["term"]: row for row in document["forbidden"]}
    found = [
        term
        for term in pack.terms
        for start in range(max(0, place - len(term.text)), place + 1)
        if text[start : start + len(term.text)].lower() == term.text.lower()
        and place <= start + len(term.text)
        and breached(term, text)
    ]
    if not found:
        return None
    row = rows[max(found, key=lambda term: len(term.text)).text]
    law = document.get("citations", {}).get(row["rule"], {})
    citation = row.get("article") or "；".join(
        law[part] for part in ("article", "section") if part in law
    )
    return Term(row["term"], row["rule"], row.get("replacement", ""), citation)


def _symbols(pack: CompiledPack, grammar: str, lawful: str) -> tuple[tuple[str, int], ...]:
    """What lark was writing when the lawful beginning ended."""
    names = Earley(pack, grammar).expected(lawful)
    lines = {d.name: d.place.line for d in pack.definitions}
    author = dict.fromkeys(name.partition("__")[0] for name in names)
    return tuple((name, lines[name]) for name in author if name in lines)
