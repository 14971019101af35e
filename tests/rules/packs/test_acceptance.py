"""The grammar of cn-claims does not distort: it admits how real, lawful claims go on."""

import json
from pathlib import Path

from tests.benchmarks.acceptance import TARGET, measure

ROOT = Path(__file__).resolve().parents[3]
TRAINING_SETS = ROOT / "inference" / "models" / "data" / "train_claim_sets.jsonl"


def test_real_claims_without_a_finding_are_admitted() -> None:
    lines = TRAINING_SETS.read_text("utf-8").splitlines()
    # Every tenth set: some 400 claims of all fields. The benchmark takes all of them.
    _, clean, refusals = measure([json.loads(line) for line in lines[::10]], "cn-claims")
    assert clean > 200
    assert 1 - len(refusals) / clean >= TARGET, refusals
