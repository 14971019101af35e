"""Stage 5: every example of a pack, judged twice.

1. The serving engine's matcher says accepted, refused at a character, or valid but incomplete.
2. An Earley parse with lark says whether the text belongs to the grammar (earley.py).
3. Where the engine says that a text is lawful up to a place, it must be possible to finish it from
   there: what the engine is led to write is given to lark as well.

A text on which the two differ is an error of the compiler, not of the author, and blocks
publishing.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Literal

from .compiled import CompiledPack
from .earley import Earley
from .errors import StateError
from .state import state_from
from .verdict import GrammarError, Judge, Verdict, possible

Outcome = Literal[
    "as-stated", "now-refused", "wrong-verdict", "loosened", "no-state", "disagreement"
]
"""now-refused: a text that a base accepts and this pack's house rules do not, which is no failure.
loosened: a text that a base refuses and this pack accepts. no-state: the state admits no text."""

PASSED = ("as-stated", "now-refused")

WANTED = 100
"""Examples of each kind, accepted and not accepted, that a pack needs before it is published."""


@dataclass(frozen=True)
class Checked:
    """One example. `number` counts from 1 in the order of the document; `reason` is a sentence for
    the outcomes disagreement and no-state."""

    number: int
    text: str
    stated: str
    found: Verdict | None
    outcome: Outcome
    rule: str = ""
    reason: str = ""

    @property
    def failed(self) -> bool:
        return self.outcome not in PASSED

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "failed": self.failed}


@dataclass(frozen=True)
class Verification:
    checked: tuple[Checked, ...]
    seconds: float

    @property
    def failures(self) -> tuple[Checked, ...]:
        return tuple(one for one in self.checked if one.failed)

    @property
    def positives(self) -> int:
        return sum(one.stated == "accepted" and not one.failed for one in self.checked)

    @property
    def negatives(self) -> int:
        return sum(one.stated != "accepted" and not one.failed for one in self.checked)

    @property
    def enough(self) -> bool:
        return min(self.positives, self.negatives) >= WANTED


def verify(
    pack: CompiledPack,
    examples: Sequence[Mapping[str, Any]] | None = None,
    *,
    second_opinion: bool = True,
    stopped: Callable[[], bool] = lambda: False,
) -> Verification:
    """Judge every example of the pack, or those given in their place; without the second opinion by
    the engine alone, which is a hundred times as fast. Leaves off where `stopped` says so, between
    two examples."""
    start = time.perf_counter()
    judges: dict[str, _Judges] = {}
    checked = []
    judged = pack.document.get("examples", ()) if examples is None else examples
    for number, example in enumerate(judged, 1):
        if stopped():
            break
        checked.append(_check(pack, number, example, judges, second_opinion))
    return Verification(tuple(checked), time.perf_counter() - start)


class _Judges:
    """Both judges of one grammar."""

    def __init__(self, pack: CompiledPack, grammar: str) -> None:
        self.pack, self.grammar = pack, grammar
        self.engine = Judge(grammar)
        self._earley: Earley | None = None

    @property
    def earley(self) -> Earley:
        if self._earley is None:
            self._earley = Earley(self.pack, self.grammar)
        return self._earley


def _check(
    pack: CompiledPack,
    number: int,
    example: Mapping[str, Any],
    judges: dict[str, _Judges],
    second_opinion: bool,
) -> Checked:
    text, stated, rule = example["text"], example["verdict"], example.get("rule", "")
    try:
        grammar = pack.instantiate(state_from(pack.kind, example["state"]))
        if grammar not in judges:
            judges[grammar] = _Judges(pack, grammar)
        judge = judges[grammar]
        found = judge.engine(text)
    except (StateError, GrammarError) as error:
        return Checked(number, text, stated, None, "no-state", rule, str(error))
    reason = next(_disagreements(judge, text, found), "") if second_opinion else ""
    outcome: Outcome = "disagreement" if reason else outcome_of(example, found)
    return Checked(number, text, stated, found, outcome, rule, reason)


def outcome_of(example: Mapping[str, Any], found: Verdict) -> Outcome:
    """What the verdict means for the example. House rules may refuse what their base accepts."""
    stated = example["verdict"]
    if found.kind == stated:
        return "as-stated"
    if not example.get("inherited"):
        return "wrong-verdict"
    if "accepted" not in (stated, found.kind):
        return "as-stated"
    return "now-refused" if stated == "accepted" else "loosened"


def _disagreements(judge: _Judges, text: str, found: Verdict) -> Iterator[str]:
    accepted = judge.earley.accepts(text)
    if accepted != (found.kind == "accepted"):
        yield (
            f"The engine says {found.kind}, lark says refused."
            if not accepted
            else f"The engine says {found.kind}, lark says accepted: does a longer terminal begin "
            "where a shorter one should end? The engine never goes back."
        )
    if found.kind != "accepted":
        lawful = text[: found.position]
        finished = finish(judge, lawful)
        if finished is not None and not judge.earley.accepts(finished):
            yield f"The engine finishes “{lawful}” as “{finished}”, which lark refuses."


def finish(judge: _Judges, lawful: str, attempts: int = 4, steps: int = 150) -> str | None:
    """The lawful beginning with what the engine can be led to write behind it, as short as a few
    tries find; None where they find no end."""
    for attempt in range(attempts):
        chance = Random(attempt)  # noqa: S311 - no secret depends on it
        running = judge.engine.start.deep_copy()
        running.consume_tokens(list(lawful.encode()))
        text = lawful
        for _ in range(steps):
            if running.is_accepting():
                return text
            choices = possible(running, judge.grammar)
            if not choices:
                return None
            closing = [choice for choice in choices if choice in "。."]
            choice = chance.choice(closing or choices)
            running.consume_tokens(list(choice.encode()))
            text += choice
    return None
