import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.linter.references import find_references, render_numbers

CASES = [
    ("根据权利要求1所述的水泵", (1,), True),
    ("根据权利要求1或2所述的水泵", (1, 2), True),
    ("根据权利要求1或权利要求2所述的水泵", (1, 2), True),
    ("根据权利要求2、4、6或8所述的水泵", (2, 4, 6, 8), True),
    ("根据权利要求4至9中任一权利要求所述的水泵", (4, 5, 6, 7, 8, 9), True),
    ("如权利要求1～3之一所述的方法", (1, 2, 3), True),
    ("如权利要求1—3中的任一项所述的方法", (1, 2, 3), True),
    ("权利要求1-2之任一项的材料", (1, 2), True),
    ("按照权利要求1-3任何一项所述的清洗剂", (1, 2, 3), True),
    ("如权利要求1-3、7中任一项所述的材料", (1, 2, 3, 7), True),
    ("如权利要求3至6任一项或9或10所述的无人机", (3, 4, 5, 6, 9, 10), True),
    ("根据权利要求2以及11～14中任一项所述的装置", (2, 11, 12, 13, 14), True),
    ("根据权利要求１或２所述的水泵", (1, 2), True),
    ("根据权利 要求 1 或 2 所述的水泵", (1, 2), True),
    ("根据权利要求第1项所述的水泵", (1,), True),
    ("根据权利要求9项所述的空调", (9,), True),
    ("权利要求1或2加氢催化剂的应用", (1, 2), True),
    ("根据权利要求1和2所述的水泵", (1, 2), False),
    ("根据权利要求1和/或2所述的水泵", (1, 2), False),
    ("根据权利要求1～9所述的组合物", tuple(range(1, 10)), False),
    ("根据权利要求1、2所述的水泵", (1, 2), False),
]


@pytest.mark.parametrize(("text", "numbers", "alternative"), CASES)
def test_a_citation_is_read_with_its_numbers_and_whether_it_is_alternative(
    text: str, numbers: tuple[int, ...], alternative: bool
) -> None:
    (reference,) = find_references(text)
    assert reference.numbers == numbers
    assert reference.alternative is alternative
    assert reference.in_preamble
    assert text[reference.start :].startswith("权利")
    assert [int(text[a:b]) for a, b in reference.spans] == list(reference.written)


def test_two_citations_in_one_claim_are_two_references() -> None:
    text = "一种电池，包括权利要求1所述的正极和权利要求2-4任一项所述的负极。"
    first, second = find_references(text)
    assert (first.numbers, second.numbers) == ((1,), (2, 3, 4))
    assert second.ranges == ((2, 4),)
    assert not first.in_preamble
    assert not second.in_preamble


def test_a_number_that_opens_the_next_clause_is_not_cited() -> None:
    for text in ("根据权利要求1，2个叶轮对称设置。", "如权利要求1和2个叶轮。", "权利要求1或2.5mm"):
        (reference,) = find_references(text)
        assert reference.numbers == (1,)


def test_the_name_of_the_document_is_not_a_citation() -> None:
    assert find_references("权利要求书1/2页") == []


def test_a_reference_covers_the_words_that_make_it_alternative() -> None:
    text = "根据权利要求4至9中任一项所述的水泵"
    (reference,) = find_references(text)
    assert text[reference.start : reference.end] == "权利要求4至9中任一项"


@given(
    st.sets(st.integers(1, 999), min_size=1, max_size=12),
    st.sampled_from(["根据权利要求{}所述的水泵。", "一种设备，包括权利要求{}所述的水泵。"]),
)
def test_a_rendered_citation_reads_as_the_same_claims(numbers: set[int], frame: str) -> None:
    (reference,) = find_references(frame.format(render_numbers(numbers)))
    assert sorted(reference.numbers) == sorted(numbers)
    assert reference.alternative


@given(
    st.text(
        alphabet="权利要求书根据如所述的任一项中之或和、,，-~至到0123456789 １２\n", max_size=60
    )
)
def test_references_stand_in_order_inside_the_text(text: str) -> None:
    end = 0
    for reference in find_references(text):
        assert end <= reference.start < reference.end <= len(text)
        assert all(reference.start <= a < b <= reference.end for a, b in reference.spans)
        assert set(reference.written) <= set(reference.numbers)
        end = reference.end


def test_a_citation_of_nothing_cannot_be_rendered() -> None:
    with pytest.raises(ValueError, match="at least one"):
        render_numbers([])
