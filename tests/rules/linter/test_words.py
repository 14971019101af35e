import pytest

from rules.linter import LintSettings, TermRule
from tests.rules.linter.support import SETTINGS, marked, only


def words(rule: str, body: str, settings: LintSettings = SETTINGS) -> list[str]:
    text = f"一种水泵，其特征在于，{body}。"
    return [marked(found, text) for found in only(rule, text, settings=settings)]


def test_a_word_is_a_breach_unless_it_lies_inside_an_allowed_context() -> None:
    assert words("W01", "叶轮为金属，例如铁") == ["例如"]
    assert words("W01", "各组分的比例如下") == []
    assert words("W01", "比例如下，例如铁") == ["例如"]


def test_the_longest_word_wins_and_a_place_is_reported_once() -> None:
    assert words("W02", "温度优选为低") == ["优选为"]


def test_a_shorter_word_counts_where_the_longer_is_allowed() -> None:
    settings = LintSettings(
        terms=(
            TermRule("优选为", "W02", "warning", ("优选为首",)),
            TermRule("优选", "W02", "warning"),
        )
    )
    assert words("W02", "优选为首", settings) == ["优选"]


@pytest.mark.parametrize("body", ["厚度约5mm", "厚度约为5mm", "约十分钟", "约 5 mm"])
def test_W03_约_before_a_figure(body: str) -> None:
    assert words("W03", body) == ["约"]


@pytest.mark.parametrize(
    "body", ["节约能源", "预约控制", "约束件", "合约内容", "等于5", "相等", "左右两侧"]
)
def test_W03_is_silent_on_other_words_with_the_same_characters(body: str) -> None:
    assert words("W03", body) == []


@pytest.mark.parametrize("body", ["温度为5℃左右", "长10 mm左右", "转动三圈左右"])
def test_W03_左右_after_a_figure(body: str) -> None:
    assert words("W03", body) == ["左右"]


def test_W04_a_relative_term_is_definite_beside_its_figure() -> None:
    assert words("W04", "进行高温处理") == ["高温"]
    assert words("W04", "在800℃下高温处理") == []
    assert words("W04", "进行高温处理，温度为800℃") == []
    assert words("W04", "炉温调至900~1000℃，进行高温处理") == []
    assert words("W04", "高温合金") == []
    assert words("W04", "进行高温处理，所述高温处理在炉中进行") == ["高温"]


def test_W04_terms_of_art_are_allowed() -> None:
    assert words("W04", "薄膜") == []
    assert words("W04", "叶片薄") == ["薄"]


def test_W02_becomes_an_error_when_a_narrower_range_follows_a_broader_one() -> None:
    text = "一种水泵，其特征在于，温度为20~80℃，优选为40~60℃。"
    assert [f.severity for f in only("W02", text)] == ["error"]
    text = "一种水泵，其特征在于，材料为金属，优选为铁。"
    assert [f.severity for f in only("W02", text)] == ["warning"]


def test_W02_a_number_in_the_citation_is_no_broader_range() -> None:
    text = "根据权利要求1所述的水泵，其特征在于，温度优选40℃。"
    assert [f.severity for f in only("W02", text)] == ["warning"]


def test_W02_the_number_of_a_step_is_no_broader_range() -> None:
    for step in ("步骤(1)中", "(2)碱洗，", "步骤S3中"):
        text = f"一种方法，其特征在于，{step}槽液优选浓度为14%。"
        assert [f.severity for f in only("W02", text)] == ["warning"]


def test_a_word_broken_by_a_space_or_a_line_is_found_with_its_place_in_the_original() -> None:
    text = "一种水泵，其特征在于，叶轮为金属，例 \n如铁。"
    (found,) = only("W01", text)
    assert marked(found, text) == "例 \n如"


def test_the_replacement_is_proposed() -> None:
    (found,) = only("W16", "一种水泵，其特征在于，如请求项一。")
    assert "可改为「权利要求」" in found.message
    assert "权利要求" in found.message_en


def test_a_row_of_a_pack_is_read_with_its_own_article_and_message() -> None:
    settings = LintSettings.from_pack(
        {
            "forbidden": [
                {
                    "term": "连接",
                    "rule": "H01",
                    "severity": "error",
                    "allowed_in": ["电连接"],
                    "replacement": "耦合",
                    "article": "本所规范3.1",
                    "message": {"zh": "写耦合", "en": "write 耦合"},
                }
            ]
        }
    )
    text = "一种水泵，其特征在于，轴与叶轮连接，与电源电连接。"
    (found,) = only("H01", text, settings=settings)
    assert (found.article, found.message, found.message_en) == (
        "本所规范3.1",
        "写耦合",
        "write 耦合",
    )
    assert marked(found, text) == "连接"


def test_a_word_rule_does_not_repeat_a_phrase_that_was_already_reported() -> None:
    settings = LintSettings(terms=(TermRule("如图", "W05", "error"),))
    assert words("W05", "叶轮如图1所示", settings) == ["如图1所示"]


@pytest.mark.parametrize("severity", ["fatal", ""])
def test_an_unknown_severity_is_refused(severity: str) -> None:
    with pytest.raises(ValueError, match="severity"):
        TermRule("例如", "W01", severity)  # type: ignore[arg-type]


def test_an_english_word_counts_in_any_case_and_not_inside_a_longer_one() -> None:
    row = {"term": "means", "rule": "W18", "severity": "warning", "whole_word": True}
    settings = LintSettings(terms=(TermRule.from_row(row),))
    assert words("W18", "包括Means for fixing", settings) == ["Means"]
    assert words("W18", "包括meansure与bymeans", settings) == []
