"""What the grammar lets a writer write, the linter finds nothing wrong with.

The two share no code, only the table of terms. A writer who picks at random from words that tempt
it to break rules is held to the grammar; then the linter reads the set.
"""

import random
import re

import pytest

from rules.compiler import CitableClaim, ClaimState, CompiledPack, compile_pack
from rules.compiler.verdict import matcher
from rules.linter import Claim, LintSettings, lint_claims
from rules.packs import load_builtin

TEMPTING = "例如 比如 最好是 尤其是 必要时 优选 更优选 约 大约 左右 等 接近 厚 薄 强 高温 如图 附图"
CITING = "权利要求 1 2 3 至 ～ 或 和 、 中任一项 任一 所述 的 其特征在于 其中 包括 由 根据 如 一种"
ORDINARY = (
    "， ： ； 。 薄膜 强度 等于 等离子体 约束 厚度 增强 5mm 0.5 （1） ℃ 步骤S1 壳层 基材 装置"
)
WORDS = [*TEMPTING.split(), *CITING.split(), *ORDINARY.split()]
SUBJECTS = ("复合薄膜", "复合薄膜的制备方法", "高强度钢")


@pytest.fixture(scope="module")
def compiled() -> CompiledPack:
    return compile_pack(load_builtin("cn-claims"))


def written(compiled: CompiledPack, state: ClaimState, chance: random.Random) -> str:
    """A claim of random words that the grammar takes, brought to its end after a while."""
    writer = matcher(compiled.instantiate(state))
    rows = compiled.document["forbidden"]
    to_finish = sorted({c for row in rows for context in row["allowed_in"] for c in context})
    text = ""
    for step in range(400):
        order = chance.sample(WORDS, len(WORDS))
        if step > 40:
            order.insert(0, "。")
        for word in [*order, *state.subject, *"按依基于中述限定得到获项意何个", *to_finish]:
            data = list(word.encode())
            if writer.validate_tokens(data) == len(data):
                writer.consume_tokens(data)
                text += word
                break
        if writer.is_accepting():
            return text
    raise AssertionError(f"the claim never ends: {text}")


@pytest.mark.parametrize("seed", range(6))
def test_no_error_of_an_enforced_rule_is_found_in_what_the_grammar_allows(
    compiled: CompiledPack, seed: int
) -> None:
    chance = random.Random(seed)
    document = compiled.document
    subject = SUBJECTS[seed % len(SUBJECTS)]
    claims: list[Claim] = []
    citable: list[CitableClaim] = []
    for number in range(1, 6):
        kind = "independent" if number == 1 else "dependent"
        text = written(compiled, ClaimState(number, kind, subject, tuple(citable)), chance)
        claims.append(Claim(number, text))
        several = bool(re.search("任|或|之一", text.partition(subject)[0]))
        citable.append(CitableClaim(number, subject, kind == "dependent" and several))
    findings = lint_claims(claims, LintSettings.from_pack(document))
    wrong = [
        (finding.rule, finding.message, claims[finding.claim - 1].text)
        for finding in findings
        if finding.severity == "error" and finding.rule in document["enforces"]
    ]
    assert wrong == []
