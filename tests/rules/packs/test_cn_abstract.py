import pytest

from rules.compiler import CompiledPack, DocumentState, compile_pack
from rules.compiler.verdict import Verdict, judge
from rules.packs import load_builtin

SENTENCE = "本发明公开了一种净水装置，包括壳体（1）和设置在壳体（1）内的滤芯（2）。"


@pytest.fixture(scope="module")
def grammar() -> str:
    pack: CompiledPack = compile_pack(load_builtin("cn-abstract"))
    return pack.instantiate(DocumentState("abstract", {"title": "一种净水装置"}))


def of_length(characters: int) -> str:
    return SENTENCE + "滤" * (characters - len(SENTENCE) - 1) + "。"


@pytest.mark.parametrize("filler", ["滤", "a", "，", "μ", "℃"])
def test_three_hundred_characters_are_lawful_whatever_they_are(grammar: str, filler: str) -> None:
    text = SENTENCE + filler * (299 - len(SENTENCE)) + "。"
    assert len(text) == 300
    assert judge(grammar, text).kind == "accepted"
    assert judge(grammar, filler + text) == Verdict("refused", 299)


def test_where_only_the_full_stop_is_left_room_for_nothing_else_is_taken(grammar: str) -> None:
    assert judge(grammar, of_length(300)).kind == "accepted"
    assert judge(grammar, of_length(301)) == Verdict("refused", 299)


def test_an_abstract_is_unfinished_until_its_full_stop(grammar: str) -> None:
    assert judge(grammar, SENTENCE[:-1]).kind == "incomplete"
    assert judge(grammar, SENTENCE).kind == "accepted"


@pytest.mark.parametrize("heading", ["摘要\n", "说明书摘要：", "【摘要】", "发明名称：净水装置。"])
def test_an_abstract_has_no_heading(grammar: str, heading: str) -> None:
    assert judge(grammar, heading + SENTENCE).kind == "refused"


def test_an_abstract_is_one_paragraph(grammar: str) -> None:
    assert judge(grammar, f"{SENTENCE}\n{SENTENCE}") == Verdict("refused", len(SENTENCE))


def test_advertising_is_refused_where_it_is_complete_and_lawful_words_are_not(grammar: str) -> None:
    text = "本发明公开了一种图书推荐方法，将畅销书推送给读者，该方法国际领先。"
    assert judge(grammar, text) == Verdict("refused", text.index("先。"))
    assert judge(grammar, text.replace("，该方法国际领先", "")).kind == "accepted"
