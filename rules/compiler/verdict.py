"""What the serving engine says about a text under a claim's grammar, without a model.

Judging runs llguidance's own matcher over single bytes, so a text is accepted here exactly when a
node accepts it, however its tokenizer splits it.
"""

import re
from dataclasses import dataclass
from typing import Literal

from llguidance import LLMatcher

from .compiled import CompiledPack
from .language import byte_tokenizer
from .state import State

Kind = Literal["accepted", "refused", "incomplete"]


@dataclass(frozen=True)
class Verdict:
    """`position` is the character at which a refused text leaves the language, else None."""

    kind: Kind
    position: int | None = None


@dataclass(frozen=True)
class Explanation:
    """Where a text leaves the language and which characters could stand there instead.

    `allowed` are the characters of `PROBES` that may stand at the place, so a place where nearly
    anything may stand shows many of them. It is empty for accepted texts.
    """

    verdict: Verdict
    allowed: tuple[str, ...] = ()


PROBES = tuple("，。：；、所的中其权根如按或至任一种包由在0123456789（)）")
"""What is tried at the place of a refusal, beside the characters that the grammar spells out."""


class GrammarError(Exception):
    """llguidance cannot build this grammar; the message is its own."""

    code = "engine-refused"


def matcher(grammar: str) -> LLMatcher:
    """A matcher over bytes at the start of the grammar. Raises GrammarError."""
    built = LLMatcher(byte_tokenizer(), LLMatcher.grammar_from_lark(grammar), log_level=0)
    if built.is_error():
        raise GrammarError(built.get_error())
    return built


def judge(grammar: str, text: str) -> Verdict:
    """Raises GrammarError when the grammar cannot be built."""
    return judge_from(matcher(grammar), text)


class Judge:
    """Judges many texts of one grammar, which is built when the first one comes.

    Each call raises GrammarError when the grammar cannot be built.
    """

    def __init__(self, grammar: str) -> None:
        self._grammar = grammar
        self._start: LLMatcher | None = None

    @property
    def start(self) -> LLMatcher:
        """The matcher before the first character. Copy it before it takes anything."""
        if self._start is None:
            self._start = matcher(self._grammar)
        return self._start

    def __call__(self, text: str) -> Verdict:
        used = self._start is not None
        try:
            return judge_from(self.start, text)
        except GrammarError:
            if not used:
                raise
            # What the engine keeps for all texts is full: begun anew, it takes this one.
            self._start = None
            return judge_from(self.start, text)


def judge_from(start: LLMatcher, text: str) -> Verdict:
    """Judge with a matcher at its start, which is left as it was.

    Copies share what the engine has worked out so far, up to a limit of its own. Raises
    GrammarError when that is reached; Judge takes a fresh matcher then.
    """
    running = start.deep_copy()
    data = text.encode()
    taken = running.try_consume_tokens(list(data))
    if running.is_error():
        raise GrammarError(running.get_error())
    if taken < len(data):
        return Verdict("refused", len(data[:taken].decode(errors="ignore")))
    return Verdict("accepted" if running.is_accepting() else "incomplete")


def possible(running: LLMatcher, grammar: str) -> tuple[str, ...]:
    """Which of PROBES and of the characters that the grammar spells out may stand next."""
    spelled = re.findall(r'"([^"\\])"', grammar)
    return tuple(
        character
        for character in dict.fromkeys((*PROBES, *spelled))
        if running.validate_tokens(list(character.encode())) == len(character.encode())
    )


def explain(pack: CompiledPack, state: State, text: str) -> Explanation:
    """Where the state's grammar refuses the text and what could stand there instead.

    Raises StateError when the state admits no text, GrammarError as judge does.
    """
    grammar = pack.instantiate(state)
    start = matcher(grammar)
    verdict = judge_from(start, text)
    if verdict.kind == "accepted":
        return Explanation(verdict)
    place = start.deep_copy()
    place.consume_tokens(list(text[: verdict.position].encode()))
    return Explanation(verdict, possible(place, grammar))
