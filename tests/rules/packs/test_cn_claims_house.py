"""House rules on top of cn-claims: what they add holds, what they leave alone still does."""

import pytest

from rules.compiler import CompiledPack, compile_pack
from rules.compiler.verify import verify
from rules.packs import load_builtin, load_source
from tests.rules.packs.claims import dependent, independent

EARLIER = ((1, "水泵"), (2, "水泵"), (3, "水泵", True), (4, "控制方法"))


@pytest.fixture(scope="module")
def pack() -> CompiledPack:
    return compile_pack(load_builtin("cn-claims-house"))


@pytest.fixture(scope="module")
def base() -> CompiledPack:
    return compile_pack(load_builtin("cn-claims"))


@pytest.mark.parametrize(
    "text",
    [
        "根据权利要求1所述的水泵，其特征在于，叶轮与轴连接。",
        "根据权利要求1所述的水泵，其特征在于，叶轮为塑胶叶轮。",
        "根据权利要求1所述的水泵，其特征在于，还可以包括阀门。",
        "根据权利要求1所述的水泵，其中，还包括阀门。",
        "根据权利要求1所述的水泵，其特征在于：还包括阀门。",
        "如权利要求1所述的水泵，其特征在于，还包括阀门。",
        "根据权利要求1所述水泵，其特征在于，还包括阀门。",
        "根据权利要求1-2任一项所述的水泵，其特征在于，还包括阀门。",
    ],
)
def test_what_the_house_does_not_write_is_refused_though_the_office_takes_it(
    pack: CompiledPack, base: CompiledPack, text: str
) -> None:
    assert dependent(base, text, EARLIER) == "accepted"
    assert dependent(pack, text, EARLIER) == "refused"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("根据权利要求1所述的水泵，其特征在于，叶轮与轴耦合。", "accepted"),
        ("根据权利要求1所述的水泵，其特征在于，叶轮设有连接件。", "accepted"),
        ("根据权利要求1或2所述的水泵，其特征在于，还包括阀门。", "accepted"),
        ("根据权利要求1至2中任一项所述的水泵，其特征在于，还包括阀门。", "accepted"),
        ("根据权利要求1至3中任一项所述的水泵，其特征在于，还包括阀门。", "refused"),
        ("根据权利要求4所述的水泵，其特征在于，还包括阀门。", "refused"),
        ("根据权利要求5所述的水泵，其特征在于，还包括阀门。", "refused"),
        ("根据权利要求1所述的水泵，其特征在于，优选还包括阀门。", "refused"),
    ],
)
def test_the_office_s_own_rules_still_hold(pack: CompiledPack, text: str, expected: str) -> None:
    assert dependent(pack, text, EARLIER) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("一种泵站，其特征在于，包括水池。", "accepted"),
        ("一种泵站，包括水池和水泵，其特征在于，所述水泵设于所述水池内。", "accepted"),
        ("一种泵站，采用权利要求1所述的水泵，其特征在于，还包括水池。", "accepted"),
        ("一种泵站，包括水池和水泵。", "refused"),
        ("泵站，其特征在于，包括水池。", "refused"),
    ],
)
def test_an_independent_claim_is_in_two_parts(pack: CompiledPack, text: str, expected: str) -> None:
    assert independent(pack, text, "泵站", EARLIER) == expected


def test_no_example_of_the_base_is_let_through_and_some_are_refused_now(
    pack: CompiledPack,
) -> None:
    result = verify(pack, second_opinion=False)
    assert result.failures == ()
    assert result.enough
    assert "now-refused" in {checked.outcome for checked in result.checked}


def test_each_house_rule_has_examples_of_its_own_and_a_source() -> None:
    source = load_source("cn-claims-house")
    shown = {example["rule"] for example in source["examples"] if "rule" in example}
    assert shown == set(source["enforces"]) == set(source["citations"])
    rows = {row["term"]: row.get("replacement") for row in source["forbidden"]}
    assert rows["连接"] == "耦合"
