import pytest

from console.drafting.checks import enforced_rules, problem_of
from console.drafting.families import read_claims
from console.drafting.plan import PlannedClaim
from rules.compiler import ClaimState, compile_pack
from rules.compiler.verdict import judge
from rules.linter import Claim, LintSettings, lint_claims
from rules.packs import load_builtin
from tests.console.drafting.test_families import TEXTS, rows

PACK = load_builtin("cn-claims")
SETTINGS = LintSettings.from_pack(PACK)
CLAIMS = read_claims(rows(TEXTS[:3]))
DEPENDENT = PlannedClaim("dependent", "product", "多层膜")


def problem(text: str) -> str | None:
    return problem_of(text, DEPENDENT, CLAIMS, 4, SETTINGS, enforced_rules(PACK))


def test_a_lawful_new_claim_may_stand() -> None:
    assert problem("根据权利要求1所述的多层膜，其特征在于，还包括设于所述涂层上的保护层。") is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("。", "empty"),
        ("根据权利要求1所述的多层膜，其特征在于，还包括设于", "too_long"),
        ("根据权利要求3或2所述的多层膜，其特征在于，还包括保护层。", "violation"),
        ("根据权利要求5所述的多层膜，其特征在于，还包括保护层。", "violation"),
        ("根据权利要求1所述的多层膜，其特征在于，例如还包括保护层。", "violation"),
        ("如权利要求1所述的多层膜，其中，基材层的厚度为20μm。", "duplicate"),
        ("根据权利要求1所述的多层膜，其特征在于，所述涂层上设有。", "junk"),
        ("根据权利要求1所述的多层膜，其特征在于，所述涂层上设有所述涂层。", "junk"),
        ("根据权利要求1所述的多层膜，其特征在于，其制备包括以下步骤。", "junk"),
        ("根据权利要求1所述的多层膜，其特征在于，其特征在于，还包括胶层。", "junk"),
        ("根据权利要求1所述的多层膜，其特征在于，如权利要求2所述还包括胶层。", "junk"),
        ("如权利要求1所述的多层膜，其中，还有胶层，5.按权利要求1所述的多层膜，有孔。", "violation"),
    ],
)
def test_a_text_that_cannot_stand_is_told_why(text: str, reason: str) -> None:
    assert problem(text) == reason


def test_a_drafted_claim_is_one_line_while_an_agent_s_own_may_be_broken_where_the_rules_allow() -> (
    None
):
    own = "一种多层膜，其特征在于，包括：\n基材层；\n涂层，设于所述基材层的表面。"
    assert [one.rule for one in lint_claims([Claim(1, own)], SETTINGS)] == []
    grammar = compile_pack(PACK).instantiate(ClaimState(1, "independent", "多层膜"))
    for place, letter in enumerate(own):
        if letter == "\n":
            assert judge(grammar, own[:place].replace("\n", "")).kind == "incomplete"
            assert judge(grammar, own[:place].replace("\n", "") + letter).kind == "refused"
    assert judge(grammar, own.replace("\n", "")).kind == "accepted"


def test_a_finding_in_another_claim_does_not_refuse_this_one() -> None:
    claims = read_claims(rows([*TEXTS[:2], "根据权利要求9所述的多层膜，其中，例如有胶层。"]))
    text = "根据权利要求1所述的多层膜，其特征在于，还包括设于所述涂层上的保护层。"
    assert problem_of(text, DEPENDENT, claims, 4, SETTINGS, enforced_rules(PACK)) is None
