import pytest

from rules.compiler import CompiledPack, DocumentState, StateError, compile_pack
from rules.compiler.verdict import Verdict, judge
from rules.packs import load_builtin

LINES = {
    1: "图1是燃煤锅炉节能装置的主视图",
    2: "图2是图1所示节能装置的侧视图",
    3: "图3是图2中的A向视图",
}


@pytest.fixture(scope="module")
def pack() -> CompiledPack:
    return compile_pack(load_builtin("cn-drawings"))


def verdict(pack: CompiledPack, text: str, signs: tuple[str, ...] = ()) -> Verdict:
    state = DocumentState("drawings", {"figures": (1, 2, 3), "signs": signs})
    return judge(pack.instantiate(state), text)


def written(*figures: int) -> str:
    return "；\n".join(LINES[figure] for figure in figures) + "。"


def test_three_figures_are_described_once_each_in_order(pack: CompiledPack) -> None:
    assert verdict(pack, written(1, 2, 3)).kind == "accepted"


@pytest.mark.parametrize("figures", [(1, 3), (2, 1, 3), (1, 1, 2, 3), (2, 3), (1, 2, 2, 3)])
def test_no_figure_is_passed_over_repeated_or_moved(
    pack: CompiledPack, figures: tuple[int, ...]
) -> None:
    assert verdict(pack, written(*figures)).kind == "refused"


def test_it_is_unfinished_while_a_figure_is_missing(pack: CompiledPack) -> None:
    assert verdict(pack, written(1, 2)).kind == "incomplete"


def test_nothing_follows_the_last_figure(pack: CompiledPack) -> None:
    text = written(1, 2, 3)[:-1] + "；\n图4为流程图。"
    assert verdict(pack, text) == Verdict("refused", text.index("；\n图4"))


def test_a_figure_that_does_not_exist_is_not_named(pack: CompiledPack) -> None:
    assert verdict(pack, written(1, 2, 3).replace("图2中", "图4中")).kind == "refused"
    text = written(1, 2, 3).replace("图2中", "图12中")
    assert verdict(pack, text) == Verdict("refused", text.index("2中"))


def test_only_signs_of_the_figures_are_listed(pack: CompiledPack) -> None:
    text = written(1, 2, 3) + "\n图中：1-壳体；2a-阀芯。"
    assert verdict(pack, text, ("1", "2a")).kind == "accepted"
    assert verdict(pack, text, ("1", "2b")).kind == "refused"
    assert verdict(pack, text) == Verdict("refused", text.index("\n图中"))


def test_one_figure_needs_one_line(pack: CompiledPack) -> None:
    state = DocumentState("drawings", {"figures": (1,)})
    assert judge(pack.instantiate(state), "图1为本发明的流程图。").kind == "accepted"


def test_without_figures_there_is_nothing_to_describe(pack: CompiledPack) -> None:
    with pytest.raises(StateError) as caught:
        pack.instantiate(DocumentState("drawings", {"figures": ()}))
    assert caught.value.code == "nothing-to-write"
