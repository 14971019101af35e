import json

import pytest

from rules.linter import Claim
from rules.linter.files import MAX_BYTES, UnreadableInput, read_claim_sets

FIRST = "一种水泵，其特征在于，包括叶轮。"
LINE = json.dumps(
    {"publication": "CN1A", "title": "水泵", "claims": [{"number": 1, "text": FIRST}]},
    ensure_ascii=False,
)


def refusal(data: bytes, name: str) -> UnreadableInput:
    with pytest.raises(UnreadableInput) as refused:
        read_claim_sets(data, name)
    assert str(refused.value).startswith(name)
    assert str(refused.value).endswith(".")
    return refused.value


def test_json_lines_hold_a_set_a_line() -> None:
    first, second = read_claim_sets(f"{LINE}\n\n{LINE}\n".encode(), "sets.jsonl")
    assert (first.publication, first.title, first.claims) == ("CN1A", "水泵", (Claim(1, FIRST),))
    assert second == first


def test_json_is_known_by_its_brace_whatever_the_name() -> None:
    assert len(read_claim_sets(LINE.encode(), "sets.txt")) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_plain_text_in_the_encodings_that_agents_files_have(encoding: str) -> None:
    (claim_set,) = read_claim_sets(f"1. {FIRST}".encode(encoding), "folder/pump.txt")
    assert claim_set.publication == "pump"
    assert claim_set.claims == (Claim(1, FIRST),)


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"", "a.txt", "empty"),
        (b" \n\n", "a.jsonl", "empty"),
        (b"\xef\xbb\xbf", "a.txt", "empty"),
        (b"PK\x03\x04rest", "a.docx", "not_text"),
        (b"%PDF-1.7", "a.pdf", "not_text"),
        (b"fine\n\x81\x20\xff\xff", "a.txt", "undecodable"),
        (b"x" * (MAX_BYTES + 1), "a.txt", "too_large"),
        (b"{not json", "a.jsonl", "bad_json"),
        (b"[1]", "a.jsonl", "bad_shape"),
        (b'{"claims": []}', "a.jsonl", "bad_shape"),
        (b'{"claims": [{"number": "1", "text": "x"}]}', "a.jsonl", "bad_shape"),
        (b'{"claims": [{"number": true, "text": "x"}]}', "a.jsonl", "bad_shape"),
        (b'{"claims": [1]}', "a.jsonl", "bad_shape"),
        (b'{"title": 3, "claims": [{"number": 1, "text": "x"}]}', "a.jsonl", "bad_shape"),
        (b'{"a":' * 100_000, "a.jsonl", "bad_json"),
    ],
)
def test_what_is_no_claim_set_is_refused_in_one_sentence(data: bytes, name: str, code: str) -> None:
    assert refusal(data, name).code == code


def test_a_bad_line_is_named() -> None:
    assert "line 3" in str(refusal(f"{LINE}\n{LINE}\n{{oops\n".encode(), "a.jsonl"))
    assert "line 2" in str(refusal(f"{LINE}\n{{}}\n".encode(), "a.jsonl"))
    assert "line 2" in str(refusal(b"fine\n\x81\x20\xff\xff", "a.txt"))
