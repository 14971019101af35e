import json
import time
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from console.drafting.cores import cores, passages, told_categories
from console.drafting.disclosure import read_sentences
from inference.models.corpus import TRAIN_FILE

DATA = Path(__file__).parent / "data"
DEVICE = (DATA / "sealing_test_device.txt").read_text("utf-8")


def test_the_prompt_prefers_the_solution_to_background_and_effects() -> None:
    chosen = passages(read_sentences(DEVICE), 600)
    assert chosen.startswith("一种血液灌流器的密封检测装置，包括内包装袋和湿度卡")
    assert "市场上出售" not in chosen
    assert "有益效果" not in chosen


def test_lines_broken_inside_a_sentence_are_joined() -> None:
    assert "所述内包装袋内放置血液灌流器，所述内包装袋内充正压气体" in passages(
        read_sentences(DEVICE), 1_500
    )


def test_an_independent_claim_is_written_from_what_stands_before_the_refinements() -> None:
    (fullest, *_) = cores(passages(read_sentences(DEVICE), 1_500))
    assert fullest.startswith("一种血液灌流器的密封检测装置，包括内包装袋和湿度卡；")
    assert "进一步" not in fullest
    assert "阻隔聚合物" not in fullest


def test_a_long_sentence_is_cut_where_it_begins_to_elaborate() -> None:
    abstract = (
        "本发明公开了一种多功能性复合涂层，包括依次设置的基材、底漆层和面漆层，所述基材为建筑基材、石膏制品基材"
        "或金属基材，所述底漆层为水性丙烯酸涂层、水性聚氨酯涂层或环氧涂层，所述面漆层为无机涂层，所述无机涂层"
        "包括以下质量份数的组分：纳米二氧化硅溶胶25-45份、有机硅烷25-45份、功能性填料5-10份。"
    )
    fullest, *shorter = cores(passages(read_sentences(abstract), 1_500))
    assert "无机涂层" not in fullest
    assert all(len(one) < len(fullest) for one in shorter)


def test_a_procedure_keeps_all_of_its_steps() -> None:
    abstract = (
        "一种碳材料的制备方法，包括采用凝胶吸取过渡金属盐溶液，其中，氮以氮源的形式包含于盐溶液中，"
        "然后去除凝胶中的溶剂，获得凝胶块前驱体，对凝胶块前驱体进行热处理，得到碳材料。"
    )
    for core in cores(passages(read_sentences(abstract), 1_500)):
        assert all(step in core for step in ("吸取", "去除", "热处理"))
    assert told_categories(read_sentences(abstract)) == ["method"]
    assert told_categories(read_sentences("一种膜，包括基材层和涂层，所述涂层设于基材层上。")) == [
        "product"
    ]


def test_what_a_scan_left_behind_the_last_full_stop_is_passed_over() -> None:
    assert "16131210" not in passages(
        read_sentences("一种装置，包括底座。所述底座上设有立柱。16131210吃龄电机"), 500
    )


def test_the_field_is_no_part_of_the_core() -> None:
    abstract = (
        "本发明涉及测绘设备领域，具体是一种测绘装置，包括支撑筒和升降筒，所述升降筒设于支撑筒上端。"
    )
    assert cores(passages(read_sentences(abstract), 1_500))[0].startswith("一种测绘装置，包括")


def test_every_real_abstract_gives_a_prompt() -> None:
    rows = [json.loads(line) for line in TRAIN_FILE.read_text("utf-8").splitlines()]
    abstracts = [row["abstract"] for row in rows if row["abstract"]]
    assert len(abstracts) > 390
    assert all(passages(read_sentences(abstract), 1_500) for abstract in abstracts)
    assert all(cores(passages(read_sentences(abstract), 1_500))[0] for abstract in abstracts)


def test_a_disclosure_of_half_a_million_characters_is_read_at_once() -> None:
    started = time.process_time()
    chosen = passages(read_sentences(DEVICE * 60), 1_500)
    assert len(chosen) <= 1_500
    # Far above what it takes (half a second): what this excludes is a quadratic time.
    assert time.process_time() - started < 20


@given(st.text(alphabet="一种膜包括，。；：\n技术背景方案领域1.（2）如图所示3mm", max_size=300))
def test_any_text_is_read_within_its_budget(text: str) -> None:
    assert len(passages(read_sentences(text), 50)) <= 50
    assert all(core.endswith("。") for core in cores(passages(read_sentences(text), 50)) if core)
