"""Dependent or independent: decided by the head and the subject name, never by a mention."""

import pytest

from rules.linter import Claim, analyse
from tests.rules.linter.support import claims

PUMP = "一种水泵，其特征在于，包括叶轮。"


def kinds(*texts: str) -> list[str]:
    return [info.kind for info in analyse(claims(*texts))]


@pytest.mark.parametrize(
    "head",
    [
        "根据权利要求1所述的水泵，其特征在于，A。",
        "如权利要求1所述的水泵，其中，A。",
        "按照权利要求1所述的水泵，A。",
        "权利要求1的水泵，其中A。",
        "据权利要求1所述的水泵，其特征在于，A。",
        "根据权利要求1所述的一种水泵，其特征在于：A。",
        "根据权利要求1所述水泵，其特征是：A。",
        "根据前述权利要求中任一项所述的水泵，其中，A。",
        "根据权利要求1所述的泵，其特征在于，A。",
        "根据权利要求1所得的水泵，其特征在于，A。",
        "如权利要1所述的水泵，其特征在于，A。",
        "根据权利要求1，其特征在于，A。",
        "一种如权利要求1所述的水泵，其特征在于，A。",
    ],
)
def test_a_claim_that_restates_the_subject_after_citing_is_dependent(head: str) -> None:
    assert kinds(PUMP, head)[1] == "dependent"


@pytest.mark.parametrize(
    "head",
    [
        "一种水厂，其特征在于，包括如权利要求1所述的水泵。",
        "一种实施权利要求1的水泵的控制方法，其特征在于，A。",
        "根据权利要求1所述的水泵的制造方法，其特征在于，包括铸造。",
        "一种权利要求1所述的水泵的制造方法，其特征在于，包括铸造。",
        "权利要求1所述的水泵在灌溉中的应用。",
        "一种水泵的控制方法，采用如权利要求1所述的水泵，其特征在于，A。",
        "采用权利要求1所述的水泵输送得到的水。",
        "一种存储介质，其上的程序被执行时控制权利要求1所述的水泵。",
    ],
)
def test_a_claim_to_another_thing_is_independent_though_it_cites(head: str) -> None:
    texts = (PUMP, head)
    assert kinds(*texts)[1] == "independent"
    assert analyse(claims(*texts))[1].cites == (1,)


def test_a_product_made_by_the_cited_method_is_independent() -> None:
    method = "一种氧化铈材料的制备方法，其特征在于，包括煅烧。"
    product = "根据权利要求1所述的制备方法制备得到的氧化铈材料。"
    use = "权利要求2所述的氧化铈材料在玻璃抛光中的应用。"
    infos = analyse(claims(method, product, use))
    assert [info.kind for info in infos] == ["independent"] * 3
    assert infos[1].subject == "氧化铈材料"


def test_a_use_that_cites_many_claims_is_independent() -> None:
    texts = (
        "一种分子筛，其特征在于，含铁。",
        "一种分子筛的制备方法，其特征在于，晶化。",
        "权利要求1所述的分子筛、按照权利要求2所述的方法制备的分子筛或者组合物作为吸附剂的应用。",
    )
    assert kinds(*texts) == ["independent"] * 3


def test_subjects_and_citations_are_given_as_the_drafter_needs_them() -> None:
    infos = analyse(
        claims(PUMP, "根据权利要求1所述的水泵，其特征在于，A。", "根据权利要求1或2所述的水泵，B。")
    )
    assert [info.subject for info in infos] == ["水泵", "水泵", "水泵"]
    assert [info.cites for info in infos] == [(), (1,), (1, 2)]
    assert [info.multiple for info in infos] == [False, False, True]


def test_前述权利要求_means_every_earlier_claim() -> None:
    infos = analyse(
        claims(PUMP, "如权利要求1所述的水泵，A。", "根据前述权利要求中任一项所述的水泵，B。")
    )
    assert infos[2].cites == (1, 2)
    assert infos[2].multiple


def test_a_subject_ends_before_its_body_but_not_inside_its_own_qualifier() -> None:
    subjects = [
        analyse([Claim(1, text)])[0].subject
        for text in (
            "一种水泵包括叶轮，其特征在于，A。",
            "一种包括叶轮的水泵，其特征在于，A。",
            "一种用于处理A、B的装置，其特征在于，A。",
            "一种通式为TiB、C,的复合材料，其特征在于，A。",
            "本发明涉及一种水泵，其特征在于，A。",
            "水泵，其特征在于，A。",
            "一种水泵其特征在于A。",
            "一种自由基聚合方法，其特征在于，A。",
            "一种考勤信息处理的方法，其特征在于，A。",
            "采用权利要求5至9中任一项所述的方法清洗得到的晶圆。",
            "一种使用权利要求1所述的制冷剂组合物的冷冻方法。",
            "一种包括权利要求1至7任一项所述的制备方法得到的高光泽纸张。",
            "一种组合物由A和B组成。",
            "一种由A和B组成的组合物，其特征在于，A。",
        )
    ]
    assert subjects == [
        "水泵",
        "包括叶轮的水泵",
        "用于处理A、B的装置",
        "通式为TiB、C，的复合材料",
        "水泵",
        "水泵",
        "水泵",
        "自由基聚合方法",
        "考勤信息处理的方法",
        "晶圆",
        "冷冻方法",
        "高光泽纸张",
        "组合物",
        "由A和B组成的组合物",
    ]


def test_a_method_claim_with_the_wrong_number_depends_and_says_so() -> None:
    """Claim 4 goes on from 所述步骤, which only the method of claim 3 introduced."""
    texts = (
        "一种印花纸，其特征在于，包括涂层。",
        "根据权利要求1所述的印花纸，其特征在于，涂层含染料。",
        "根据权利要求1或2所述的印花纸的制备方法，其特征在于，包括步骤(1)涂布。",
        "根据权利要求2所述的印花纸的制备方法，其特征在于，所述步骤(1)中转速为100转。",
    )
    assert kinds(*texts) == ["independent", "dependent", "independent", "dependent"]
