from typing import Any

import pytest

from rules.compiler import CitableClaim, CompiledPack, DocumentState, StateError, compile_pack
from rules.compiler.verdict import Verdict, judge
from rules.packs import load_builtin

SUBJECT = "净水装置"


@pytest.fixture(scope="module")
def pack() -> CompiledPack:
    return compile_pack(load_builtin("cn-reply"))


def claims(*numbers: int) -> tuple[CitableClaim, ...]:
    return tuple(CitableClaim(number, SUBJECT) for number in numbers)


def verdict(pack: CompiledPack, entry: str, text: str, **changed: Any) -> Verdict:
    values = {
        "application": "202310123456.7",
        "title": "一种净水装置",
        "applicant": "清源水处理有限公司",
        "date": "2025年3月14日",
        "notice": 1,
        "argued": claims(1),
        "amended": claims(1),
        "documents": ("1", "2"),
        "closest": "1",
    }
    return judge(pack.instantiate(DocumentState("reply", {**values, **changed}, entry)), text)


def argument(number: int = 1, reasons: str = "对比文件2没有给出使滤芯转动的启示。") -> str:
    return (
        f"关于权利要求{number}的创造性\n1、最接近的现有技术\n"
        "对比文件1公开了一种净水器，包括壳体和滤芯。\n2、区别技术特征和实际解决的技术问题\n"
        f"权利要求{number}请求保护一种{SUBJECT}，与对比文件1相比，"
        "区别技术特征在于：滤芯可转动地安装在壳体内。"
        f"基于上述区别技术特征，权利要求{number}实际解决的技术问题是：如何清除滤芯表面的沉积物。\n"
        f"3、非显而易见性\n{reasons}\n4、结论\n"
        f"因此，权利要求{number}相对于对比文件1和对比文件2的结合具有突出的实质性特点和显著的进步，"
        "具备专利法第22条第3款规定的创造性。\n"
    )


def amended(*numbers: int) -> str:
    items = (
        f"权利要求{number}：增加技术特征“所述滤芯可转动”，修改依据为原说明书第[0021]段。\n"
        for number in numbers
    )
    return "".join(items) + (
        "上述修改未超出原说明书和权利要求书记载的范围，符合专利法第33条的规定；"
        "所作修改针对通知书指出的缺陷，符合专利法实施细则第57条第3款的规定。\n"
        "随本意见陈述书提交权利要求书替换页和修改对照页。"
    )


def test_each_rejected_claim_is_argued_and_no_other(pack: CompiledPack) -> None:
    both = argument(1) + argument(3)
    assert verdict(pack, "arguments", both, argued=claims(1, 3)).kind == "accepted"
    assert verdict(pack, "arguments", argument(1), argued=claims(1, 3)).kind == "incomplete"
    assert verdict(pack, "arguments", both) == Verdict("refused", len(argument(1)))
    backwards = argument(3) + argument(1)
    assert verdict(pack, "arguments", backwards, argued=claims(1, 3)).kind == "refused"


@pytest.mark.parametrize(
    ("step", "place"),
    [
        ("1、最接近的现有技术\n对比文件1公开了一种净水器，包括壳体和滤芯。\n", "2、区别"),
        ("区别技术特征在于：滤芯可转动地安装在壳体内。", "基于"),
        ("3、非显而易见性\n对比文件2没有给出使滤芯转动的启示。\n", "4、结论"),
    ],
)
def test_none_of_the_three_steps_is_left_out(pack: CompiledPack, step: str, place: str) -> None:
    text = argument().replace(step, "")
    found = verdict(pack, "arguments", text)
    assert found.kind == "refused"
    assert found.position is not None
    assert text.index(place) <= found.position <= text.index(place) + 1


def test_documents_outside_the_case_are_not_named(pack: CompiledPack) -> None:
    third = argument(reasons="对比文件3没有给出启示。")
    assert verdict(pack, "arguments", third).kind == "refused"
    assert verdict(pack, "arguments", third, documents=("1", "2", "3")).kind == "accepted"
    twelfth = argument(reasons="对比文件12没有给出启示。")
    assert verdict(pack, "arguments", twelfth) == Verdict("refused", twelfth.index("2没有给出"))


def test_an_argument_starts_from_the_closest_document(pack: CompiledPack) -> None:
    assert verdict(pack, "arguments", argument(), closest="2").kind == "refused"


def test_the_amended_claims_are_explained_all_of_them_and_no_other(pack: CompiledPack) -> None:
    assert verdict(pack, "amendments", amended(1)).kind == "accepted"
    assert verdict(pack, "amendments", amended(1, 4), amended=claims(1, 4)).kind == "accepted"
    assert verdict(pack, "amendments", amended(1), amended=claims(1, 4)).kind == "refused"
    assert verdict(pack, "amendments", amended(1, 4)).kind == "refused"


def test_without_amended_claims_there_is_no_section_on_amendments(pack: CompiledPack) -> None:
    with pytest.raises(StateError) as caught:
        verdict(pack, "amendments", amended(1), amended=())
    assert caught.value.code == "nothing-to-write"


def test_the_letter_opens_with_the_data_of_the_file(pack: CompiledPack) -> None:
    text = (
        "尊敬的审查员：\n申请人仔细阅读了国家知识产权局于2025年3月14日针对申请号为202310123456.7、"
        "发明名称为“一种净水装置”的专利申请发出的第1次审查意见通知书，申请人现陈述意见如下："
    )
    assert verdict(pack, "opening", text).kind == "accepted"
    for name, other in (
        ("application", "202310123457.8"),
        ("title", "一种净水方法"),
        ("date", "2025年4月14日"),
        ("notice", 2),
    ):
        assert verdict(pack, "opening", text, **{name: other}).kind == "refused", name


def test_a_placeholder_is_not_left_in_the_text(pack: CompiledPack) -> None:
    assert verdict(pack, "arguments", argument(reasons="对比文件1待补充。")).kind == "refused"
