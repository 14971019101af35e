import pytest

from rules.compiler import PackError, compile_pack, migrate
from tests.rules.compiler.grammars import pack


def test_a_document_of_the_first_format_is_read_like_one_of_today() -> None:
    old = pack()
    del old["schema_version"], old["language"], old["unbounded_runs"]
    old |= {"schema": 1, "citations": {"C01": "细则22.2；指南P1C1§4.4", "W15": "撰写惯例"}}
    assert compile_pack(old).kind == "claims"
    today = migrate(old)
    assert today["schema_version"] == 2
    assert "schema" not in today
    assert set(today["unbounded_runs"]) == {"CLOSING", "PROSE"}
    assert today["language"] == "zh"
    assert today["citations"] == {
        "C01": {"article": "细则22.2", "section": "指南P1C1§4.4"},
        "W15": {"article": "撰写惯例"},
    }


def test_a_compiled_old_document_keeps_the_digest_under_which_it_was_published() -> None:
    old = pack()
    del old["schema_version"], old["language"]
    old["schema"] = 1
    compiled = compile_pack(old)
    assert compiled.document == old


def test_a_document_of_today_is_left_as_it_is() -> None:
    assert migrate(pack()) == pack()


@pytest.mark.parametrize("version", [0, 3, "2", None])
def test_an_unknown_format_is_refused_with_the_known_ones(version: object) -> None:
    with pytest.raises(PackError) as caught:
        compile_pack({**pack(), "schema_version": version})
    assert caught.value.code == "schema-version"
    assert "1 to 2" in caught.value.problems[0].message_en
