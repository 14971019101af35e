import pytest

from tests.rules.linter.support import marked, only

PUMP = "一种水泵，其特征在于，包括叶轮。"


def test_I01_an_independent_claim_in_one_part_is_a_warning() -> None:
    assert [f.severity for f in only("I01", "一种水泵，包括叶轮。")] == ["warning"]


@pytest.mark.parametrize(
    "text",
    [
        PUMP,
        "一种水泵，其特征是：包括叶轮。",
        "一种水泵，其改进在于，包括叶轮。",
        "赤玉土作为除磷基质的应用。",
        "一种水厂，包括权利要求1所述的水泵。",
    ],
)
def test_I01_is_silent_where_there_is_a_marker_or_no_second_part_to_mark(text: str) -> None:
    assert only("I01", text) == []


@pytest.mark.parametrize(
    ("subject", "severity"),
    [
        ("铝合金门窗框与墙体连接技术", "error"),
        ("复合材料及其制备方法", "error"),
        ("复合材料及制作方法", "error"),
        ("数据处理方法及装置", "error"),
        ("加密方案", "warning"),
    ],
)
def test_I02_a_subject_that_is_vague_or_of_two_kinds(subject: str, severity: str) -> None:
    text = f"一种{subject}，其特征在于，A。"
    (found,) = only("I02", text)
    assert (found.severity, marked(found, text)) == (severity, subject)


@pytest.mark.parametrize(
    "subject",
    [
        "数据采集及处理方法",
        "水及其杂质的检测方法",
        "智能百叶窗及其控制系统",
        "电池和电池组",
        "水泵",
    ],
)
def test_I02_is_silent_on_one_category(subject: str) -> None:
    assert only("I02", f"一种{subject}，其特征在于，A。") == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("一种水泵，其特征在于，叶轮如图1所示。", "如图1所示"),
        ("一种水泵，其特征在于，叶轮如说明书第三部分所述。", "如说明书第三部分所述"),
        ("一种水泵，其特征在于，结构见附图2和3所示。", "见附图2和3所示"),
        ("一种水泵，其特征在于，结构如下图所示。", "如下图所示"),
    ],
)
def test_W05_no_reference_to_drawings_or_description(text: str, words: str) -> None:
    (found,) = only("W05", text)
    assert (found.severity, marked(found, text)) == ("error", words)


def test_W05_is_a_warning_for_a_crystal_that_only_a_figure_defines() -> None:
    text = "如权利要求1所述的A晶型，其特征在于，具有与说明书附图图1基本上相同的XRPD图谱。"
    assert [f.severity for f in only("W05", text)] == ["warning"]


@pytest.mark.parametrize("words", ["图像", "如图像传感器", "产品说明书中的二维码", "图3D打印"])
def test_W05_is_silent_on_words_that_only_look_like_it(words: str) -> None:
    assert only("W05", f"一种设备，其特征在于，读取{words}。") == []


def test_W15_the_superfluous_一种_after_a_citation() -> None:
    text = "根据权利要求1所述的一种水泵，其特征在于，A。"
    (found,) = only("W15", PUMP, text)
    assert (found.severity, found.consequence, marked(found, PUMP, text)) == (
        "warning",
        "style",
        "一种",
    )


def test_W17_half_width_punctuation_is_reported_once_a_claim_and_breaks_no_other_rule() -> None:
    text = "根据权利要求1所述的水泵,其特征在于:叶轮(1)为铁质;轴为铜质."
    (found,) = only("W17", PUMP, text)
    assert (found.start, found.severity) == (text.index(","), "warning")
    assert "4处" in found.message
    assert [f.rule for f in only("D02", PUMP, text)] == []
    assert only("C04", PUMP, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "一种2,4-二氯苯，其特征在于，比例为1:3。",
        "一种共聚物，其特征在于，摩尔比为(45—60):1:0.2。",
        "一种交联酸，其特征在于，体积比为(50～70):(50～30)。",
    ],
)
def test_W17_numbers_and_formulae_keep_their_half_width_marks(text: str) -> None:
    assert only("W17", text) == []
