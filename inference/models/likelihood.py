"""How likely a model finds a text: what training lowers and measuring reports."""

from collections.abc import Sequence
from typing import Any

import torch
from tokenizers import Tokenizer

from inference.models.corpus import Piece


def encode(
    pieces: Sequence[Piece], tokenizer: Tokenizer, limit: int
) -> tuple[list[int], list[float]]:
    """Token ids with <bos> first and the loss weight of each, both at most `limit` long.

    Piece by piece, because serving sees the same seams: a prompt ends after a claim's number.
    """
    ids: list[int] = tokenizer.encode("").ids
    weights = [0.0]
    for piece in pieces:
        tokens = tokenizer.encode(piece.text, add_special_tokens=False).ids
        ids += tokens
        weights += [piece.weight] * len(tokens)
    return ids[:limit], weights[:limit]


def losses(model: Any, ids: Sequence[int], weights: Sequence[float]) -> tuple[torch.Tensor, Any]:
    """The negative log-likelihoods of the tokens that have a weight, and the weights, both [n].

    The softmax runs over the whole vocabulary: what it leaves out would never be pushed down, and
    would leak into drafts.
    """
    wanted = torch.tensor(weights[1:]).nonzero().squeeze(1)
    hidden = model.model(input_ids=torch.tensor([ids[:-1]])).last_hidden_state[0, wanted]
    logits = model.lm_head(hidden).float()
    targets = torch.tensor(ids[1:])[wanted]
    loss = torch.nn.functional.cross_entropy(logits, targets, reduction="none")
    return loss, torch.tensor(weights[1:])[wanted]
