from typing import Any

import pytest

from rules.compiler import PackError, compile_pack
from tests.rules.compiler.grammars import pack


def codes_of(document: dict[str, Any]) -> list[str]:
    with pytest.raises(PackError) as caught:
        compile_pack(document)
    assert all(problem.message_zh and problem.message_en for problem in caught.value.problems)
    return [problem.code for problem in caught.value.problems]


def test_a_document_that_breaks_the_schema_is_refused_with_the_place_in_it() -> None:
    document = pack()
    document["jurisdiction"] = "xx"
    document["forbidden"] = [{"term": "优选"}]
    with pytest.raises(PackError) as caught:
        compile_pack(document)
    places = {problem.excerpt for problem in caught.value.problems}
    assert {"jurisdiction", "forbidden/0"} <= places


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        (({"term": "等"}, {"term": "等"}), "term-twice"),
        (({"term": "等，"},), "term-crosses-clause"),
        (({"term": "等", "allowed_in": ["相似"]},), "context-without-term"),
        (({"term": "等于", "allowed_in": ["等于"]},), "context-without-term"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(
    rows: tuple[dict[str, Any], ...], code: str
) -> None:
    assert codes_of(pack(forbidden=rows)) == [code]


def test_the_digest_is_the_same_for_the_same_document_whatever_the_order_of_its_keys() -> None:
    document = pack()
    backwards = dict(reversed(list(document.items())))
    assert compile_pack(document).digest == compile_pack(backwards).digest
    assert compile_pack({**document, "version": 4}).digest != compile_pack(document).digest


def test_the_compiled_document_is_a_copy_that_cannot_change_the_pack() -> None:
    compiled = compile_pack(pack())
    compiled.document["slug"] = "other"
    assert compiled.document["slug"] == compiled.slug == "small"
    assert compiled.version == 3
