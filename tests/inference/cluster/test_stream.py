"""Events and pieces: however a stream is cut, text and tokens stay together."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers.decoders import DecodeStream

from inference.cluster.stream import Assembler, EventLines, MalformedStream, Piece, parse_event
from inference.node.tokens import partial_tokens
from tests.inference.toy_tokenizers import byte_fallback, byte_level
from tests.support.scripted_node import DONE, error_event, event

TOKENIZERS = {"byte fallback": byte_fallback(), "byte level": byte_level()}


@given(st.lists(st.text(max_size=6), max_size=6), st.data())
def test_lines_do_not_depend_on_how_the_bytes_are_cut(
    texts: list[str], data: st.DataObject
) -> None:
    whole = b"".join(event(text, [1]) for text in texts) + DONE
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=8)))
    lines = EventLines()
    payloads = []
    for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True):
        payloads += lines.feed(whole[start:end])
    assert payloads.pop() == b"[DONE]"
    assert [parse_event(payload).text for payload in payloads] == texts


@pytest.mark.parametrize("name", TOKENIZERS)
@given(text=st.text(st.sampled_from("一种锅炉，µ𠮷😀a ")), sizes=st.lists(st.integers(1, 5)))
def test_every_piece_holds_exactly_the_tokens_of_its_text(
    name: str, text: str, sizes: list[int]
) -> None:
    tokenizer = TOKENIZERS[name]
    partial = partial_tokens(tokenizer.get_vocab(), byte_level=name == "byte level")
    ids = tokenizer.encode(text).ids
    detokenizer = DecodeStream()
    assembler = Assembler(partial)
    pieces: list[Piece] = []
    rest = list(ids)
    while rest:
        size = sizes.pop() if sizes else 1
        batch, rest = rest[:size], rest[size:]
        arrived = "".join(detokenizer.step(tokenizer, token_id) or "" for token_id in batch)
        piece = assembler.add(arrived, batch)
        if piece is not None:
            pieces.append(piece)
    last = assembler.finish()
    if last is not None:
        pieces.append(last)
    assert "".join(piece.text for piece in pieces) == tokenizer.decode(ids)
    assert [token_id for piece in pieces for token_id in piece.token_ids] == ids
    for count in range(len(pieces)):
        read = pieces[: count + 1]
        delivered = [token_id for piece in read for token_id in piece.token_ids]
        assert tokenizer.decode(delivered) == "".join(piece.text for piece in read)


def test_the_first_bytes_of_the_next_character_wait_for_it() -> None:
    assembler = Assembler({1: b"\xe9", 2: b"\x94", 3: b"\x85"})
    assert assembler.add("种", [9, 1]) == Piece("种", (9,))
    assert assembler.add("", [2]) is None
    assert assembler.add("锅", [3]) == Piece("锅", (1, 2, 3))


def test_tokens_without_text_are_handed_over_at_the_end() -> None:
    assembler = Assembler({})
    assert assembler.add("。", [5]) == Piece("。", (5,))
    assert assembler.add("", [1]) is None
    assert assembler.finish() == Piece("", (1,))
    assert assembler.finish() is None


def test_bytes_that_are_no_character_do_not_hold_the_stream_up() -> None:
    assembler = Assembler({1: b"\xff"})
    assert assembler.add("\ufffda", [1, 9]) == Piece("\ufffda", (1, 9))


def test_an_error_inside_the_stream_keeps_its_status() -> None:
    found = parse_event(error_event("Grammar error", 400)[6:])
    assert (found.error_status, found.error) == (400, "Grammar error")


@pytest.mark.parametrize(
    "payload",
    [b"", b"{", b"[]", b"7", b"null", b'{"choices": 1}', b'{"choices": [{}]}', b'{"error": null}'],
)
def test_anything_else_is_malformed(payload: bytes) -> None:
    with pytest.raises(MalformedStream):
        parse_event(payload)


def test_usage_events_without_a_choice_say_nothing() -> None:
    assert parse_event(json.dumps({"choices": []}).encode()).token_ids == ()


def test_a_line_without_end_is_refused() -> None:
    lines = EventLines()
    with pytest.raises(MalformedStream):
        list(lines.feed(b"x" * 5_000_000))
