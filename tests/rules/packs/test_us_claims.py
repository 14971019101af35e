"""What depends on the state of the set, before the USPTO."""

import re

import pytest

from rules.compiler import ClaimState, CompiledPack, StateError, compile_pack
from rules.packs import load_builtin
from tests.rules.packs.claims import dependent, independent

EARLIER = ((1, "pump"), (2, "pump"), (3, "pump", True), (4, "method"), (5, "pump"))


@pytest.fixture(scope="module")
def pack() -> CompiledPack:
    return compile_pack(load_builtin("us-claims"))


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("The pump of claim 1", "accepted"),
        ("The pump of claim 3", "accepted"),  # a single dependent claim may rest on a multiple one
        ("A pump as recited in claim 5", "accepted"),
        ("The method of claim 4", "accepted"),
        ("The pump of claim 4", "refused"),
        ("The method of claim 1", "refused"),
        ("The pump of claim 6", "refused"),
        ("The pump of claim 7", "refused"),
        ("The pump of claim 51", "refused"),
        ("The pump of claim 0", "refused"),
    ],
)
def test_one_earlier_claim_with_its_own_subject(
    pack: CompiledPack, head: str, expected: str
) -> None:
    assert dependent(pack, f"{head}, further comprising a valve.", EARLIER) == expected
    assert dependent(pack, f"{head} wherein the valve is closed.", EARLIER) == expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("claim 1 or 2", "accepted"),
        ("claims 1 or 5", "accepted"),
        ("claims 1, 2, or 5", "accepted"),
        ("either claim 2 or claim 5", "accepted"),
        ("any one of claims 1, 2, and 5", "accepted"),
        ("any of claims 1-2 or 5", "accepted"),
        ("one of claims 1 to 2", "accepted"),
        ("claims 1 and 2", "refused"),
        ("claim 1 and claim 2", "refused"),
        ("claims 1 and/or 2", "refused"),
        ("claims 1-2", "refused"),
        ("claims 1 or 2 and 5", "refused"),
        ("claim 1 or 3", "refused"),  # multiple on multiple
        ("any one of claims 1 to 3", "refused"),
        ("any one of claims 1 to 5", "refused"),  # reaches over 3 and over another subject
        ("any one of claims 1, 2 or 4", "refused"),
        ("any preceding claim", "refused"),  # says nothing about which of them are multiple
        ("claims 2 or 6", "refused"),
    ],
)
def test_several_claims_in_the_alternative_and_none_of_them_multiple(
    pack: CompiledPack, head: str, expected: str
) -> None:
    text = f"The pump of {head}, further comprising a valve."
    assert dependent(pack, text, EARLIER) == expected


def test_a_client_without_multiple_dependent_claims_gets_none(pack: CompiledPack) -> None:
    text = "The pump of claim 1 or 2, further comprising a valve."
    assert dependent(pack, text, EARLIER) == "accepted"
    assert dependent(pack, text, EARLIER, allow_multiple=False) == "refused"


def test_a_claim_on_one_that_rests_on_a_multiple_one_counts_as_multiple_where_the_state_says_so(
    pack: CompiledPack,
) -> None:
    text = "The pump of claim 1 or 4, further comprising a valve."
    assert dependent(pack, text, [(1, "pump"), (3, "pump", True), (4, "pump")]) == "accepted"
    assert dependent(pack, text, [(1, "pump"), (3, "pump", True), (4, "pump", True)]) == "refused"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A plant, comprising the pump of claim 1 and a tank.", "accepted"),
        ("A plant, comprising the pump of any one of claims 1, 2 and 5 and a tank.", "accepted"),
        ("A plant, comprising the pump of claim 1 or 2 and a tank.", "accepted"),
        ("A plant, comprising the pump of claim 1 or 3 and a tank.", "refused"),
        ("A plant, comprising the pump of claims 1 and 2.", "refused"),
        ("A plant, comprising the pump of claim 6.", "refused"),
        ("A plant, comprising the pump of claim 1 or 2, made by claim 4 or 5.", "refused"),
        ("A pump, comprising a wheel.", "refused"),
        ("A plantation, comprising a wheel.", "refused"),
    ],
)
def test_an_independent_claim_bears_its_subject_and_may_refer_to_others(
    pack: CompiledPack, text: str, expected: str
) -> None:
    assert independent(pack, text, "plant", EARLIER) == expected


def test_a_first_claim_refers_to_nothing(pack: CompiledPack) -> None:
    assert independent(pack, "A pump, comprising a wheel.", "pump") == "accepted"
    assert independent(pack, "A pump, comprising the wheel of claim 1.", "pump") == "refused"


@pytest.mark.parametrize(
    "subject", ["pump and method", "cooling technique", "pump and use thereof"]
)
def test_a_subject_without_one_category_gets_no_claim(pack: CompiledPack, subject: str) -> None:
    with pytest.raises(StateError):
        pack.instantiate(ClaimState(1, "independent", subject))


def test_most_positive_examples_are_claims_as_they_were_published() -> None:
    examples = load_builtin("us-claims")["examples"]
    notes = [example["note"] for example in examples if example["verdict"] == "accepted"]
    assert sum(bool(re.fullmatch(r"US[0-9A-Z]+#[0-9]+", note)) for note in notes) >= 100
