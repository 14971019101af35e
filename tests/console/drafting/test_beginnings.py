from console.drafting.beginnings import about_a_part, beginning, whole
from console.drafting.families import read_claims
from tests.console.drafting.test_families import TEXTS, rows

FAMILY = read_claims(rows(TEXTS[:3]))


def test_a_claim_begins_with_the_noted_element_and_cites_the_claim_that_has_it() -> None:
    assert beginning(FAMILY, "涂层的厚度为5μm") == (
        "根据权利要求1所述的多层膜，其特征在于，所述涂层"
    )
    assert beginning(FAMILY, "厚度为30μm") == "根据权利要求2所述的多层膜，其特征在于，所述厚度"


def test_a_multiple_dependent_claim_is_no_basis() -> None:
    # 氧化硅 stands in claim 3 only, which cites two claims.
    assert beginning(FAMILY, "氧化硅经过溅射形成") == (
        "根据权利要求1所述的多层膜，其特征在于，氧化硅经过溅射形成"
    )


def test_an_element_that_is_new_has_no_suo_shu() -> None:
    assert beginning(FAMILY, "保护层设于外侧") == "根据权利要求1所述的多层膜，其特征在于，保护层"


def test_the_whole_note_can_be_given_in_the_words_of_the_disclosure() -> None:
    assert whole(FAMILY, "涂层的厚度为5μm") == (
        "根据权利要求1所述的多层膜，其特征在于，所述涂层的厚度为5μm"
    )


def test_without_a_note_or_a_family_nothing_is_given() -> None:
    assert beginning(FAMILY, "") == ""
    assert beginning([], "涂层的厚度") == ""
    assert whole(FAMILY, "") == ""


def test_without_a_note_a_claim_is_begun_about_one_part_after_the_other() -> None:
    begun = {about_a_part(FAMILY, turn) for turn in range(4)}
    assert "根据权利要求1所述的多层膜，其特征在于，所述基材层" in begun
    assert "根据权利要求1所述的多层膜，其特征在于，所述涂层" in begun
    assert about_a_part([], 0) == ""
