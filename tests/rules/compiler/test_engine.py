from itertools import product
from random import Random
from typing import Any

from rules.compiler import ClaimState, compile_pack
from rules.compiler.verdict import judge
from tests.rules.compiler.grammars import pack

COMMON = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出"

ORDINARY = (
    "装置包括壳体设于内部连接板件电机轴承控制单元信号数据模块温度压力加工表面材料层结构方法步骤"
)


def test_a_table_of_a_hundred_terms_with_contexts_is_carried() -> None:
    rows = tuple(
        {"term": left + right, "allowed_in": [left + right + "型", "超" + left + right]}
        for left, right in product(COMMON[:10], COMMON[10:20])
    )
    compile_pack(pack(forbidden=rows))


def rows_of(count: int, severity: str = "error") -> tuple[dict[str, Any], ...]:
    """Words of two to four of the commonest characters, as an author's table has them."""
    chance = Random(7)
    words: dict[str, None] = {}
    while len(words) < count:
        words["".join(chance.choices(COMMON + ORDINARY, k=chance.choice((2, 2, 3, 3, 4))))] = None
    return tuple({"term": word, "severity": severity} for word in words)


def test_of_two_thousand_terms_the_grammar_takes_up_the_first_and_the_linter_has_the_rest() -> None:
    rows = rows_of(2000)
    compiled = compile_pack(pack(forbidden=rows))
    number = len(compiled.terms)
    assert number >= 200
    in_order = [term.text for term in compiled.terms] + list(compiled.left_to_linter)
    assert in_order == [row["term"] for row in rows]
    grammar = compiled.instantiate(ClaimState(1, "independent", "板"))
    for term in compiled.terms[::40]:
        assert judge(grammar, f"板，甲{term.text}乙。").kind == "refused"


def test_what_a_node_could_not_build_is_left_to_the_linter_warnings_first() -> None:
    characters = [chr(code) for code in range(0x4E00, 0x9E00, 10)]
    pairs = zip(characters[:1500], characters[7:1507], strict=True)
    scattered = tuple({"term": left + right, "severity": "warning"} for left, right in pairs)
    compiled = compile_pack(pack(forbidden=(*scattered, {"term": "龘靐"})))
    assert 0 < len(compiled.left_to_linter) < 1500
    assert compiled.terms[0].text == "龘靐"
    assert set(compiled.left_to_linter) < {row["term"] for row in scattered}
    grammar = compiled.instantiate(ClaimState(1, "independent", "板"))
    assert judge(grammar, "板，龘靐。").kind == "refused"
    assert judge(grammar, f"板，{compiled.left_to_linter[-1]}。").kind == "accepted"


def test_only_the_first_contexts_of_a_term_reach_the_engine() -> None:
    contexts = ["等" + left + right for left, right in product(COMMON, COMMON[:6])]
    compile_pack(pack(forbidden=({"term": "等", "allowed_in": contexts},)))
