"""The table of forbidden terms as one regular language.

A text breaches a term where the term occurs and no occurrence of one of the term's contexts covers
it. For a term t with contexts p·t·s a breach is x·t·y where no context has both its p at the end of
x and its s at the start of y. Contexts with only a prefix restrict x alone, those with only a suffix
restrict y alone. A context with both ties x to y; such contexts are split by the longest of their
prefixes that x ends with, so that each part of the union again restricts x and y independently.
The result has one small part per term and prefix, never one per subset of contexts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

ANYTHING = "ANYTHING"
_NUMERAL = "0-9０-９零〇一二两三四五六七八九十百千万亿半"
NUMBER_AFTER = f"(为|是|等于)?[{_NUMERAL}几数]"
"""What right after a term counts as a number, as a regular expression."""
NUMBER_BEFORE = f"([{_NUMERAL}%％‰℃°A-Za-zμΩ㎡]|[米克秒天倍度升帕伏瓦安欧]|分钟|小时|赫兹)"
"""What right before a term counts as a number or its unit."""
_SPECIAL = frozenset("\\^$.|?*+()[]{}/-&~\"'#")


@dataclass(frozen=True)
class Term:
    """`allowed_in` are longer texts that contain the term. `near` narrows the breach to the term
    right before a number ("number_after") or right after one or its unit ("number_before")."""

    text: str
    allowed_in: tuple[str, ...] = ()
    near: str = ""

    def surroundings(self) -> tuple[tuple[str, str], ...]:
        """What stands before and after the term in each of its contexts, once per occurrence."""
        pairs = []
        for context in self.allowed_in:
            start = context.find(self.text)
            while start >= 0:
                pairs.append((context[:start], context[start + len(self.text) :]))
                start = context.find(self.text, start + 1)
        return tuple(dict.fromkeys(pairs))


def breaches(terms: Sequence[Term]) -> list[str]:
    """Terminal expressions in llguidance's Lark; together they match the texts with a breach.

    They are meant to be excluded one by one (`& ~A & ~B`): as soon as one of them has matched for
    good, the intersection is empty at sight. As one union the engine would have to search for what
    the other parts could still contribute, which exhausts its fuel.
    """
    bare = [term.text for term in terms if not term.surroundings() and not term.near]
    parts = [f"{ANYTHING} /{_any_of(bare)}/ {ANYTHING}"] if bare else []
    for term in terms:
        if term.surroundings() or term.near:
            parts.extend(_breaches_of(term))
    return parts


def _breaches_of(term: Term) -> list[str]:
    pairs = term.surroundings()
    before = sorted({prefix for prefix, suffix in pairs if prefix and not suffix})
    after = sorted({suffix for prefix, suffix in pairs if suffix and not prefix})
    tied = [
        (prefix, suffix)
        for prefix, suffix in pairs
        if prefix and suffix and not prefix.endswith(tuple(before)) and not _starts(suffix, after)
    ]
    parts = [_part(term, "", sorted({prefix for prefix, _ in tied} | set(before)), after)]
    for prefix in sorted({prefix for prefix, _ in tied}):
        longer = {other for other, _ in tied if other != prefix and other.endswith(prefix)}
        suffixes = {suffix for other, suffix in tied if prefix.endswith(other)}
        parts.append(
            _part(term, prefix, sorted(longer | set(before)), sorted(suffixes | set(after)))
        )
    return parts


def _part(term: Term, ending: str, not_before: list[str], not_after: list[str]) -> str:
    """x·term·y where x ends with `ending` but with none of `not_before`, and y starts with none of
    `not_after`; with a number where the term asks for one."""
    left, right = [], []
    if ending:
        left.append(f"({ANYTHING} /{_escape(ending)}/)")
    if not_before:
        left.append(f"~({ANYTHING} /{_any_of(not_before)}/)")
    if not_after:
        right.append(f"~(/{_any_of(not_after)}/ {ANYTHING})")
    if term.near == "number_before":
        left.append(f"({ANYTHING} /{NUMBER_BEFORE}/)")
    if term.near == "number_after":
        right.append(f"(/{NUMBER_AFTER}/ {ANYTHING})")
    return (
        f"({' & '.join(left) or ANYTHING}) /{_escape(term.text)}/ "
        f"({' & '.join(right) or ANYTHING})"
    )


def _starts(text: str, prefixes: Iterable[str]) -> bool:
    return text.startswith(tuple(prefixes))


def _any_of(texts: Sequence[str]) -> str:
    return "(" + "|".join(_escape(text) for text in texts) + ")"


def _escape(text: str) -> str:
    return "".join(f"\\{character}" if character in _SPECIAL else character for character in text)
