from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from inference.models.vocabulary import choose, prune, read_kept, write_kept
from tests.inference.models.toys import WORDS, as_text, full_tokenizer

FULL = full_tokenizer()
TEXTS = ["根据权利要求1所述的基材层", "abc x"]
KEPT = choose(FULL, TEXTS)
PRUNED = Tokenizer.from_str(as_text(prune(FULL, KEPT)))
WHOLE = Tokenizer.from_str(as_text(FULL))

kept_words = st.sampled_from(["根据", "权利要求", "所述的", "基材层", "abc", "1", "。", " x"])


@given(st.lists(kept_words).map("".join))
def test_text_of_kept_tokens_is_split_as_by_the_full_tokenizer(text: str) -> None:
    whole = WHOLE.encode(text).tokens
    if set(whole) <= set(PRUNED.get_vocab()):
        assert PRUNED.encode(text, add_special_tokens=False).tokens == whole


@pytest.mark.parametrize("text", TEXTS)
def test_the_texts_it_was_chosen_for_are_split_alike(text: str) -> None:
    assert PRUNED.encode(text, add_special_tokens=False).tokens == WHOLE.encode(text).tokens


@given(st.lists(st.sampled_from([*WORDS, "\n", " ", "𠮷", "😀", "한글", "é"])).map("".join))
def test_whatever_is_typed_comes_back(text: str) -> None:
    assert PRUNED.decode(PRUNED.encode(text).ids) == text


@pytest.mark.parametrize("text", ["𠮷", "😀", "한글"])
def test_characters_outside_the_vocabulary_become_bytes(text: str) -> None:
    tokens = PRUNED.encode(text, add_special_tokens=False).tokens
    assert tokens == [f"<0x{byte:02X}>" for byte in text.encode()]


def test_the_beginning_of_text_token_leads_every_prompt() -> None:
    assert PRUNED.encode("根据").tokens == ["<bos>", "根据"]


def test_tokens_that_no_text_uses_are_gone() -> None:
    assert "<unused0>" in WHOLE.get_vocab()
    assert "<unused0>" not in PRUNED.get_vocab()


def test_new_ids_are_the_ranks_of_the_old_ones() -> None:
    vocab = prune(FULL, KEPT)["model"]["vocab"]
    assert sorted(vocab.values()) == list(range(len(KEPT)))
    assert all(KEPT[new] == FULL["model"]["vocab"][token] for token, new in vocab.items())


@given(st.sets(st.integers(min_value=0, max_value=300)).map(sorted))
def test_a_kept_token_file_reads_back_as_it_was_written(ids: list[int]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        write_kept(ids, Path(folder) / "kept.txt")
        assert read_kept(Path(folder) / "kept.txt") == ids


def test_the_committed_list_holds_specials_and_all_bytes_in_order() -> None:
    kept = read_kept()
    assert kept == sorted(set(kept))
    assert kept[:5] == [0, 1, 2, 3, 4]
    assert set(range(238, 494)) <= set(kept), "the 256 byte tokens of the base model"
