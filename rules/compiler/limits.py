"""How large a pack may be. Each bound is far above what any office's rules need and far below what
would keep the compiler or a node busy: a pack over one of them is refused before work is done."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Characters: grammar, literal, pattern. nesting: brackets within brackets, in rules and in
    patterns. definitions: rules and terminals. repetition: the largest count in {…}. terminal_size:
    characters and classes of a terminal when all that it names and counts is written out.
    rule_size: the same for the parts of one rule. unrolled: rules after recursion is unrolled.
    guarded_repetition: the largest count over Chinese text in a terminal under %forbidden, where
    the table has more than guarded_terms terms. run: how often a character stands in a row before
    that counts as without end."""

    grammar: int = 200_000
    literal: int = 500
    pattern: int = 5_000
    nesting: int = 40
    definitions: int = 2_000
    repetition: int = 1_000
    terminal_size: int = 20_000
    rule_size: int = 5_000
    unrolled: int = 5_000
    guarded_repetition: int = 40
    guarded_terms: int = 100
    run: int = 1_000


LIMITS = Limits()
