"""Whether the serving engine can carry a pack: its own limits, tried before a node meets them.

llguidance gives each step of its lexer a ration of fuel (a million units to build a grammar,
200,000 for a mask). A table of forbidden terms that needs more fails when a node builds the
grammar, or in the middle of a claim at the token after a term. Both are tried here with a
vocabulary of every Chinese character and less fuel than a node has, because real vocabularies have
words as well. With the served one, building took 1.7 to 2.5 times as much for tables at this limit:
453,000 units for the 121 terms of cn-claims, 649,000 for 200, 1,018,000 for 420; 777,000 for 2,000
terms without contexts. What a table has beyond the limit is left to the linter (`carried`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from llguidance import LLMatcher, LLParserLimits, LLTokenizer
from llguidance._tokenizer import TokenizerWrapper

from .errors import Problem
from .lower import Lowered
from .terms import Term


@dataclass(frozen=True)
class Limits:
    """Fuel for building a grammar and for one mask; from how many contexts on a term is tried."""

    build: int = 380_000
    step: int = 160_000
    contexts_tried: int = 16


LIMITS = Limits()


class _Characters:
    """A vocabulary of all bytes and all common Chinese characters."""

    def __init__(self) -> None:
        characters = (chr(code).encode() for code in range(0x4E00, 0xA000))
        self.tokens = [*(bytes([byte]) for byte in range(256)), *characters, b"</s>"]
        self.eos_token_id = len(self.tokens) - 1
        self.bos_token_id = None
        self.special_token_ids = [self.eos_token_id]

    def __call__(self, text: bytes) -> list[int]:
        return list(text)


@cache
def _tokenizer() -> LLTokenizer:
    return LLTokenizer(TokenizerWrapper(_Characters()))


def carried(terms: Sequence[Term], lowered_with: Callable[[int], Lowered], guarded: str) -> int:
    """How many of the terms, from the first on, the engine can carry in a terminal; found by
    halves, so that a table of 2,000 takes some ten tries of a tenth of a second."""
    low, high = 0, len(terms)
    while low < high:
        middle = (low + high + 1) // 2
        if _start(_grammar(lowered_with(middle), guarded)).is_error():
            high = middle - 1
        else:
            low = middle
    return low


def _grammar(lowered: Lowered, name: str) -> str:
    lines = "\n".join(lowered.terminals.values())
    return f'start: TRIED__\nTRIED__: {name} "。"\n{lines}\n'


def fits(lowered: Lowered, guarded: Sequence[str]) -> bool:
    """Whether the table of forbidden terms as a whole can be built."""
    return not any(_start(_grammar(lowered, name)).is_error() for name in guarded)


def strain(lowered: Lowered, guarded: Sequence[str], terms: Sequence[Term]) -> Iterator[Problem]:
    """A problem for each terminal under the table of terms that the engine could not carry."""
    for name in guarded:
        grammar = _grammar(lowered, name)
        if _start(grammar).is_error():
            yield _problem(
                name,
                f"“{name}”在没有禁用词语时就超出了引擎的限度。",
                f"“{name}” is more than the engine can carry, without any forbidden terms.",
            )
            continue
        for term in terms:
            if len(term.contexts) >= LIMITS.contexts_tried and not _bears(grammar, term):
                yield _problem(
                    term.text,
                    f"“{term.text}”的允许语境超出了引擎的限度。",
                    f"“{term.text}” has more contexts than the engine can carry.",
                )


def _start(grammar: str) -> LLMatcher:
    limits = LLParserLimits(initial_lexer_fuel=LIMITS.build, step_lexer_fuel=LIMITS.step)
    text = LLMatcher.grammar_from_lark(grammar)
    return LLMatcher(_tokenizer(), text, log_level=0, limits=limits)


def _bears(grammar: str, term: Term) -> bool:
    """Whether the mask after the term can be computed; cold, as at the first such place."""
    running = _start(grammar)
    running.try_consume_tokens(list(f"甲{term.text}".encode()))
    running.compute_bitmask()
    return not running.is_error()


def _problem(excerpt: str, zh: str, en: str) -> Problem:
    return Problem(
        code="engine-limit",
        line=0,
        column=0,
        excerpt=excerpt,
        message_zh=zh,
        message_en=en,
        hint_zh="请减少词语或语境，或把只供检查的词语换到语法不强制的规则下。",
        hint_en="Use fewer terms or contexts, or move terms to a rule that only the linter checks.",
    )
