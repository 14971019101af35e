import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.drafting import titles
from inference.models.corpus import TRAIN_FILE


@pytest.mark.parametrize(
    ("title", "product", "method"),
    [
        ("一种多层复合膜及其制备方法", "多层复合膜", "多层复合膜的制备方法"),
        (
            "一种衣物处理装置的预约控制方法及衣物处理装置",
            "衣物处理装置",
            "衣物处理装置的预约控制方法",
        ),
        ("一种设备维护方法、装置及系统", "设备维护装置", "设备维护方法"),
        ("新风空调一体机的控制方法和装置", "新风空调一体机的控制装置", "新风空调一体机的控制方法"),
        (
            "光伏天窗的控制方法、控制装置、存储介质和处理器",
            "光伏天窗的控制装置",
            "光伏天窗的控制方法",
        ),
        (
            "用于紧急切断阀的超温关闭性能测试装置及方法",
            "用于紧急切断阀的超温关闭性能测试装置",
            "用于紧急切断阀的超温关闭性能测试方法",
        ),
        (
            "一种钌基催化剂、其制备方法及其应用",
            "钌基催化剂",
            "钌基催化剂的制备方法",
        ),
        ("炼焦系统及炼焦方法", "炼焦系统", "炼焦方法"),
        ("一种化成箔处理液、处理方法及化成箔", "化成箔处理液", "化成箔处理方法"),
        ("一种滚轮组件及使用该滚轮组件的门窗和客车", "滚轮组件", ""),
        ("一种高Bs、高频低损耗磁性材料", "高Bs、高频低损耗磁性材料", ""),
        ("双面坡口开设方法", "", "双面坡口开设方法"),
        ("一种高韧性聚酰亚胺材料及其应用", "高韧性聚酰亚胺材料", ""),
        ("一种银纳米线在柔性电极中的应用", "", "银纳米线在柔性电极中的应用"),
        ("电子装置及其延长电池寿命的方法", "电子装置", "电子装置的延长电池寿命的方法"),
        ("一种考勤信息处理的方法以及相关装置", "考勤信息处理的装置", "考勤信息处理的方法"),
    ],
)
def test_a_title_names_its_product_and_its_method(title: str, product: str, method: str) -> None:
    named = titles.read_title(title)
    assert (named.product, named.method) == (product, method)


def test_the_order_of_the_title_is_kept() -> None:
    assert titles.read_title("一种人机交互方法、装置及自动售货机").categories == [
        "method",
        "product",
    ]


def test_four_of_five_real_first_claims_have_a_subject_that_the_title_gave() -> None:
    rows = [json.loads(line) for line in TRAIN_FILE.read_text("utf-8").splitlines()]
    opening = [(row["title"], row["claims"][0]["text"]) for row in rows if row["title"]]
    named = 0
    for title, claim in opening:
        subjects = titles.read_title(title)
        candidates = [name for name in (subjects.product, subjects.method) if name]
        named += any(name in claim[: len(name) + 10] for name in candidates)
    assert named / len(opening) > 0.75


@pytest.mark.parametrize(
    ("title", "category", "made"),
    [
        ("一种多层复合膜", "method", "多层复合膜的制备方法"),
        ("一种造粒流化床反应设备", "method", "造粒流化床反应设备的使用方法"),
        ("双面坡口开设方法", "product", "双面坡口开设装置"),
        ("一种铂掺杂碳化物的制备方法", "product", "铂掺杂碳化物"),
    ],
)
def test_a_category_that_the_title_does_not_name_gets_a_name_made_from_it(
    title: str, category: str, made: str
) -> None:
    assert titles.other_category(titles.read_title(title), category) == made


@given(st.text(alphabet="一种膜及其和与、以的制备方法装置系统用于A1 。", max_size=40))
def test_any_title_names_something(title: str) -> None:
    named = titles.read_title(title)
    assert named.categories
    assert all(getattr(named, category) for category in named.categories)


def test_a_subject_says_that_it_is_a_method() -> None:
    assert titles.with_clear_category("软土固化复合地基处理技术") == "软土固化复合地基处理方法"
    assert titles.with_clear_category("多层膜") == "多层膜"
