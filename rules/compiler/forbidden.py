"""The table of forbidden terms as conditions on a terminal, in llguidance's Lark.

The engine works through a terminal's conditions for every byte of every token that a mask looks at,
so there must be few of them: one for all plain terms, one per group (terms.py), and one for each
term that fits no group.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .terms import NUMBER, Term, TermGroup, grouped, trimmed

ANYTHING = "ANYTHING"
"""The terminal for any bytes at all. `(?s:.*)` would be any *characters*: its complement is not
empty at sight (there is invalid UTF-8 in it), and the engine would search until its fuel is
gone."""
ANYTHING_LINE = f"{ANYTHING}: ~/[a&&b]/"

_SPECIAL = frozenset("\\^$.|?*+()[]{}/-&~\"'#")


@dataclass(frozen=True)
class Conditions:
    """`lines` are terminal definitions by name; a text without a breach obeys every conjunct."""

    lines: dict[str, str]
    conjuncts: tuple[str, ...]


def conditions(terms: Sequence[Term]) -> Conditions:
    """The conditions under which a text holds no breach of the terms."""
    terms = [trimmed(term) for term in terms]
    lines: dict[str, str] = {}
    conjuncts: list[str] = []
    words = [term for term in terms if term.whole_word]
    if words:
        lines["WORDS__"] = f"({ANYTHING} /[^A-Za-z]/)? ({_whole_words(words)})"
        conjuncts.append("~WORDS__")
    terms = [term for term in terms if not term.whole_word]
    plain = [term for term in terms if not term.leading]
    if plain:
        lines["PLAIN__"] = f"{ANYTHING} ({_hits(plain)})"
        conjuncts.append("~PLAIN__")
    groups, alone = grouped([term for term in terms if term.leading])
    for index, group in enumerate(groups):
        lines |= _group_lines(group, index)
        conjuncts.append(f"LAWFUL__{index}")
    for index, term in enumerate(alone):
        lines[f"BREACH__{index}"] = " | ".join(breaches_of(term))
        conjuncts.append(f"~BREACH__{index}")
    return Conditions({name: f"{name}: {text}" for name, text in lines.items()}, tuple(conjuncts))


def _group_lines(group: TermGroup, index: int) -> dict[str, str]:
    return {
        f"GAP__{index}": f"~({ANYTHING} ({_words(group.terms)}))",
        f"LAWFUL__{index}": f"GAP__{index} ({_any_of(group.contexts())} GAP__{index})*",
    }


def _whole_words(terms: Sequence[Term]) -> str:
    behind = f"((/[^A-Za-z]/ {ANYTHING})?"
    bare = [term.text for term in terms if not term.following and not term.before_number]
    hits = [f"{_any_of(bare, '(?i)')} {behind})"] if bare else []
    hits += [
        f"{_any_of([term.text], '(?i)')} {behind} & {_behind(term, term.following)})"
        for term in terms
        if term.following or term.before_number
    ]
    return " | ".join(hits)


def _words(terms: Sequence[Term]) -> str:
    return " | ".join(f"{_any_of([term.text])} ({_behind(term, ())})" for term in terms)


def _hits(terms: Sequence[Term]) -> str:
    """The terms, each with whatever follows as long as that does not make it lawful."""
    bare = [term.text for term in terms if not term.following and not term.before_number]
    hits = [f"{_any_of(bare)} {ANYTHING}"] if bare else []
    hits += [
        f"{_any_of([term.text])} ({_behind(term, term.following)})"
        for term in terms
        if term.following or term.before_number
    ]
    return " | ".join(hits)


def _behind(term: Term, allowing: Iterable[str]) -> str:
    parts = []
    if allowing:
        parts.append(f"~({_any_of(allowing)} {ANYTHING})")
    if term.before_number:
        parts.append(f"(/{' ?' if term.whole_word else ''}{NUMBER}/ {ANYTHING})")
    return " & ".join(parts) or ANYTHING


def breaches_of(term: Term) -> list[str]:
    """Terminal expressions whose union is the texts that hold a breach of the term.

    For contexts p·t·s a breach is x·t·y where no context has both its p at the end of x and its s
    at the start of y. Contexts with only a prefix restrict x alone, those with only a suffix
    restrict y alone. A context with both ties x to y; such contexts are split by the longest of
    their prefixes that x ends with, so that each part again restricts x and y independently: one
    small part per prefix, never one per subset of contexts.
    """
    before = {prefix for prefix, suffix in term.surroundings if not suffix}
    tied = [(prefix, suffix) for prefix, suffix in term.surroundings if prefix and suffix]
    prefixes = {prefix for prefix, _ in tied}
    parts = [_part(term, "", prefixes | before, set(term.following))]
    for ending in sorted(prefixes):
        longer = {prefix for prefix in prefixes if prefix != ending and prefix.endswith(ending)}
        suffixes = {suffix for prefix, suffix in tied if ending.endswith(prefix)}
        parts.append(_part(term, ending, longer | before, suffixes | set(term.following)))
    return parts


def _part(term: Term, ending: str, not_before: set[str], not_behind: set[str]) -> str:
    """x·term·y where x ends with `ending` but with none of `not_before`, and y starts with none of
    `not_behind`, and with a number if only that makes it a breach."""
    left = [f"({ANYTHING} {_any_of([ending])})"] if ending else []
    if not_before:
        left.append(f"~({ANYTHING} {_any_of(not_before)})")
    return f"({' & '.join(left) or ANYTHING}) {_any_of([term.text])} ({_behind(term, not_behind)})"


def _any_of(texts: Iterable[str], flags: str = "") -> str:
    return f"/{flags}(" + "|".join(escaped(text) for text in sorted(texts)) + ")/"


def escaped(text: str) -> str:
    return "".join(f"\\{character}" if character in _SPECIAL else character for character in text)
