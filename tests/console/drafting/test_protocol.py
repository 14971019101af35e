import json
import uuid
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.drafting.protocol import MAX_FRAME_CHARACTERS, ProtocolError, read_message

JOB = str(uuid.uuid4())
START = {"type": "draft.start", "request_id": "r1", "params": {"count": 8}}


def code_of(frame: Any) -> str:
    with pytest.raises(ProtocolError) as refused:
        read_message(frame if isinstance(frame, str) else json.dumps(frame))
    return refused.value.code


def test_a_start_gets_its_missing_fields() -> None:
    assert read_message(json.dumps(START)) == {
        "type": "draft.start",
        "request_id": "r1",
        "params": {
            "count": 8,
            "categories": [],
            "product_subject": "",
            "method_subject": "",
            "first_claim": "",
            "pause_after_each": False,
            "instruction": "",
        },
    }


@pytest.mark.parametrize(
    "message",
    [
        {"type": "hello", "job": None, "after": 0},
        {"type": "hello", "job": JOB, "after": 17},
        {"type": "draft.stop", "job": JOB},
        {"type": "draft.pause", "job": JOB},
        {"type": "draft.resume", "job": JOB},
        {"type": "draft.regenerate", "request_id": "r", "claim_id": "c1", "instruction": ""},
        {"type": "ping"},
    ],
)
def test_every_other_message_reads_as_it_was_written(message: dict[str, Any]) -> None:
    assert read_message(json.dumps(message)) == message


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("junk", "not_json"),
        ("[1]", "not_json"),
        ("[" * 50_000, "not_json"),
        ("x" * (MAX_FRAME_CHARACTERS + 1), "frame_too_large"),
        ({"type": "draft.everything"}, "unknown_type"),
        ({"type": ["hello"]}, "unknown_type"),
        ({}, "unknown_type"),
        ({"type": "hello", "after": -1}, "bad_field"),
        ({"type": "hello", "job": "1; DROP TABLE", "after": 0}, "bad_field"),
        ({"type": "draft.stop", "job": 7}, "bad_field"),
        ({**START, "params": {"count": 31}}, "bad_field"),
        ({**START, "params": {"count": True}}, "bad_field"),
        ({**START, "params": {"count": 3, "categories": ["use"]}}, "bad_field"),
        ({**START, "params": {"count": 3, "categories": [["product"]]}}, "bad_field"),
        ({**START, "params": {"count": 3, "instruction": "长" * 501}}, "bad_field"),
        ({**START, "params": {"count": 3, "pause_after_each": "yes"}}, "bad_field"),
        ({**START, "request_id": ""}, "bad_field"),
        ({**START, "request_id": "r" * 65}, "bad_field"),
    ],
)
def test_whatever_is_no_message_is_refused_with_its_code(frame: Any, code: str) -> None:
    assert code_of(frame) == code


def test_a_refusal_carries_the_request_it_answers() -> None:
    with pytest.raises(ProtocolError) as refused:
        read_message(json.dumps({**START, "params": None}))
    assert refused.value.request_id == "r1"


def test_half_a_character_and_what_nobody_sees_are_left_out() -> None:
    fields = dict.fromkeys(("instruction", "product_subject"), "厚\ud800\u202e度\x07")
    start = {**START, "request_id": "r\udc00", "params": {"count": 3, **fields}}
    message: Any = read_message(json.dumps(start))
    assert message["request_id"] == "r"
    assert {message["params"][name] for name in fields} == {"厚度"}
    with pytest.raises(ProtocolError) as refused:
        read_message(json.dumps({"type": "junk", "request_id": "r\udc00"}))
    assert refused.value.request_id == "r"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)
TYPES = ["hello", "draft.start", "draft.stop", "draft.pause", "draft.resume", "draft.regenerate"]


@given(
    st.sampled_from(TYPES),
    st.dictionaries(
        st.sampled_from(["job", "after", "request_id", "params", "claim_id", "instruction"]), JSON
    ),
)
def test_no_json_gets_past_as_anything_but_a_message(kind: str, fields: dict[str, Any]) -> None:
    try:
        message = read_message(json.dumps({**fields, "type": kind}))
    except ProtocolError:
        return
    assert message["type"] == kind
