"""Small stand-ins for the real thing: a tokenizer and a model that are made in a moment."""

import json
from pathlib import Path
from typing import Any

from inference.models.vocabulary import SPECIAL, prune, write_tokenizer

WORDS = ("权利", "要求", "权利要求", "根据", "所述", "所述的", "基材", "层", "基材层", "ab", "abc")


def full_tokenizer(words: tuple[str, ...] = WORDS) -> dict[str, Any]:
    """A tokenizer of the base model's kind: byte fallback, all splits of a token as merges."""
    tokens = [*SPECIAL, "<unused0>", "\n", *(f"<0x{byte:02X}>" for byte in range(256))]
    tokens += sorted({character for word in words for character in word} | set("▁。，1 x"))
    tokens += [word for word in words if len(word) > 1]
    vocab = {token: token_id for token_id, token in enumerate(dict.fromkeys(tokens))}
    merges = [
        [word[:cut], word[cut:]]
        for word in sorted(words, key=len)
        for cut in range(1, len(word))
        if word[:cut] in vocab and word[cut:] in vocab
    ]
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    added = [
        {**plain, "id": vocab[token], "content": token, "special": token != "\n"}
        for token in (*SPECIAL, "<unused0>", "\n")
    ]
    space = {"String": "▁"}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": {
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": space, "content": " "},
                {"type": "ByteFallback"},
                {"type": "Fuse"},
            ],
        },
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": "<unk>",
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": True,
            "byte_fallback": True,
            "ignore_merges": False,
            "vocab": vocab,
            "merges": merges,
        },
    }


def model(vocabulary: int) -> Any:
    """A two-layer model of the base model's architecture with random weights."""
    import torch
    from transformers import Gemma3ForCausalLM, Gemma3TextConfig

    torch.manual_seed(1)
    config = Gemma3TextConfig(
        vocab_size=vocabulary,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        tie_word_embeddings=True,
        layer_types=["sliding_attention", "full_attention"],
    )
    return Gemma3ForCausalLM(config)


def base_folder(folder: Path) -> Path:
    """A servable folder with the toy model and the toy tokenizer."""
    full = full_tokenizer()
    kept = sorted(full["model"]["vocab"].values())
    model(len(kept)).save_pretrained(folder)
    write_tokenizer(prune(full, kept), folder)
    return folder


def as_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
