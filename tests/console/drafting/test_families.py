from typing import Any

from console.drafting.families import (
    as_planned,
    claim_state,
    families,
    family_of,
    place_after,
    read_claims,
    renumbered,
)
from console.drafting.plan import PlannedClaim
from rules.compiler import CitableClaim

TEXTS = [
    "一种多层膜，其特征在于，包括基材层和涂层。",
    "根据权利要求1所述的多层膜，其特征在于，所述基材层的厚度为20μm。",
    "根据权利要求1或2所述的多层膜，其特征在于，所述涂层为氧化硅。",
    "一种多层膜的制备方法，其特征在于，包括：提供基材层；涂布涂层。",
    "根据权利要求4所述的多层膜的制备方法，其特征在于，所述涂布在80℃下进行。",
]
PRODUCT = PlannedClaim("dependent", "product", "多层膜")
METHOD = PlannedClaim("dependent", "method", "多层膜的制备方法")


def rows(texts: list[str]) -> list[dict[str, Any]]:
    return [
        {"id": f"c{number}", "number": number, "text": text}
        for number, text in enumerate(texts, start=1)
    ]


CLAIMS = read_claims(rows(TEXTS))


def test_each_claim_knows_its_kind_its_family_and_what_it_cites() -> None:
    assert [(claim.kind[:3], claim.root, claim.cited, claim.multiple) for claim in CLAIMS] == [
        ("ind", 1, (), False),
        ("dep", 1, (1,), False),
        ("dep", 1, (1, 2), True),
        ("ind", 4, (), False),
        ("dep", 4, (4,), False),
    ]


def test_a_claim_without_text_yet_is_not_read() -> None:
    assert [claim.number for claim in read_claims(rows([TEXTS[0], "", TEXTS[1]]))] == [1, 3]


def test_the_families_have_the_subjects_of_their_independent_claims() -> None:
    assert [(one.subject, one.category) for one in families(CLAIMS)] == [
        ("多层膜", "product"),
        ("多层膜的制备方法", "method"),
    ]


def test_a_new_dependent_goes_behind_its_family_not_behind_the_document() -> None:
    assert place_after(CLAIMS, PRODUCT) == "c3"
    assert place_after(CLAIMS, METHOD) == "c5"
    assert place_after(CLAIMS, PlannedClaim("independent", "product", "卷膜")) == "c5"
    assert place_after([], PRODUCT) is None


def test_a_dependent_may_cite_the_earlier_claims_of_its_family_alone() -> None:
    state = claim_state(CLAIMS, PRODUCT, 4)
    assert state.citable == (
        CitableClaim(1, "多层膜", False),
        CitableClaim(2, "多层膜", False),
        CitableClaim(3, "多层膜", True),
    )
    assert [one.number for one in claim_state(CLAIMS, METHOD, 6).citable] == [4, 5]


def test_a_claim_that_a_later_multiple_dependent_cites_must_stay_single() -> None:
    assert not claim_state(CLAIMS, PRODUCT, 2).allow_multiple
    assert claim_state(CLAIMS, PRODUCT, 3).allow_multiple


def test_an_independent_claim_cites_nothing() -> None:
    state = claim_state(CLAIMS, PlannedClaim("independent", "product", "卷膜"), 6)
    assert (state.kind, state.subject, state.citable) == ("independent", "卷膜", ())


def test_a_claim_to_be_written_anew_keeps_its_kind_and_its_familys_subject() -> None:
    assert as_planned(CLAIMS, "c5") == METHOD
    assert as_planned(CLAIMS, "c1") == PlannedClaim("independent", "product", "多层膜")
    assert as_planned(CLAIMS, "gone") is None


def test_a_text_goes_on_under_the_numbers_it_was_begun_with() -> None:
    # Since then claim c2 was moved to the end of its family, and c9 was inserted.
    now = read_claims(
        [
            {"id": "c1", "number": 1, "text": TEXTS[0]},
            {"id": "c9", "number": 2, "text": "根据权利要求1所述的多层膜，其中，还包括胶层。"},
            {"id": "c2", "number": 3, "text": TEXTS[1]},
        ]
    )
    then = renumbered(now, {"c1": 1, "c2": 2, "cnew": 3})
    assert [(claim.claim_id, claim.number, claim.cited, claim.root) for claim in then] == [
        ("c1", 1, (), 1),
        ("c2", 2, (1,), 1),
    ]


def test_among_several_families_of_one_subject_the_newest_is_joined() -> None:
    claims = read_claims(rows([TEXTS[0], TEXTS[0], TEXTS[1].replace("求1", "求2")]))
    assert [claim.number for claim in family_of(claims, PRODUCT)] == [2, 3]
