"""How fast a change of a pack is tried on many texts.

The texts are the claims of the stored corpus, over and over until there are enough; each keeps the
state that it was written in. Repetition is of no help but in the states: every text is judged.
"""

import json
import time
from typing import Any

from inference.models.corpus import TRAIN_FILE
from rules.claimstates import normalised, states
from rules.comparison import compare
from rules.compiler import State
from rules.linter import Claim
from tests.benchmarks.report import Target, print_table

PROCESSES = 2


def corpus() -> list[tuple[State, str]]:
    found: list[tuple[State, str]] = []
    for line in TRAIN_FILE.read_text("utf-8").splitlines():
        claims = json.loads(line)["claims"]
        known = [Claim(claim["number"], normalised(claim["text"])) for claim in claims]
        found += [(state, claim.text) for claim, state in states(known)]
    return found


def measure(old: dict[str, Any], new: dict[str, Any], count: int) -> dict[str, Target]:
    known = corpus()
    texts = (known * (count // len(known) + 1))[:count]
    began = time.monotonic()
    found = compare(old, new, texts, processes=PROCESSES)
    seconds = time.monotonic() - began
    rate = count / seconds
    print(f"\nRegression over {count} texts ({len(known)} different claims), {PROCESSES} processes")
    print_table(
        ("texts", "seconds", "texts/s", "accepted before", "newly refused", "newly accepted"),
        [
            (
                found.done,
                seconds,
                rate,
                found.accepted,
                len(found.newly_refused),
                len(found.newly_accepted),
            )
        ],
    )
    return {
        "regression_100000_seconds": Target(100_000 / rate, 90, "lower"),
        "regression_texts_per_second": Target(rate, 100_000 / 90, "higher"),
    }
