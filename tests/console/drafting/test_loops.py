import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.drafting.loops import LoopDetector, Verdict
from inference.models.corpus import TRAIN_FILE, normalise

PRINTED = [
    claim["text"]
    for line in TRAIN_FILE.read_text("utf-8").splitlines()
    for claim in json.loads(line)["claims"]
]


def find_loop(text: str) -> Verdict | None:
    return LoopDetector().feed(text)


@pytest.mark.parametrize("form", [str, normalise])
def test_no_real_claim_of_the_training_set_is_taken_for_a_loop(form: type) -> None:
    assert len(PRINTED) == 4_144
    assert [text for text in PRINTED if find_loop(form(text))] == []


@pytest.mark.parametrize(
    "text",
    [
        # Written by the untrained model under the grammar, as the node sent them.
        "一种装置，其特征在于，所述壳体" + "的壳体" * 30,
        "一种方法，包括以下步骤：" + "".join(f"步骤{i}：将所述基材放入溶液中；" for i in range(12)),
        "所述壳体上设有第一通孔，"
        + "".join(f"所述壳体上设有第{n}通孔，" for n in "二三四五六七八九"),
        "所述控制模块与所述处理模块连接，所述处理模块与所述控制模块连接，" * 8,
        "一种方法，能方便地、" + "有效地、准确地、有效地、准确地、" * 10,
        "一种膜，" + "0" * 80,
        "主阀芯100000000000000位压向插接端的主弹簧，将主阀芯100000000000000位压向插接端的主弹簧。",
    ],
)
def test_a_loop_is_seen_long_before_the_token_limit(text: str) -> None:
    detector = LoopDetector()
    seen = next((place for place, one in enumerate(text) if detector.feed(one)), None)
    assert seen is not None
    assert seen < 240


def test_letters_of_another_script_are_junk() -> None:
    assert find_loop("一种膜，其特征在于，包括기판층과涂层。") == "junk"


def test_a_list_of_measured_values_is_lawful() -> None:
    values = "、".join(f"{value / 10:.1f}±0.2" for value in range(91, 272, 9))
    assert find_loop(f"一种晶型，其X射线粉末衍射图在2θ值为{values}处具有衍射峰。") is None


@given(
    start=st.text(alphabet="一种装置包括，壳体与盖板连接；", max_size=60),
    unit=st.text(alphabet="壳体与盖板连接所述的，；", min_size=1, max_size=60),
    cuts=st.lists(st.integers(1, 30), min_size=1, max_size=20),
)
def test_any_stretch_repeated_to_no_end_is_seen_however_it_arrives(
    start: str, unit: str, cuts: list[int]
) -> None:
    text = start + unit * 400
    detector = LoopDetector()
    seen, place, turn = None, 0, 0
    while place < len(text) and seen is None:
        size = cuts[turn % len(cuts)]
        seen = detector.feed(text[place : place + size])
        place, turn = place + size, turn + 1
    assert seen == "loop"
