from console.drafting.families import read_claims
from console.drafting.plan import PlannedClaim
from console.drafting.prompts import prompt_text
from inference.prompting import claim_prompt
from tests.console.drafting.test_families import METHOD, PRODUCT, TEXTS, rows

TITLE = "一种多层膜及其制备方法"
CLAIMS = read_claims(rows(TEXTS))


def prompt(planned: PlannedClaim, number: int, hint: str = "", context_tokens: int = 4096) -> str:
    return prompt_text(
        TITLE, "交底内容。", CLAIMS, planned, number, hint, context_tokens=context_tokens
    )


def test_the_prompt_has_the_trained_form() -> None:
    assert prompt(METHOD, 6, "涂布速度为3m/min") == claim_prompt(
        TITLE, "交底内容。", TEXTS, number=6, hint="涂布速度为3m/min"
    )


def test_a_claim_written_anew_sees_only_the_claims_before_it() -> None:
    assert prompt(PRODUCT, 3) == claim_prompt(TITLE, "交底内容。", TEXTS[:2], number=3)


def test_when_there_is_no_room_old_claims_give_way_but_not_the_independent_one() -> None:
    # Room for about 110 characters of claims.
    short = prompt(METHOD, 6, context_tokens=220 + 130)
    assert TEXTS[3] in short
    assert TEXTS[4] in short
    assert TEXTS[0] not in short
    assert short.endswith("\n6.")
