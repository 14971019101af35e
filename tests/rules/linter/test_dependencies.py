import pytest

from rules.linter import LintSettings
from tests.rules.linter.support import lint, marked, only, rules

PUMP = "一种水泵，其特征在于，包括叶轮。"
SECOND = "根据权利要求1所述的水泵，其特征在于，叶轮为铁质。"


def test_a_sound_claim_set_has_no_findings() -> None:
    third = "根据权利要求1或2所述的水泵，其特征在于，还包括电机。"
    assert lint(PUMP, SECOND, third) == []


@pytest.mark.parametrize(
    "text",
    [
        "根据权利要求1，其特征在于，A。",
        "如权利要求1所述，其特征在于，A。",
        "根据权利要求1所述的，A。",
    ],
)
def test_D01_a_citation_without_the_subject_name(text: str) -> None:
    assert (2, "D01", "error") in rules(PUMP, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("根据前述权利要求中任一项所述的水泵，其特征在于，A。", "前述权利要求"),
        ("根据上述任一权利要求所述的水泵，其特征在于，A。", "上述任一权利要求"),
        ("根据任一项前述的权利要求所述的水泵，其特征在于，A。", "任一项前述的权利要求"),
        ("一种水厂，其特征在于，包括前述 权利要求中任一项所述的水泵。", "前述 权利要求"),
    ],
)
def test_D01_a_citation_without_a_number(text: str, words: str) -> None:
    (found,) = only("D01", PUMP, text)
    assert found.severity == "warning"
    assert marked(found, PUMP, text) == words


def test_D01_a_number_after_上述_is_a_number() -> None:
    assert only("D01", PUMP, "根据上述权利要求1所述的水泵，其特征在于，A。") == []


def test_D02_another_subject_under_a_dependent_head_is_an_error() -> None:
    (found,) = only("D02", PUMP, "根据权利要求1所述的阀门，其特征在于，阀门为球阀。")
    assert found.severity == "error"
    assert found.consequence == "formal"
    assert "细则25.1" in found.article
    assert marked(found, PUMP, "根据权利要求1所述的阀门，其特征在于，阀门为球阀。") == "阀门"


def test_D02_a_shortened_subject_is_only_a_warning() -> None:
    (found,) = only(
        "D02", "一种数据处理方法，其特征在于，A。", "根据权利要求1所述的方法，其特征在于，B。"
    )
    assert found.severity == "warning"


def test_D02_a_part_of_a_subject_that_names_alternatives_is_only_a_warning() -> None:
    compound = "通式(I)的化合物、或其晶型、药学上可接受的盐，A。"
    (found,) = only("D02", compound, "如权利要求1所述化合物，其中，B。")
    assert found.severity == "warning"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("一种催化剂载体的制备方法，其特征在于，A。", "根据权利要求1所述的催化剂载体制备方法，B。"),
        ("一种水泵(10)，其特征在于，A。", "根据权利要求1所述的水泵（10），B。"),
        ("水泵，其特征在于，A。", "根据权利要求1所述的一种水泵，B。"),
        ("采用权利要求9的方法得到的晶圆，其特征在于，A。", "根据权利要求1所述的晶圆，B。"),
        (
            "实现权利要求9所述的一种匣钵的制备方法，其特征在于，A。",
            "根据权利要求1所述的一种匣钵的制备方法，B。",
        ),
    ],
)
def test_D02_is_silent_where_the_name_is_the_same_but_for_its_spelling(
    first: str, second: str
) -> None:
    assert only("D02", first, second) == []


def test_D02_a_dependent_may_restate_the_full_name_where_the_cited_claim_shortened_it() -> None:
    first = "一种数据处理方法，其特征在于，A。"
    second = "根据权利要求1所述的方法，其特征在于，B。"
    third = "根据权利要求2所述的数据处理方法，其特征在于，C。"
    assert [found.claim for found in only("D02", first, second, third)] == [2]


def test_D02_names_the_claim_that_was_probably_meant() -> None:
    texts = (
        "一种载体，其特征在于，A。",
        "一种催化剂，其特征在于，包括权利要求1所述的载体。",
        "根据权利要求1所述的催化剂，其特征在于，B。",
    )
    (found,) = only("D02", *texts)
    assert found.claim == 3
    assert "是否应引用权利要求2" in found.message
    assert only("C09", *texts) == []


def test_D02_a_citing_independent_is_not_reported() -> None:
    texts = (PUMP, "根据权利要求1所述的水泵的制造方法，其特征在于，包括铸造。")
    assert only("D02", *texts) == []


@pytest.mark.parametrize(("cited", "rule"), [(2, "D03"), (3, "D03"), (15, "D04")])
def test_D03_and_D04_only_earlier_claims_that_exist_may_be_cited(cited: int, rule: str) -> None:
    text = f"根据权利要求{cited}所述的水泵，其特征在于，A。"
    found = only(rule, PUMP, text, SECOND)
    assert [(f.claim, f.severity) for f in found] == [(2, "error")]
    assert marked(found[0], PUMP, text) == str(cited)


def test_D03_a_range_that_reaches_the_claim_itself() -> None:
    third = "根据权利要求1至3中任一项所述的水泵，其特征在于，A。"
    (found,) = only("D03", PUMP, SECOND, third)
    assert marked(found, PUMP, SECOND, third) == "3"


@pytest.mark.parametrize("joined", ["1和2", "1、2", "1-2", "1及2"])
def test_D05_a_multiple_dependent_claim_must_cite_in_the_alternative(joined: str) -> None:
    text = f"根据权利要求{joined}所述的水泵，其特征在于，A。"
    (found,) = only("D05", PUMP, SECOND, text)
    assert found.severity == "error"
    assert marked(found, PUMP, SECOND, text) == f"权利要求{joined}"


def test_D05_is_not_asked_of_an_independent_claim() -> None:
    assert only("D05", PUMP, SECOND, "权利要求1-2所述的水泵在灌溉中的应用。") == []


def test_D06_a_multiple_dependent_claim_must_not_cite_another() -> None:
    third = "根据权利要求1或2所述的水泵，其特征在于，A。"
    fourth = "根据权利要求1、2或3所述的水泵，其特征在于，B。"
    (found,) = only("D06", PUMP, SECOND, third, fourth)
    assert (found.claim, found.severity, found.consequence) == (4, "error", "formal")


def test_D06_a_single_dependency_on_a_multiple_dependent_claim_is_allowed() -> None:
    third = "根据权利要求1或2所述的水泵，其特征在于，A。"
    assert only("D06", PUMP, SECOND, third, "根据权利要求3所述的水泵，B。") == []


def test_D06_an_independent_claim_may_cite_multiple_dependent_claims() -> None:
    third = "根据权利要求1或2所述的水泵，其特征在于，A。"
    fourth = "一种水厂，其特征在于，包括如权利要求1至3中任一项所述的水泵。"
    fifth = "根据权利要求1至3中任一项所述的水泵的控制方法，其特征在于，包括启动。"
    assert only("D06", PUMP, SECOND, third, fourth, fifth) == []


INDIRECT = (
    PUMP,
    SECOND,
    "根据权利要求1或2所述的水泵，其特征在于，A。",
    "根据权利要求3所述的水泵，其特征在于，B。",
    "根据权利要求1或4所述的水泵，其特征在于，C。",
)


@pytest.mark.parametrize(
    ("setting", "severities"),
    [("forbid", ["warning"]), ("forbid_indirect", ["error"]), ("allow", [])],
)
def test_D06_the_indirect_case_is_a_warning_unless_the_pack_says_otherwise(
    setting: str, severities: list[str]
) -> None:
    settings = LintSettings.from_pack({"linter": {"multi_on_multi": setting}})
    assert [f.severity for f in only("D06", *INDIRECT, settings=settings)] == severities


@pytest.mark.parametrize("wrong", ["权利要", "权利要去", "权利权利", "权利"])
def test_D07_a_misspelt_citation_is_read_and_reported(wrong: str) -> None:
    text = f"根据{wrong}1所述的水泵，其特征在于，A。"
    (found,) = only("D07", PUMP, text)
    assert marked(found, PUMP, text) == wrong


def test_D07_a_misspelt_citation_after_一种_still_makes_the_claim_dependent() -> None:
    texts = (PUMP, "一种如权利1所述的一种水泵，其特征在于，A。", SECOND)
    assert [(f.claim, f.rule) for f in lint(*texts) if f.severity == "error"] == [(2, "D07")]


def test_D07_a_range_that_descends() -> None:
    text = "根据权利要求2至1中任一项所述的水泵，其特征在于，A。"
    assert [f.severity for f in only("D07", PUMP, SECOND, text)] == ["warning"]
