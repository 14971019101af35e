import pytest

from rules.compiler import CitableClaim, ClaimState, StateError, compile_pack
from rules.compiler.verdict import judge
from tests.rules.compiler.grammars import pack

COMPILED = compile_pack(pack())
SHEET, METHOD = "复合板", "复合板的制备方法"
CLAIMS = (
    CitableClaim(1, SHEET),
    CitableClaim(2, SHEET),
    CitableClaim(3, SHEET, multiple=True),
    CitableClaim(4, METHOD),
    CitableClaim(5, SHEET),
)


def verdict(state: ClaimState, text: str) -> str:
    return judge(COMPILED.instantiate(state), text).kind


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("权利要求1所述的复合板，甲乙。", "accepted"),
        ("权利要求4所述的复合板的制备方法，甲乙。", "accepted"),
        ("权利要求4所述的复合板，甲乙。", "refused"),
        ("权利要求1所述的复合板的制备方法，甲乙。", "refused"),
        ("权利要求6所述的复合板，甲乙。", "refused"),
        ("权利要求1或2复合板，甲乙。", "accepted"),
        ("权利要求1、2或5复合板，甲乙。", "accepted"),
        ("权利要求1或3复合板，甲乙。", "refused"),
        ("权利要求1至2中任一项所述的复合板，甲乙。", "accepted"),
        ("权利要求1至5中任一项所述的复合板，甲乙。", "refused"),
        ("权利要求1，甲乙。", "refused"),
        ("权利要求1所述的复合板，甲乙", "incomplete"),
    ],
)
def test_a_dependent_claim_cites_what_the_state_allows(text: str, expected: str) -> None:
    assert verdict(ClaimState(6, "dependent", SHEET, CLAIMS), text) == expected


def test_without_leave_for_multiple_claims_only_one_claim_can_be_cited() -> None:
    state = ClaimState(6, "dependent", SHEET, CLAIMS, allow_multiple=False)
    assert verdict(state, "权利要求2所述的复合板，甲乙。") == "accepted"
    assert verdict(state, "权利要求1或2复合板，甲乙。") == "refused"


def test_the_subject_is_restated_exactly_though_it_shares_bytes_with_what_may_stand_there() -> None:
    state = ClaimState(1, "independent", "一体化电池")
    assert verdict(state, "一体化电池，甲乙。") == "accepted"
    assert verdict(state, "一种一体化电池，甲乙。") == "accepted"
    assert verdict(state, "一种一体化，甲乙。") == "refused"


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (ClaimState(2, "dependent", SHEET), "nothing-to-cite"),
        (ClaimState(2, "dependent", SHEET, (CitableClaim(2, SHEET),)), "cites-later-claim"),
        (
            ClaimState(3, "independent", "由权利要求7所述的方法制得的板", CLAIMS[:2]),
            "subject-cites-unknown-claim",
        ),
    ],
)
def test_a_state_that_admits_no_claim_is_refused_in_words(state: ClaimState, code: str) -> None:
    with pytest.raises(StateError) as caught:
        COMPILED.instantiate(state)
    assert caught.value.code == code
    assert caught.value.message_zh
    assert str(caught.value)


def test_two_hundred_claims_make_a_grammar_the_engine_takes() -> None:
    citable = tuple(CitableClaim(n, SHEET if n % 3 else METHOD, n % 7 == 0) for n in range(1, 200))
    state = ClaimState(200, "dependent", SHEET, citable)
    assert verdict(state, "权利要求1、2或199复合板，甲乙。") == "accepted"
    assert verdict(state, "权利要求199所述的复合板，甲乙。") == "accepted"
    assert verdict(state, "权利要求200所述的复合板，甲乙。") == "refused"
