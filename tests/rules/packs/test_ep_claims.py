"""What depends on the state of the set, before the EPO."""

import re

import pytest

from rules.compiler import CompiledPack, compile_pack
from rules.packs import load_builtin
from tests.rules.packs.claims import dependent, independent

EARLIER = ((1, "pump"), (2, "pump"), (3, "pump", True), (4, "method"), (5, "pump"))


@pytest.fixture(scope="module")
def pack() -> CompiledPack:
    return compile_pack(load_builtin("ep-claims"))


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("The pump according to claim 1", "accepted"),
        ("A pump as claimed in claim 3", "accepted"),
        ("The method according to claim 4", "accepted"),
        ("The pump (1) according to claim 5", "accepted"),
        ("The pump according to claim 4", "refused"),
        ("The method according to claim 1", "refused"),
        ("The pump according to claim 6", "refused"),
        ("The pump according to claim 12", "refused"),
        ("The valve according to claim 1", "refused"),
    ],
)
def test_one_earlier_claim_with_its_own_subject(
    pack: CompiledPack, head: str, expected: str
) -> None:
    assert dependent(pack, f"{head}, characterised in that it floats.", EARLIER) == expected
    assert dependent(pack, f"{head}, further comprising a valve.", EARLIER) == expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("claim 1 or 2", "accepted"),
        ("claim 1, 2 or 5", "accepted"),
        ("any one of claims 1 to 3", "accepted"),  # multiple on multiple: lawful here
        ("claim 2 or 3", "accepted"),
        ("any of claims 1-3 or 5", "accepted"),
        ("any one of claims 1, 3 and 5", "accepted"),
        ("any preceding claim", "accepted"),
        ("any one of the preceding claims", "accepted"),
        ("one of the previous claims", "accepted"),
        ("any one of claims 1 to 5", "refused"),  # reaches over the method
        ("any one of claims 2 to 6", "refused"),
        ("claim 1 or 4", "refused"),
        ("claims 1 to 3", "refused"),
        ("claims 1 and 2", "refused"),
        ("the preceding claims", "refused"),
        ("any of the following claims", "refused"),
    ],
)
def test_several_claims_of_one_subject_in_the_alternative(
    pack: CompiledPack, head: str, expected: str
) -> None:
    text = f"The pump according to {head}, wherein the valve (2) is closed."
    assert dependent(pack, text, EARLIER) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A plant, comprising a pump according to any one of claims 1 to 3.", "accepted"),
        ("A plant, comprising a pump according to claim 3 and a tank.", "accepted"),
        ("A plant, comprising a pump according to any preceding claim and a tank.", "accepted"),
        (
            "A plant, comprising a pump according to claim 1 or 2 made as in claim 4 or 5.",
            "accepted",
        ),
        ("A plant, comprising a pump according to claims 1 to 3.", "refused"),
        ("A plant, comprising a pump according to claim 6.", "refused"),
        ("A pump according to claim 1, comprising a valve.", "refused"),
    ],
)
def test_an_independent_claim_bears_its_subject_and_may_refer_to_others(
    pack: CompiledPack, text: str, expected: str
) -> None:
    assert independent(pack, text, "plant", EARLIER) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A plant, comprising a pump, characterised in that the pump floats.", "accepted"),
        ("A plant, comprising a pump, characterized by a float.", "accepted"),
        ("A plant, comprising a pump, wherein the pump floats.", "accepted"),
        ("A plant, comprising a pump, characterised in the pump floating.", "refused"),
        ("A plant, characterised in that it floats, characterised by a pump.", "refused"),
        ("A plant (1), comprising a pump (2, 2a) and a (meth)acrylate coat.", "accepted"),
        ("A plant, comprising delivery means (pump 2).", "refused"),
    ],
)
def test_two_parts_or_one_and_reference_signs(pack: CompiledPack, text: str, expected: str) -> None:
    assert independent(pack, text, "plant") == expected


def test_a_first_claim_refers_to_nothing(pack: CompiledPack) -> None:
    for said in ("claim 1", "any preceding claim", "any one of claims 1 to 2"):
        assert independent(pack, f"A plant, made as in {said}.", "plant") == "refused"


def test_a_subject_may_be_a_use_and_stand_without_an_article(pack: CompiledPack) -> None:
    assert independent(pack, "The use of a pump for cooling a reactor.", "use") == "accepted"
    text = "Use of a pump according to claim 1 for cooling a reactor."
    assert independent(pack, text, "Use", EARLIER) == "accepted"


def test_most_positive_examples_are_claims_as_they_were_published() -> None:
    examples = load_builtin("ep-claims")["examples"]
    notes = [example["note"] for example in examples if example["verdict"] == "accepted"]
    assert sum(bool(re.fullmatch(r"(EP|WO|US)[0-9A-Z]+#[0-9]+", note)) for note in notes) >= 100
