import pytest

from rules.linter import Claim
from rules.linter.document import read_claim_set, read_document

FIRST = "一种水泵，其特征在于，包括叶轮。"
SECOND = "根据权利要求1所述的水泵，其特征在于，叶轮为铁质。"


@pytest.mark.parametrize("style", ["{}. ", "{}、", "{}．", "{}.", "{} ", "{}：", "  {}. ", "({})"])
def test_claims_are_found_in_every_numbering_style(style: str) -> None:
    text = f"{style.format(1)}{FIRST}\n{style.format(2)}{SECOND}\n"
    assert read_claim_set(text) == [Claim(1, FIRST), Claim(2, SECOND)]


def test_full_width_numbers() -> None:
    assert [c.number for c in read_claim_set(f"１．{FIRST}\n２．{SECOND}")] == [1, 2]


def test_claims_on_one_line() -> None:
    assert read_claim_set(f"1.{FIRST}2.{SECOND}") == [Claim(1, FIRST), Claim(2, SECOND)]


def test_a_claim_over_several_lines_keeps_its_numbered_steps() -> None:
    method = "一种方法，其特征在于，包括：\n1、加热；\n2、冷却；\n3）包装。"
    assert read_claim_set(f"1. {method}\n2. {SECOND}") == [Claim(1, method), Claim(2, SECOND)]


def test_windows_line_ends() -> None:
    assert read_claim_set(f"1. {FIRST}\r\n2. {SECOND}\r\n") == [Claim(1, FIRST), Claim(2, SECOND)]


def test_text_without_numbers_is_one_claim() -> None:
    assert read_claim_set(FIRST) == [Claim(1, FIRST)]
    method = "一种制备方法，包括以下步骤：\n1、提供基材层；\n2、涂布涂层。"
    assert read_claim_set(method) == [Claim(1, method)]
    assert read_claim_set(" \n") == []


def test_a_missing_number_is_kept_for_the_linter_to_report() -> None:
    assert [c.number for c in read_claim_set(f"1. {FIRST}\n3. {SECOND}")] == [1, 3]


@pytest.mark.parametrize("title", ["权利要求书", "权 利 要 求 书", "一种水泵"])
def test_C03_a_title_is_left_out_and_reported(title: str) -> None:
    document = read_document(f"{title}\n\n1. {FIRST}")
    assert document.claims == (Claim(1, FIRST),)
    (found,) = document.findings
    assert (found.rule, found.claim, found.start, found.end) == ("C03", 0, 0, len(title))


def test_C02_a_word_before_the_number_is_reported() -> None:
    document = read_document(f"权利要求1：{FIRST}\n权利要求2：{SECOND}")
    assert [claim.text for claim in document.claims] == [FIRST, SECOND]
    assert [(f.rule, f.claim) for f in document.findings] == [("C02", 1), ("C02", 2)]
