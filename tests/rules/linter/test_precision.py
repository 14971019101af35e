"""What users are told of the linter's precision stays true, and every error finding is judged."""

from rules.linter.files import ClaimSet, read_claim_sets
from tests.rules.linter.precision import EVAL_SETS, Precision, findings, measure, verdicts
from tests.rules.linter.support import claims

FIXTURE = (
    ClaimSet(
        "T1",
        "水泵",
        tuple(
            claims(
                "一种水泵，其特征在于，包括叶轮。叶轮为铁质。",
                "根据权利要求1和3所述的水泵，其特征在于，还包括轴",
            )
        ),
    ),
)


def test_findings_are_counted_against_the_verdicts() -> None:
    keys = [key for key, _ in findings(FIXTURE)]
    assert {key[2] for key in keys} == {"C04", "D04", "D05"}
    judged = {key: key[2] != "D05" for key in keys if key[2] != "D04"}
    counts = measure(FIXTURE, judged)
    assert counts["error", "C04"] == Precision(reported=2, right=2, wrong=0)
    assert counts["error", "D04"].unjudged == 1
    assert counts["error", "all"] == Precision(reported=4, right=2, wrong=1)
    assert round(counts["error", "all"].share, 2) == 0.67


def test_error_findings_on_the_eval_split_are_all_judged_and_at_least_95_percent_right() -> None:
    sets = read_claim_sets(EVAL_SETS.read_bytes(), EVAL_SETS.name)
    errors = measure(sets, verdicts())["error", "all"]
    assert errors.reported >= 100
    assert errors.unjudged == 0
    assert errors.share >= 0.95
