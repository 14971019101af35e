"""Whether the grammar distorts: the share of real, lawful claims that it would have let a model
write.

    python -m tests.benchmarks.acceptance FILE.jsonl [--pack cn-claims] [--show 40]

FILE holds one claim set a line: {"publication", "title", "claims": [{"number", "text"}]}. A claim
is counted when the linter, which shares no code with the grammar, finds no breach in it of any
rule that the pack enforces. Its state (kind, subject, citable claims, which of them are multiple)
is read off the set itself; where a dependent claim restates a shortened subject (…的方法 for
…的控制方法), the shortened form is the subject of the claim it cites, because that form is the
drafter's choice and not what is measured here. Texts are OCR: half-width marks and stray spaces
are put right first.

The last line is JSON: {"targets": {"acceptance": {"value", "target", "met"}}}.
"""

import argparse
import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules.claimstates import normalised, states
from rules.compiler import ClaimState, StateError, compile_pack
from rules.compiler.verdict import Explanation, explain
from rules.linter import Claim, LintSettings, lint_claims
from rules.packs import load_builtin
from tests.benchmarks.report import Target, machine, print_table, print_targets

TARGET = 0.97


@dataclass(frozen=True)
class Refusal:
    publication: str
    number: int
    reason: str
    text: str
    position: int


def reason_of(explanation: Explanation, text: str, state: ClaimState) -> str:
    """Why the claim was refused, in words that group alike refusals."""
    verdict = explanation.verdict
    if verdict.kind == "incomplete":
        return "does not end"
    assert verdict.position is not None
    at = verdict.position
    before, behind = text[max(at - 4, 0) : at], text[at : at + 6]
    stage = "head" if at < len(text) and not re.search("[，：]", text[:at]) else "body"
    return f"{stage}: …{before}▲{behind}"


def measure(sets: list[dict[str, Any]], slug: str) -> tuple[int, int, list[Refusal]]:
    """The number of claims, of clean claims, and the clean ones that were refused."""
    document = load_builtin(slug)
    pack = compile_pack(document)
    settings = LintSettings.from_pack(document)
    enforced = set(document["enforces"])
    total = clean = 0
    refusals: list[Refusal] = []
    for entry in sets:
        claims = [Claim(c["number"], normalised(c["text"])) for c in entry["claims"]]
        found = lint_claims(claims, settings, title=entry.get("title", ""))
        breached = {finding.claim for finding in found if finding.rule in enforced}
        for claim, state in states(claims):
            total += 1
            if claim.number in breached:
                continue
            clean += 1
            try:
                explanation = explain(pack, state, claim.text)
            except StateError as error:
                refusals.append(
                    Refusal(entry["publication"], claim.number, error.code, claim.text, 0)
                )
                continue
            if explanation.verdict.kind != "accepted":
                reason = reason_of(explanation, claim.text, state)
                position = explanation.verdict.position
                position = len(claim.text) if position is None else position
                refusals.append(
                    Refusal(entry["publication"], claim.number, reason, claim.text, position)
                )
    return total, clean, refusals


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--pack", default="cn-claims")
    parser.add_argument("--show", type=int, default=40, help="how many refusals to print")
    options = parser.parse_args()
    lines = options.file.read_text("utf-8").splitlines()
    total, clean, refusals = measure([json.loads(line) for line in lines], options.pack)
    print(machine())
    print(f"{total} claims, {clean} clean, {len(refusals)} of those refused")
    counts = Counter(refusal.reason for refusal in refusals)
    print_table(("refused", "why"), ((n, reason) for reason, n in counts.most_common()))
    for refusal in refusals[: options.show]:
        start = max(refusal.position - 30, 0)
        shown = f"{refusal.text[start : refusal.position]}▲{refusal.text[refusal.position :][:20]}"
        print(f"{refusal.publication}#{refusal.number}: {shown}")
    share = 1 - len(refusals) / clean if clean else 0.0
    print_targets({"acceptance": Target(share, TARGET)})


if __name__ == "__main__":
    main()
