"""Whether the serving engine can carry a pack: its own limits, tried before a node meets them.

llguidance gives each step of its lexer a ration of fuel (a million units to build a grammar,
200,000 for a mask). A table of forbidden terms that needs more fails when a node builds the
grammar, or in the middle of a claim at the token after a term. Both are tried here with a
vocabulary of every Chinese character and of the terms themselves, the worst that a model's may be
for this table: with the served vocabulary, tables of 121 to 1,500 terms took 0.55 to 0.89 times as
much. So some 600 terms fit without contexts, some 250 beside the contexts of cn-claims; what a
table has beyond that is left to the linter (`carried`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from llguidance import LLMatcher, LLParserLimits, LLTokenizer
from llguidance._tokenizer import TokenizerWrapper

from .errors import Problem
from .lower import Lowered
from .terms import Term


@dataclass(frozen=True)
class Limits:
    """Fuel for building a grammar and for one mask; from how many contexts on a term is tried."""

    build: int = 1_000_000
    step: int = 200_000
    contexts_tried: int = 16


LIMITS = Limits()


class _Characters:
    """A vocabulary of all bytes, all common Chinese characters, and some words."""

    def __init__(self, words: Iterable[str]) -> None:
        characters = (chr(code).encode() for code in range(0x4E00, 0xA000))
        longer = (word.encode() for word in dict.fromkeys(words) if len(word) > 1)
        self.tokens = [*(bytes([byte]) for byte in range(256)), *characters, *longer, b"</s>"]
        self.eos_token_id = len(self.tokens) - 1
        self.bos_token_id = None
        self.special_token_ids = [self.eos_token_id]

    def __call__(self, text: bytes) -> list[int]:
        return list(text)


@lru_cache(maxsize=4)
def _tokenizer(words: tuple[str, ...]) -> LLTokenizer:
    return LLTokenizer(TokenizerWrapper(_Characters(words)))


Lowering = Callable[[Sequence[Term]], Lowered]
"""Lowers the grammar with a table of these terms."""


def carries(lowered: Lowered, guarded: Sequence[str], terms: Sequence[Term]) -> bool:
    """Whether the engine can build the terminals under the table, and go on behind each term that
    has many contexts."""
    rich = [term for term in terms if len(term.contexts) >= LIMITS.contexts_tried]
    grammars = [_grammar(lowered, name) for name in guarded]
    tokenizer = _tokenizer(tuple(term.text for term in terms))
    return not any(_start(tokenizer, grammar).is_error() for grammar in grammars) and all(
        _bears(tokenizer, grammar, term) for grammar in grammars for term in rich
    )


def carried(lowering: Lowering, guarded: Sequence[str], terms: Sequence[Term]) -> int:
    """How many of the terms, from the first on, the engine can carry; found by halves, so that a
    table of 2,000 takes some ten tries of a few tenths of a second."""
    low, high = 0, len(terms)
    while low < high:
        middle = (low + high + 1) // 2
        if carries(lowering(terms[:middle]), guarded, terms[:middle]):
            low = middle
        else:
            high = middle - 1
    return low


def strain(lowering: Lowering, guarded: Sequence[str], terms: Sequence[Term]) -> Iterator[Problem]:
    """A problem for each terminal that the engine cannot carry even without a table, and for each
    term that it cannot carry alone."""
    bare = lowering(())
    for name in guarded:
        if not carries(bare, (name,), ()):
            yield _problem(
                name,
                f"“{name}”在没有禁用词语时就超出了引擎的限度。",
                f"“{name}” is more than the engine can carry, without any forbidden terms.",
            )
            return
    for term in terms:
        if len(term.contexts) < LIMITS.contexts_tried:
            continue
        if not carries(lowering((term,)), guarded, (term,)):
            yield _problem(
                term.text,
                f"“{term.text}”的允许语境超出了引擎的限度。",
                f"“{term.text}” has more contexts than the engine can carry.",
            )


def _grammar(lowered: Lowered, name: str) -> str:
    lines = "\n".join(lowered.terminals.values())
    return f'start: TRIED__\nTRIED__: {name} "。"\n{lines}\n'


def _start(tokenizer: LLTokenizer, grammar: str) -> LLMatcher:
    limits = LLParserLimits(initial_lexer_fuel=LIMITS.build, step_lexer_fuel=LIMITS.step)
    text = LLMatcher.grammar_from_lark(grammar)
    return LLMatcher(tokenizer, text, log_level=0, limits=limits)


def _bears(tokenizer: LLTokenizer, grammar: str, term: Term) -> bool:
    """Whether the mask after the term can be computed; cold, as at the first such place."""
    running = _start(tokenizer, grammar)
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
