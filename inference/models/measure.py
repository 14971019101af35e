"""Perplexity of a built model on claim sets that it was not trained on.

python -m inference.models.measure MODEL_FOLDER CLAIM_SETS_JSONL
"""

import argparse
import math
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM

from inference.models.corpus import ClaimSet, Piece, read_sets
from inference.models.likelihood import encode, losses
from inference.prompting import claim_line, head


@dataclass(frozen=True)
class Perplexity:
    """Per token and per character of the claims; only models of one tokenizer compare per token."""

    per_token: float
    per_character: float
    tokens: int
    characters: int


def measured_text(claim_set: ClaimSet) -> list[Piece]:
    """The prompt form with the abstract as disclosure, no hints, the loss on the claim texts."""
    pieces = [Piece(head(claim_set.title, claim_set.abstract), 0.0)]
    for number, claim in enumerate(claim_set.claims, start=1):
        prefix = f"{number}."
        pieces.append(Piece(prefix, 0.0))
        pieces.append(Piece(claim_line(number, claim).removeprefix(prefix), 1.0))
    return pieces


def perplexity(folder: Path, claim_sets: Path, limit: int = 4096) -> Perplexity:
    """Over all claims in the first `limit` tokens of each set, in bfloat16."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16).eval()
    total, tokens, characters = 0.0, 0, 0
    for claim_set in read_sets(claim_sets):
        ids, weights = encode(measured_text(claim_set), tokenizer, limit)
        with torch.inference_mode():
            loss, _ = losses(model, ids, weights)
        total += float(loss.sum())
        tokens += len(loss)
        measured = [token for token, weight in zip(ids, weights, strict=True) if weight]
        characters += len(tokenizer.decode(measured))
    return Perplexity(math.exp(total / tokens), math.exp(total / characters), tokens, characters)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Perplexity of a model on claim sets.")
    parser.add_argument("model", type=Path)
    parser.add_argument("claim_sets", type=Path)
    arguments = parser.parse_args()
    print(perplexity(arguments.model, arguments.claim_sets))
