from pathlib import Path

from console.drafting.disclosure import read_sentences

DATA = Path(__file__).parent / "data"
DEVICE = (DATA / "sealing_test_device.txt").read_text("utf-8")


def sections() -> dict[str, str]:
    found: dict[str, str] = {}
    for sentence in read_sentences(DEVICE):
        found[sentence.section] = found.get(sentence.section, "") + sentence.text
    return found


def test_the_sections_of_a_real_description_are_told_apart() -> None:
    found = sections()
    assert "市场上出售的灌流器" in found["background"]
    assert found["solution"].startswith("一种血液灌流器的密封检测装置，包括内包装袋和湿度卡；")
    assert "更高效地防止血液灌流器" in found["effects"]
    assert "1-血液灌流器" not in found["embodiment"]


def test_signs_and_figure_mentions_disappear_but_measures_stay() -> None:
    chosen = "".join(sentence.text for sentence in read_sentences(DEVICE))
    assert "内包装袋3" not in chosen
    assert "如图1所示" not in chosen
    assert "116kPa～130kPa" in chosen


def test_an_abstract_without_headings_is_all_solution_except_its_effects() -> None:
    abstract = "本发明公开了一种膜，包括基材层和涂层。本发明结构简单，成本低。"
    kinds = [sentence.section for sentence in read_sentences(abstract)]
    assert kinds == ["other", "effects"]


def test_signs_set_off_by_blanks_are_signs_too() -> None:
    text = (
        "公端组件 1包括公端壳体 11和主阀芯 12。主阀芯 12与公端壳体 11之间设有密封圈 16，"
        "母端组件 2包括滑套 25。公端组件 1插入母端组件 2后，滑套 25 复位，"
        "插接力由 205 N降到 62 N，锥角为 60°。"
    )
    said = "".join(sentence.text for sentence in read_sentences(text))
    assert "公端组件包括公端壳体和主阀芯。主阀芯与公端壳体之间设有密封圈" in said
    assert "滑套复位，插接力由205N降到62N，锥角为60°" in said


def test_a_heading_that_names_no_section_is_not_a_sentence() -> None:
    said = [
        sentence.text for sentence in read_sentences("## 十、希望保护的重点\n\n集液槽设有吸液环。")
    ]
    assert said == ["集液槽设有吸液环。"]


def test_numbers_stand_without_blanks_as_claims_are_printed() -> None:
    text = "过 200 目筛，升温到 90 ℃～95 ℃，浓度为 0.2 mol/L，见 ISO 9001 标准的 Type A 壳体。"
    assert read_sentences(text)[0].text == (
        "过200目筛，升温到90℃～95℃，浓度为0.2mol/L，见ISO 9001标准的Type A壳体。"
    )
