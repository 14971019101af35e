from rules.linter.listing import excerpt, lines
from tests.rules.linter.support import lint


def test_the_carets_stand_under_the_words_whatever_their_width() -> None:
    line, carets = excerpt("一种水泵(10),其特征在于", 4, 8)
    assert line == "    一种水泵(10),其特征在于"
    assert carets == "    " + " " * 8 + "^^^^"


def test_a_long_claim_is_cut_around_the_place() -> None:
    line, carets = excerpt("前" * 50 + "约" + "后" * 50, 50, 51)
    assert line == "    …" + "前" * 16 + "约" + "后" * 16 + "…"
    assert carets.endswith("^^")


def test_a_finding_shows_its_place_rule_law_and_what_follows_from_it() -> None:
    text = "一种水泵，其特征在于，包括叶轮。包括轴。"
    head, excerpt_line, carets = lines(lint(text)[0], text)
    assert head == (
        "权利要求1  错误 C04  权利要求中只允许在结尾处使用句号  [指南P2C2§3.3；形式缺陷，可补正]"
    )
    assert "叶轮。" in excerpt_line
    assert carets.strip() == "^^"


def test_a_finding_without_a_place_has_no_excerpt() -> None:
    assert len(list(lines(lint("")[0], ""))) == 1
