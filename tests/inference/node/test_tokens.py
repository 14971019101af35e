"""Which tokens are not whole characters, judged by real tokenizers."""

import pytest
from tokenizers import Tokenizer

from inference.node.tokens import partial_tokens
from tests.inference.toy_tokenizers import byte_fallback, byte_level


@pytest.mark.parametrize(("tokenizer", "level"), [(byte_fallback(), False), (byte_level(), True)])
def test_exactly_the_tokens_that_decode_to_a_replacement_character_are_partial(
    tokenizer: Tokenizer, level: bool
) -> None:
    vocabulary = tokenizer.get_vocab()
    found = partial_tokens(vocabulary, byte_level=level)
    broken = {number for number in vocabulary.values() if "\ufffd" in tokenizer.decode([number])}
    assert set(found) == broken


def test_the_bytes_of_partial_tokens_make_up_the_text() -> None:
    tokenizer = byte_level()
    found = partial_tokens(tokenizer.get_vocab(), byte_level=True)
    ids = tokenizer.encode("𠮷").ids
    assert b"".join(found[number] for number in ids) == "𠮷".encode()
