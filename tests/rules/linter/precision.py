"""How many of the linter's findings a reader agrees with.

    python -m tests.rules.linter.precision [CLAIM_SETS.jsonl]

Runs the linter with the built-in pack over claim sets and compares its findings with the verdicts
in judged_eval_findings.jsonl, which were given by reading each place. A verdict is keyed by
publication, claim, rule and offsets; it holds no text of the claim sets. A finding without a
verdict is counted as unjudged, never as right. By default the claim sets are the eval split in
tests/benchmarks/data.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from rules.linter import Finding, LintSettings, lint_claims
from rules.linter.files import ClaimSet, read_claim_sets
from rules.packs import load_builtin
from tests.benchmarks.report import print_table

JUDGED = Path(__file__).with_name("judged_eval_findings.jsonl")
EVAL_SETS = Path(__file__).parents[2] / "benchmarks" / "data" / "eval_claim_sets.jsonl"

Key = tuple[str, int, str, int, int]


@dataclass(frozen=True)
class Precision:
    """Counts of one group of findings; `share` is right / (right + wrong)."""

    reported: int
    right: int
    wrong: int

    @property
    def unjudged(self) -> int:
        return self.reported - self.right - self.wrong

    @property
    def share(self) -> float:
        judged = self.right + self.wrong
        return self.right / judged if judged else 0.0


def verdicts(path: Path = JUDGED) -> dict[Key, bool]:
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return {
        (row["publication"], row["claim"], row["rule"], row["start"], row["end"]): row["verdict"]
        for row in rows
    }


def findings(sets: Iterable[ClaimSet]) -> Iterator[tuple[Key, Finding]]:
    settings = LintSettings.from_pack(load_builtin("cn-claims"))
    for claim_set in sets:
        for found in lint_claims(claim_set.claims, settings, title=claim_set.title):
            yield (
                (claim_set.publication, found.claim, found.rule, found.start, found.end),
                found,
            )


def measure(sets: Iterable[ClaimSet], judged: dict[Key, bool]) -> dict[tuple[str, str], Precision]:
    """Counts by (severity, rule), and by (severity, "all")."""
    reported: Counter[tuple[str, str]] = Counter()
    agreed: Counter[tuple[str, str, bool]] = Counter()
    for key, found in findings(sets):
        for rule in (found.rule, "all"):
            reported[found.severity, rule] += 1
            if key in judged:
                agreed[found.severity, rule, judged[key]] += 1
    return {
        (severity, rule): Precision(
            count, agreed[severity, rule, True], agreed[severity, rule, False]
        )
        for (severity, rule), count in sorted(reported.items())
    }


def main(path: Path) -> None:
    sets = read_claim_sets(path.read_bytes(), path.name)
    claims = sum(len(claim_set.claims) for claim_set in sets)
    started = perf_counter()
    counts = measure(sets, verdicts())
    took = perf_counter() - started
    print(
        f"{path.name}: {len(sets)} claim sets, {claims} claims; "
        f"{took / claims * 50 * 1000:.0f} ms for 50 claims"
    )
    print_table(
        ["severity", "rule", "reported", "true", "false", "unjudged", "precision"],
        [
            (
                severity,
                rule,
                row.reported,
                row.right,
                row.wrong,
                row.unjudged,
                f"{row.share:.1%}" if row.right + row.wrong else "-",
            )
            for (severity, rule), row in counts.items()
        ],
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else EVAL_SETS)
