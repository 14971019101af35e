"""The table of forbidden terms: when an occurrence is a breach, and which terms share a condition.

An occurrence of a term is a breach unless it lies inside an occurrence of one of its contexts. For
a term t with a context p·t·s that means: p stands before it and s behind it.

What follows a term is easy for the engine to ask about, what stands before it is not: the engine
reads forward, and remembering a p makes a state of its own. So contexts with an empty p (高温 in
高温合金) are a condition at the term itself, and terms that have no others ("plain") share one
condition. Terms with contexts that lead (强 in 增强) are put into groups; for a group "no breach"
is the language gap (context gap)*, where a gap holds no term of the group unless its own following
text allows it. That never lets a breach through as long as
* every occurrence of a term of the group inside a context of the group is allowed there, and
* no term can lie partly in a context and partly outside it,
which `compatible` checks. Where contexts must overlap to cover what they share (厚片 and 片厚 in
厚片厚), their merger becomes a context too. Three in a row that must all overlap are refused: that
errs on the safe side, and no real text was seen to do it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

NUMBER = r"[为是在等于有]{0,2}([+\-±]?[0-9.]|[φΦ∅]|[零一二两三四五六七八九十百千万半数几])"
"""What right after a term counts as a number, as a regular expression."""


@dataclass(frozen=True)
class Term:
    """`contexts` are longer texts that contain the term and in which it is lawful.
    `before_number`: the term is a breach only right before a number. `whole_word`: only between
    other than Latin letters, in small or capital ones; of its contexts those count that begin with
    the term."""

    text: str
    contexts: tuple[str, ...] = ()
    before_number: bool = False
    whole_word: bool = False

    @cached_property
    def surroundings(self) -> tuple[tuple[str, str], ...]:
        """What stands before and behind the term in each of its contexts, once per occurrence."""
        pairs = (
            (context[:start], context[start + len(self.text) :])
            for context in self.contexts
            for start in occurrences(context, self.text)
        )
        return tuple(dict.fromkeys(pairs))

    @cached_property
    def following(self) -> tuple[str, ...]:
        """What may follow the term to make it lawful, whatever stands before it."""
        return tuple(behind for before, behind in self.surroundings if not before)

    @cached_property
    def leading(self) -> tuple[str, ...]:
        """The contexts that need something before the term."""
        return tuple(before + self.text + behind for before, behind in self.surroundings if before)

    def allowed_at(self, text: str, start: int) -> bool:
        """Whether the occurrence of the term that starts at `start` is lawful."""
        end = start + len(self.text)
        if self.before_number and not _NUMBER.match(text, end):
            return True
        return any(
            text.endswith(before, 0, start) and text.startswith(behind, end)
            for before, behind in self.surroundings
        )

    def hits(self, gap: str) -> bool:
        """Whether the term occurs in the gap, with a number behind it if it needs one."""
        ends = (start + len(self.text) for start in occurrences(gap, self.text))
        return any(not self.before_number or _NUMBER.match(gap, end) is not None for end in ends)

    def breached_in(self, text: str) -> bool:
        return any(not self.allowed_at(text, start) for start in occurrences(text, self.text))


_NUMBER = re.compile(NUMBER)

LONGEST_MERGER = 4
"""Characters of a merged context. Longer ones are refused, like three overlapping contexts: each
costs states in the engine, and none was seen in real claims."""


@dataclass
class TermGroup:
    """Terms that share one gap-and-context language."""

    terms: list[Term] = field(default_factory=list)

    def contexts(self) -> tuple[str, ...]:
        """The contexts of the group, with the mergers of contexts that must overlap."""
        single = {context for term in self.terms for context in term.contexts}
        starting: dict[str, list[str]] = {}
        for context in sorted(single):
            starting.setdefault(context[0], []).append(context)
        merged = {
            left + right[shared:]
            for left in single
            for shared in range(1, len(left))
            for right in starting.get(left[-shared], ())
            if shared < len(right) <= LONGEST_MERGER - len(left) + shared
            and left.endswith(right[:shared])
        }
        needed = (text for text in merged if not self._divides(text, starting))
        return tuple(sorted({*single, *needed}))

    def _divides(self, text: str, starting: dict[str, list[str]]) -> bool:
        """Whether the text is gap (context gap)*; contexts are given by their first character."""
        present = [term for term in self.terms if term.text in text]
        reached = [False] * (len(text) + 1)
        reached[0] = True
        for start in (place for place in range(len(text) + 1) if reached[place]):
            for end in range(start, len(text) + 1):
                if any(term.hits(text[start:end]) for term in present):
                    continue
                if end == len(text):
                    return True
                for context in starting.get(text[end], ()):
                    if text.startswith(context, end):
                        reached[end + len(context)] = True
        return reached[len(text)]


def occurrences(text: str, part: str) -> Iterator[int]:
    """Where `part` stands in `text`, overlapping ones included."""
    start = text.find(part)
    while start >= 0:
        yield start
        start = text.find(part, start + 1)


def trimmed(term: Term) -> Term:
    """The term without contexts that add nothing to a shorter one (等离 makes 等离子 superfluous);
    the others keep their order."""
    kept: list[str] = []
    for context in sorted(term.contexts, key=len):
        if Term(term.text, tuple(kept)).breached_in(context):
            kept.append(context)
    order = {context: place for place, context in reversed(list(enumerate(term.contexts)))}
    return replace(term, contexts=tuple(sorted(kept, key=order.__getitem__)))


def grouped(terms: Sequence[Term]) -> tuple[list[TermGroup], list[Term]]:
    """Groups for terms with leading contexts, as few as a greedy search finds, and the terms that
    fit into no group, not even alone."""
    groups: list[TermGroup] = []
    alone: list[Term] = []
    for term in sorted(terms, key=lambda term: -len(term.leading)):
        if not compatible(term, term):
            alone.append(term)
            continue
        for group in groups:
            if all(compatible(term, other) for other in group.terms):
                group.terms.append(term)
                break
        else:
            groups.append(TermGroup([term]))
    return groups, alone


def compatible(one: Term, other: Term) -> bool:
    """Whether the two terms can stand in one group."""
    contexts = {*one.contexts, *other.contexts}
    return not any(
        _straddles(term, context) or term.breached_in(context)
        for term in (one, other)
        for context in contexts
    )


def _straddles(term: Term, context: str) -> bool:
    """Whether the term, with the number it may wait for, can lie partly in the context."""
    word = term.text
    if context in word or (term.before_number and _NUMBER.match(context)):
        return True
    return any(
        context.endswith(word[:cut]) or context.startswith(word[cut:])
        for cut in range(1, len(word))
    )
