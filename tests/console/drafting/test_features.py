import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from console.drafting.disclosure import read_sentences
from console.drafting.features import (
    MAX_HINT,
    ONE_CLAUSE,
    clean,
    count_hints,
    narrower,
    next_hint,
    read_features,
    says,
)
from inference.models.corpus import TRAIN_FILE

DATA = Path(__file__).parent / "data"
DEVICE = (DATA / "sealing_test_device.txt").read_text("utf-8")
CLAIM_1 = (
    "一种血液灌流器的密封检测装置，其特征在于，包括内包装袋和湿度卡；所述内包装袋内放置血液灌流器，"
    "所述内包装袋内充正压气体，所述湿度卡嵌入内包装袋表面或者放置在内包装袋内。"
)


def hints(disclosure: str, claims: list[str], count: int, **wish: str) -> list[str]:
    features = read_features(read_sentences(disclosure))
    used: list[str] = []
    for _ in range(count):
        hint = next_hint(features, claims, used, category="product", **wish)
        if hint:
            used.append(hint)
    return used


def test_the_first_notes_are_the_preferred_features_of_the_summary() -> None:
    first = "\n".join(hints(DEVICE, [CLAIM_1], 8))
    for feature in ("湿度卡为无钴相对湿度卡", "45～96kPa", "内包装袋材料为湿气高阻隔聚合物薄膜"):
        assert feature in first


def test_notes_are_about_technical_features_not_effects_or_background() -> None:
    for hint in hints(DEVICE, [CLAIM_1], 20):
        assert not any(word in hint for word in ("有益效果", "能够", "从而", "目前", "本发明"))


def test_what_is_claimed_is_not_noted_again() -> None:
    claimed = [CLAIM_1, "根据权利要求1所述的装置，其特征在于，所述湿度卡为无钴相对湿度卡。"]
    assert "湿度卡为无钴相对湿度卡" not in hints(DEVICE, claimed, 6)


def test_all_notes_of_a_job_differ() -> None:
    found = hints(DEVICE, [CLAIM_1], 30)
    assert len(found) > 12
    assert len(set(found)) == len(found)


def test_when_everything_is_claimed_there_is_no_note() -> None:
    claim = "一种设备，其特征在于，包括底座、立柱和药液混合机构。"
    assert hints("一种设备，包括底座、立柱和药液混合机构。", [claim], 3) == []


def test_what_follows_further_is_one_note_while_other_parts_are_notes_of_their_own() -> None:
    sentence = "进一步，所述卡为无钴卡；所述无钴卡为多点卡。"
    assert [one.text for one in read_features(read_sentences(sentence))] == [
        "卡为无钴卡，无钴卡为多点卡"
    ]
    parts = "一种装置，包括底座和立柱；所述立柱上设有横梁；所述横梁上设有吊钩。"
    assert len(read_features(read_sentences(parts))) == 3


def test_short_notes_hold_one_clause_each() -> None:
    chain = "所述支架底部连接有底板，所述支架上设有连接杆，所述连接杆上设有顶部连接杆。"
    found = read_features(read_sentences(chain), size=ONE_CLAUSE)
    assert [one.text for one in found] == [
        "支架底部连接有底板",
        "支架上设有连接杆",
        "连接杆上设有顶部连接杆",
    ]


def test_effects_come_last() -> None:
    found = hints("所述壳体上设有散热孔，所述散热孔能够提高散热效果。所述壳体由铝合金制成。", [], 3)
    assert "能够" not in found[0]


def test_when_all_is_claimed_one_member_of_a_list_or_one_end_of_a_range_is_left() -> None:
    notes = narrower(
        "所述底漆层为丙烯酸涂层、聚氨酯涂层或环氧涂层，有机硅烷25-45份，干燥温度为80~90℃。"
    )
    assert "底漆层为聚氨酯涂层" in notes
    assert ("有机硅烷为25份" in notes, "有机硅烷为45份" in notes) == (True, True)
    assert "干燥温度为80℃" in notes
    assert narrower("") == []


def test_a_range_is_named_without_the_words_that_lead_to_it() -> None:
    notes = narrower(
        "包括六碳氟系丙烯酸酯30～35份、表面活性剂1～2份，交联剂20～30份及冰醋酸0～1份。"
    )
    assert "六碳氟系丙烯酸酯为30份" in notes
    assert ("冰醋酸为1份" in notes, "冰醋酸为0份" in notes) == (True, False)
    assert not any(note.startswith(("包括", "及")) for note in notes)


def test_praise_is_no_feature() -> None:
    praise = "结果显示加工后的材料具有大量位错，具有巨大的工业应用价值，安装一次性成功率高。"
    assert hints(praise, [CLAIM_1], 3) == []


def test_a_text_has_said_its_note_when_it_has_its_words() -> None:
    note = "支架上设有连接杆"
    assert says("所述支架上设有连接杆，", note)
    assert not says("所述支架上设有滑轨，", note)


def test_as_many_notes_are_counted_as_there_are() -> None:
    features = read_features(read_sentences(DEVICE))
    assert count_hints(features, [CLAIM_1], 5, category="product") == 5
    assert count_hints(features, [DEVICE], 5, category="product") < 5


def test_what_the_agent_wishes_for_comes_first() -> None:
    assert "湿度卡" in hints(DEVICE, [CLAIM_1], 1, instruction="侧重湿度卡的间隔")[0]


def test_a_note_has_no_lead_in_no_back_reference_and_no_forbidden_word() -> None:
    assert clean("进一步地，所述基材层的厚度优选为20μm；") == "基材层的厚度为20μm"
    assert clean("在一个实施例中，其中，上述壳体可以采用铝合金") == "壳体采用铝合金"


def test_real_abstracts_offer_notes_of_the_trained_length() -> None:
    rows = [json.loads(line) for line in TRAIN_FILE.read_text("utf-8").splitlines()]
    offers = [read_features(read_sentences(row["abstract"])) for row in rows]
    found = [next_hint(features, [], [], category="product") for features in offers]
    assert sum(map(bool, found)) > 0.85 * len(found)
    assert all(len(hint) <= MAX_HINT for hint in found)


@settings(max_examples=50)
@given(
    st.text(alphabet="壳体设有通孔，。；所述包括和、厚度为1mm\n进一步优选例如", max_size=200),
    st.lists(st.text(alphabet="壳体设有通孔，厚度", max_size=20), max_size=4),
)
def test_a_note_is_never_one_that_was_used(disclosure: str, used: list[str]) -> None:
    features = read_features(read_sentences(disclosure))
    hint = next_hint(features, [], used, category="product")
    assert not hint or hint not in used
