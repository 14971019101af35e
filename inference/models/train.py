"""Trains the LoRA adapter of the claims model: about 40 minutes on two cores.

    python -m inference.models.train BASE_FOLDER OUTPUT_FOLDER [--steps N]

BASE_FOLDER is a build of the profile gemma3-270m-pruned, OUTPUT_FOLDER gets the adapter and
log.jsonl. An interrupted run that is started again the same way goes on from its last checkpoint.
"""

import argparse
import json
import math
import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from peft.utils import get_peft_model_state_dict, set_peft_model_state_dict
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM

from inference.models.corpus import ClaimSet, read_sets, training_text
from inference.models.likelihood import encode, losses


@dataclass(frozen=True)
class Settings:
    rank: int = 16
    alpha: int = 32
    targets: tuple[str, ...] = (
        "q_proj",
        "k_proj",
        "v_proj",
        "o_proj",
        "gate_proj",
        "up_proj",
        "down_proj",
    )
    learning_rate: float = 4e-4
    warmup_steps: int = 5
    epochs: int = 1
    sets_per_step: int = 4
    max_tokens: int = 1280
    head_weight: float = 0.1
    seed: int = 20
    checkpoint_every: int = 10


def schedule(settings: Settings, sets: Sequence[ClaimSet]) -> list[list[tuple[ClaimSet, str]]]:
    """The sets of each step with a seed for each, so that a resumed run sees the same texts."""
    steps = []
    for epoch in range(settings.epochs):
        order = list(range(len(sets)))
        random.Random(f"{settings.seed}/{epoch}").shuffle(order)  # noqa: S311
        epoch_sets = [(sets[at], f"{settings.seed}/{epoch}/{at}") for at in order]
        steps += [
            epoch_sets[at : at + settings.sets_per_step]
            for at in range(0, len(epoch_sets), settings.sets_per_step)
        ]
    return steps


def rate_at(step: int, steps: int, settings: Settings) -> float:
    """A short warm-up, then a straight line that reaches 0 after the last step."""
    warm = min(1.0, (step + 1) / settings.warmup_steps)
    return settings.learning_rate * warm * (1 - step / steps)


def train(base: Path, output: Path, settings: Settings, only_steps: int | None = None) -> None:
    """One run from start (or the last checkpoint) to the saved adapter. Memory: under 4 GB."""
    torch.manual_seed(settings.seed)
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    model = get_peft_model(
        AutoModelForCausalLM.from_pretrained(base, dtype=torch.bfloat16),
        LoraConfig(
            r=settings.rank,
            lora_alpha=settings.alpha,
            target_modules=list(settings.targets),
            task_type="CAUSAL_LM",
        ),
    )
    model.train()
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=settings.learning_rate, weight_decay=0.0)
    steps = schedule(settings, list(read_sets()))[:only_steps]
    output.mkdir(parents=True, exist_ok=True)
    checkpoint = output / "checkpoint.pt"
    first = _resume(model, optimiser, checkpoint)
    for step, batch in enumerate(steps[first:], start=first):
        started = time.monotonic()
        rate = rate_at(step, len(steps), settings)
        for group in optimiser.param_groups:
            group["lr"] = rate
        tokens, loss = _accumulate(model, tokenizer, batch, settings)
        norm = float(torch.nn.utils.clip_grad_norm_(trained, 1.0))
        optimiser.step()
        optimiser.zero_grad()
        seconds = time.monotonic() - started
        entry = {
            "step": step + 1,
            "steps": len(steps),
            "tokens": tokens,
            "claim_loss": round(loss, 4),
            "gradient_norm": round(norm, 3),
            "learning_rate": rate,
            "seconds": round(seconds, 1),
        }
        with (output / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(entry) + "\n")
        if (step + 1) % settings.checkpoint_every == 0:
            _save_checkpoint(model, optimiser, checkpoint, step + 1)
    save_adapter(model, output, settings)
    checkpoint.unlink(missing_ok=True)


def _accumulate(
    model: Any, tokenizer: Tokenizer, batch: list[tuple[ClaimSet, str]], settings: Settings
) -> tuple[int, float]:
    """Adds up the gradients of one step. Returns the tokens read and the mean loss on claim tokens.

    One text at a time: no padding, little memory, and 2 cores are busy with one text as it is.
    """
    encoded = []
    for claim_set, seed in batch:
        pieces = training_text(
            claim_set,
            random.Random(seed),  # noqa: S311
            head_weight=settings.head_weight,
        )
        encoded.append(encode(pieces, tokenizer, settings.max_tokens))
    total = sum(sum(weights[1:]) for _, weights in encoded)
    claim_loss, claim_tokens = 0.0, 0
    for ids, weights in encoded:
        loss, weight = losses(model.get_base_model(), ids, weights)
        ((loss * weight).sum() / total).backward()
        claim_loss += float(loss.detach()[weight == 1.0].sum())
        claim_tokens += int((weight == 1.0).sum())
    mean = claim_loss / claim_tokens if claim_tokens else math.nan
    return sum(len(ids) for ids, _ in encoded), mean


def _save_checkpoint(model: PeftModel, optimiser: Any, path: Path, step: int) -> None:
    state = {
        "step": step,
        "adapter": get_peft_model_state_dict(model),
        "optimiser": optimiser.state_dict(),
    }
    torch.save(state, path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)


def _resume(model: PeftModel, optimiser: Any, path: Path) -> int:
    """Restores the checkpoint, if there is one. Returns the number of steps already done."""
    if not path.exists():
        return 0
    state = torch.load(path, weights_only=True)
    set_peft_model_state_dict(model, state["adapter"])
    optimiser.load_state_dict(state["optimiser"])
    return int(state["step"])


def save_adapter(model: PeftModel, output: Path, settings: Settings) -> None:
    """adapter_config.json, adapter_model.safetensors (bfloat16) and the settings beside them."""
    model.peft_config["default"].base_model_name_or_path = "gemma3-270m-cn, built without adapter"
    model.save_pretrained(output)
    (output / "README.md").unlink()
    weights = output / "adapter_model.safetensors"
    save_file(
        {name: tensor.to(torch.bfloat16) for name, tensor in load_file(weights).items()},
        weights,
        metadata={"format": "pt"},
    )
    (output / "settings.json").write_text(json.dumps(asdict(settings), indent=2) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Trains the LoRA adapter of the claims model.")
    parser.add_argument("base", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--steps", type=int, help="stop after so many steps (a trial run)")
    arguments = parser.parse_args()
    train(arguments.base, arguments.output, Settings(), arguments.steps)
