"""The pruned vocabulary: which of the base model's 262,144 tokens are kept, and their tokenizer.

Text that needs only kept tokens is split exactly as by the full tokenizer, because the kept list is
closed: each kept token comes with the pieces that its own merges pass through. All other text still
has a spelling, in shorter pieces or in bytes.

    python -m inference.models.vocabulary TOKENIZER_JSON TEXT_FILE...    writes data/kept_tokens.txt
"""

import json
import sys
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

KEPT_FILE = Path(__file__).parent / "data" / "kept_tokens.txt"

SPECIAL = ("<pad>", "<eos>", "<bos>", "<unk>", "<mask>")

# Single characters that stay whatever the texts use: a drafter may type any of them.
SINGLE_CHARACTERS = (
    (0x0009, 0x024F),  # Latin with its accents
    (0x0370, 0x03FF),  # Greek
    (
        0x2000,
        0x2BFF,
    ),  # punctuation, sub- and superscripts, units, arrows, mathematics, circled digits
    (0x2E80, 0x30FF),  # radicals, CJK punctuation, kana
    (0x3200, 0x9FFF),  # enclosed and unit signs, CJK ideographs
    (0xF900, 0xFAFF),  # compatibility ideographs
    (0xFE30, 0xFFEF),  # full-width forms
)

TokenizerJson = dict[str, Any]


def choose(full: TokenizerJson, texts: Iterable[str]) -> list[int]:
    """The ids to keep, ascending: specials, bytes, single characters, and all that `texts` use."""
    vocab: dict[str, int] = full["model"]["vocab"]
    keep = {vocab[token] for token in SPECIAL} | {vocab[f"<0x{byte:02X}>"] for byte in range(256)}
    for token, token_id in vocab.items():
        if len(token) == 1 and any(low <= ord(token) <= high for low, high in SINGLE_CHARACTERS):
            keep.add(token_id)
    tokenizer = Tokenizer.from_str(json.dumps(full))
    for text in texts:
        keep.update(tokenizer.encode(text, add_special_tokens=False).ids)
    return sorted(keep | _pieces(full, keep))


def _pieces(full: TokenizerJson, keep: set[int]) -> set[int]:
    """The ids of all intermediate pieces in the merge derivations of the tokens in `keep`."""
    vocab: dict[str, int] = full["model"]["vocab"]
    ranks = {(left, right): rank for rank, (left, right) in enumerate(full["model"]["merges"])}
    pieces: set[int] = set()
    for token, token_id in vocab.items():
        if token_id not in keep:
            continue
        parts = list(token)
        while len(parts) > 1:
            pairs = list(pairwise(parts))
            best = min(range(len(pairs)), key=lambda at: ranks.get(pairs[at], len(ranks)))
            if pairs[best] not in ranks:
                break
            parts[best : best + 2] = [parts[best] + parts[best + 1]]
            pieces.add(vocab[parts[best]])
        pieces.update(vocab[part] for part in parts if part in vocab)
        pieces.update(vocab[character] for character in token if character in vocab)
    return pieces


def prune(full: TokenizerJson, kept: list[int]) -> TokenizerJson:
    """The tokenizer of the tokens `kept` (ascending ids of `full`), renumbered from 0.

    Its post-processor puts <bos> in front of every text: without it the model writes junk.
    """
    model = full["model"]
    new_id = {old: new for new, old in enumerate(kept)}
    vocab = {token: new_id[old] for token, old in model["vocab"].items() if old in new_id}
    merges = [
        pair
        for pair in model["merges"]
        if pair[0] in vocab and pair[1] in vocab and pair[0] + pair[1] in vocab
    ]
    added = [
        {**token, "id": new_id[token["id"]]}
        for token in full["added_tokens"]
        if token["id"] in new_id
    ]
    bos = {"SpecialToken": {"id": "<bos>", "type_id": 0}}
    first = {"Sequence": {"id": "A", "type_id": 0}}
    second = {"Sequence": {"id": "B", "type_id": 1}}
    template = {
        "type": "TemplateProcessing",
        "single": [bos, first],
        "pair": [bos, first, second],
        "special_tokens": {
            "<bos>": {"id": "<bos>", "ids": [vocab["<bos>"]], "tokens": ["<bos>"]},
        },
    }
    return {
        **full,
        "added_tokens": added,
        "post_processor": template,
        "model": {**model, "vocab": vocab, "merges": merges},
    }


def write_tokenizer(tokenizer: dict[str, Any], folder: Path) -> None:
    """tokenizer.json and its configuration.

    The class is the plain one: the Gemma class would replace the post-processor that adds <bos>.
    """
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": "<bos>",
        "eos_token": "<eos>",
        "pad_token": "<pad>",
        "unk_token": "<unk>",
        "clean_up_tokenization_spaces": False,
        "model_max_length": 32768,
    }
    (folder / "tokenizer.json").write_text(
        json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8"
    )
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=2), encoding="utf-8")


def read_kept(path: Path = KEPT_FILE) -> list[int]:
    """The ids in a kept-token file: ranges like 238-493 or single ids, separated by white space."""
    ids: list[int] = []
    for item in path.read_text(encoding="ascii").split():
        low, _, high = item.partition("-")
        ids.extend(range(int(low), int(high or low) + 1))
    return ids


def write_kept(ids: list[int], path: Path = KEPT_FILE) -> None:
    """The inverse of read_kept; ten items a line, so that a change shows as a small difference."""
    spans: list[list[int]] = []
    for token_id in ids:
        if spans and token_id == spans[-1][1] + 1:
            spans[-1][1] = token_id
        else:
            spans.append([token_id, token_id])
    items = [f"{low}-{high}" if high > low else str(low) for low, high in spans]
    lines = [" ".join(items[at : at + 10]) for at in range(0, len(items), 10)]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    tokenizer_path, *text_paths = map(Path, sys.argv[1:])
    chosen = choose(
        json.loads(tokenizer_path.read_text(encoding="utf-8")),
        (line for path in text_paths for line in path.read_text(encoding="utf-8").splitlines(True)),
    )
    write_kept(chosen)
    print(f"{len(chosen)} tokens kept")
