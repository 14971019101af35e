from itertools import product

import pytest

from rules.compiler import PackError, compile_pack
from tests.rules.compiler.grammars import pack

COMMON = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出"


def test_a_table_of_a_hundred_terms_with_contexts_is_carried() -> None:
    rows = tuple(
        {"term": left + right, "allowed_in": [left + right + "型", "超" + left + right]}
        for left, right in product(COMMON[:10], COMMON[10:20])
    )
    compile_pack(pack(forbidden=rows))


def test_a_table_that_a_node_could_not_build_is_refused_by_the_compiler() -> None:
    characters = [chr(code) for code in range(0x4E00, 0x9E00, 10)]
    rows = tuple(
        {"term": left + right}
        for left, right in zip(characters[:2000], characters[7:2007], strict=True)
    )
    with pytest.raises(PackError) as caught:
        compile_pack(pack(forbidden=rows))
    assert caught.value.code == "engine-limit"
    assert caught.value.problems[0].hint_en


def test_only_the_first_contexts_of_a_term_reach_the_engine() -> None:
    contexts = ["等" + left + right for left, right in product(COMMON, COMMON[:6])]
    compile_pack(pack(forbidden=({"term": "等", "allowed_in": contexts},)))
