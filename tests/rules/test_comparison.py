"""Many texts judged together are judged as each is alone."""

import json
from itertools import islice
from typing import Any

import pytest

from inference.models.corpus import TRAIN_FILE
from rules.claimstates import normalised, states
from rules.comparison import compare, verdicts
from rules.compiler import CitableClaim, ClaimState, State, StateError, compile_pack
from rules.compiler.verdict import judge
from rules.linter import Claim
from rules.packs import load_builtin
from rules.together import Brancher
from tests.rules.compiler.grammars import pack

FIRST = ClaimState(1, "independent", "支架")
SECOND = ClaimState(2, "dependent", "支架", (CitableClaim(1, "支架"),))
# One cited subject ends with the other, one claim is itself multiple, one names a use.
MIXED = (
    CitableClaim(1, "支架"),
    CitableClaim(2, "折叠支架", multiple=True),
    CitableClaim(3, "支架的应用"),
)
TEXTS: list[tuple[State, str]] = [
    (FIRST, "一种支架，包括底座。"),
    (FIRST, "一种支架，包括底座"),
    (FIRST, "一种支柱，包括底座。"),
    (SECOND, "权利要求1所述的支架，包括底座。"),
    (SECOND, "权利要求2所述的支架，包括底座。"),
    (ClaimState(4, "dependent", "支架", MIXED), "权利要求2所述的折叠支架，包括底座。"),
    (ClaimState(4, "dependent", "支架", MIXED), "权利要求2所述的支架，包括底座。"),
    (ClaimState(4, "dependent", "支架的应用", MIXED), "权利要求3所述的支架的应用，包括底座。"),
    (ClaimState(2, "dependent", "支架"), "权利要求1所述的支架，包括底座。"),
]


def alone(document: dict[str, Any], texts: list[tuple[State, str]]) -> list[bool]:
    compiled = compile_pack(document)
    found = []
    for state, text in texts:
        try:
            found.append(judge(compiled.instantiate(state), text).kind == "accepted")
        except StateError:
            found.append(False)
    return found


def stored(sets: int) -> list[tuple[State, str]]:
    found: list[tuple[State, str]] = []
    with TRAIN_FILE.open(encoding="utf-8") as lines:
        for line in islice(lines, 0, None, 400 // sets):
            claims = json.loads(line)["claims"]
            known = [Claim(claim["number"], normalised(claim["text"])) for claim in claims]
            found += [(state, claim.text) for claim, state in states(known)][:12]
    return found


def test_small_texts_together_as_alone() -> None:
    together = verdicts(Brancher(compile_pack(pack())), TEXTS)
    assert together == alone(pack(), TEXTS)
    assert together == [True, False, False, True, False, True, False, True, False]


def test_real_claims_together_as_alone() -> None:
    document = load_builtin("cn-claims")
    texts = stored(8)
    together = verdicts(Brancher(compile_pack(document)), texts)
    assert together == alone(document, texts)
    assert 0 < sum(together) < len(together)


@pytest.mark.parametrize("processes", [1, 2])
def test_a_change_names_the_texts_that_it_changes(processes: int) -> None:
    stricter = pack(forbidden=({"term": "底座"},))
    seen: list[int] = []
    forth = compare(pack(), stricter, TEXTS, processes=processes, progress=seen.append)
    assert (forth.newly_refused, forth.newly_accepted) == ((0, 3, 5, 7), ())
    assert (forth.done, forth.accepted, forth.stopped) == (len(TEXTS), 4, False)
    assert seen == [len(TEXTS)]
    back = compare(stricter, pack(), TEXTS, processes=processes)
    assert (back.newly_refused, back.newly_accepted) == ((), (0, 3, 5, 7))


def test_it_stops_when_asked_to() -> None:
    many = TEXTS * 300
    stopped = compare(pack(), pack(), many, processes=1, stop=lambda: True)
    assert stopped.stopped
    assert 0 < stopped.done < len(many)
