"""How the numbers in a citation are rewritten."""

import pytest

from console.matters.claimset.citations import cited_numbers, rewrite


def shifted_from(first: int, by: int = 1):
    return lambda number: number + by if number >= first else number


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("根据权利要求3所述的装置", "根据权利要求4所述的装置"),
        ("根据权利要求１２所述的装置", "根据权利要求１３所述的装置"),
        ("如权利要求1或3所述的装置", "如权利要求1或4所述的装置"),
        ("如权利要求2、4、6或8所述的装置", "如权利要求2、5、7或9所述的装置"),
        ("如权利要求3至5中任一项所述的装置", "如权利要求4至6中任一项所述的装置"),
        ("如权利要求1至3中任一项所述的装置", "如权利要求1、2或4中任一项所述的装置"),
        ("如权利要求1-2任一项所述的装置", "如权利要求1-2任一项所述的装置"),
        ("如权利要求1～5任意一项所述的装置", "如权利要求1、2或4～6任意一项所述的装置"),
        ("根据权利要求1或权利要求3所述的装置", "根据权利要求1或权利要求4所述的装置"),
        ("如权利要求1、2、3任一项所述的装置", "如权利要求1、2、4任一项所述的装置"),
        ("如权利要求2至权利要求4之一所述的", "如权利要求2、4或5之一所述的"),
        (
            "一种实施权利要求3的方法的装置，如权利要求1",
            "一种实施权利要求4的方法的装置，如权利要求1",
        ),
        ("厚度为3至5毫米的板3", "厚度为3至5毫米的板3"),
        ("根据权利要求三所述的装置", "根据权利要求四所述的装置"),
        ("根据权利要求第三项所述的装置", "根据权利要求第四项所述的装置"),
        ("如权利要求一或三所述的装置", "如权利要求一或四所述的装置"),
        ("如权利要求九、十或十九所述的装置", "如权利要求十、十一或二十所述的装置"),
        ("如权利要求一至五中任一项所述的装置", "如权利要求一、二或四至六中任一项所述的装置"),
        ("如权利要求一或权利要求三所述的装置", "如权利要求一或权利要求四所述的装置"),
        ("如权利要求一百或一百零九所述的装置", "如权利要求一百零一或一百一十所述的装置"),
        ("根据权力要求3所述的装置", "根据权力要求4所述的装置"),
        ("根据权力要求三所述的装置", "根据权力要求四所述的装置"),
        ("如权力要求1至3任一项所述的装置", "如权力要求1、2或4任一项所述的装置"),
        ("根据权利要求 3 所述的装置", "根据权利要求 4 所述的装置"),
        (
            "根据权利 要求\u30003至 5中任一项所述的装置",
            "根据权利 要求\u30004至 6中任一项所述的装置",
        ),
    ],
)
def test_a_claim_put_before_the_third_moves_every_number_behind_it(
    text: str, expected: str
) -> None:
    assert rewrite(text, shifted_from(3)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "根据前述权利要求中任一项所述的装置",
        "根据上述任一权利要求所述的装置",
        "根据权利要求1或三种工况下的装置",
        "如权利要求一种方式的装置",
        "权利要求书三份，权利要求百项",
        "如权利要求二三所述的装置",
        "包括第三支架和三个风扇",
    ],
)
def test_what_names_no_claim_by_its_number_stays_as_it_is(text: str) -> None:
    assert rewrite(text, shifted_from(2)) == text


@pytest.mark.parametrize("number", range(1, 1000))
def test_a_chinese_numeral_is_read_as_it_is_written(number: int) -> None:
    text = rewrite("根据权利要求一所述的装置", lambda _: number)
    assert cited_numbers(text) == {number}
    assert not any(char.isdigit() and char.isascii() for char in text)


@pytest.mark.parametrize(
    ("text", "replaced", "expected"),
    [
        ("根据权利要求1或2所述的装置", {2: 1}, "根据权利要求1所述的装置"),
        ("根据权利要求2或3中任一项所述的", {3: 2}, "根据权利要求2所述的"),
        ("根据权利要求1至3中任一项所述的", {3: 2}, "根据权利要求1或2中任一项所述的"),
        ("根据权利要求1至4任一权利要求所述的", {4: 2}, "根据权利要求1至3任一权利要求所述的"),
        ("根据权利要求1或权利要求2所述的", {2: 1}, "根据权利要求1所述的"),
        ("根据权利要求1和3所述的", {3: 2}, "根据权利要求1和2所述的"),
        ("根据权利要求二或三中任一项所述的", {3: 2}, "根据权利要求二所述的"),
        ("根据权力要求1或权力要求3所述的", {3: 2}, "根据权力要求1或权力要求2所述的"),
    ],
)
def test_numbers_that_fall_together_are_written_once(
    text: str, replaced: dict[int, int], expected: str
) -> None:
    assert rewrite(text, lambda number: replaced.get(number, number)) == expected


def test_a_list_that_becomes_unordered_is_sorted() -> None:
    swapped = {2: 5, 5: 2}
    text = "如权利要求1、2或3所述的装置"
    assert rewrite(text, lambda n: swapped.get(n, n)) == "如权利要求1、3或5所述的装置"


def test_a_range_whose_claims_only_changed_places_stays_as_it_is() -> None:
    swapped = {2: 3, 3: 2}
    text = "如权利要求1至4中任一项所述的装置"
    assert rewrite(text, lambda n: swapped.get(n, n)) == text


def test_a_range_that_an_insertion_parted_grows_together_again() -> None:
    text = "如权利要求1、2或4至7中任一项所述的装置"
    assert rewrite(text, lambda n: n - 1 if n > 3 else n) == "如权利要求1至6中任一项所述的装置"


def test_several_citations_in_one_text_are_all_rewritten() -> None:
    text = "如权利要求1或2所述的装置，按权利要求3至4任一项的方法制成"
    assert rewrite(text, lambda n: n + 1) == (
        "如权利要求2或3所述的装置，按权利要求4至5任一项的方法制成"
    )


def test_cited_numbers_write_ranges_out() -> None:
    assert cited_numbers("如权利要求1至3或5所述，权利要求９") == {1, 2, 3, 5, 9}
