"""Grammars with one mistake each, as files: malformed/*.lark say in their first line which problem
is expected where, and in a second one what of the pack differs."""

import json
import re
from pathlib import Path

import pytest

from rules.compiler import PackError, compile_pack
from tests.rules.compiler.grammars import abstract

FILES = sorted((Path(__file__).parent / "malformed").glob("*.lark"))
EXPECTS = re.compile(r"// expects (\S+) at (\d+):(\d+)\n(?:// pack (.*)\n)?")


def test_there_are_at_least_forty() -> None:
    assert len(FILES) >= 40


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_mistake_has_its_own_error_at_its_place(file: Path) -> None:
    grammar = file.read_text("utf-8")
    expected = EXPECTS.match(grammar)
    assert expected
    changes = json.loads(expected[4] or "{}")
    with pytest.raises(PackError) as caught:
        compile_pack(abstract(grammar, **changes))
    wanted = (expected[1], int(expected[2]), int(expected[3]))
    found = {(p.code, p.line, p.column): p for p in caught.value.problems}
    assert wanted in found
    problem = found[wanted]
    assert problem.message_zh
    assert problem.message_en
    assert problem.excerpt


def test_every_code_is_shown_by_a_file_of_its_name_or_by_several() -> None:
    codes = {EXPECTS.match(file.read_text("utf-8"))[1] for file in FILES}
    assert len(codes) >= 35
