import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer

from inference.models import train
from inference.models.corpus import ClaimSet, Piece, read_sets
from inference.models.likelihood import encode, losses
from inference.models.measure import perplexity
from tests.inference.models import toys

SETTINGS = train.Settings(rank=2, max_tokens=120, sets_per_step=2, checkpoint_every=1)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Threads that wait for each other make toy models slow where the cores are busy."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toys.base_folder(tmp_path_factory.mktemp("base"))


@pytest.fixture
def tokenizer(base: Path) -> Tokenizer:
    return Tokenizer.from_file(str(base / "tokenizer.json"))


def test_pieces_are_encoded_one_by_one_with_their_weights(tokenizer: Tokenizer) -> None:
    ids, weights = encode([Piece("1.", 0.0), Piece("所述的", 1.0)], tokenizer, limit=10)
    assert tokenizer.id_to_token(ids[0]) == "<bos>"
    assert tokenizer.id_to_token(ids[-1]) == "所述的"
    assert weights == [0.0] * (len(ids) - 1) + [1.0]


def test_losses_are_those_of_the_weighted_tokens() -> None:
    model = toys.model(20)
    ids, weights = [2, 5, 6, 7], [0.0, 0.0, 0.1, 1.0]
    loss, weight = losses(model, ids, weights)
    with torch.inference_mode():
        odds = torch.log_softmax(model(torch.tensor([ids])).logits[0].float(), dim=-1)
    assert weight.tolist() == pytest.approx([0.1, 1.0])
    assert loss.tolist() == pytest.approx([-float(odds[1, 6]), -float(odds[2, 7])], abs=1e-5)


def test_every_set_is_seen_once_an_epoch() -> None:
    sets = [ClaimSet(title=str(at), abstract="", claims=()) for at in range(7)]
    steps = train.schedule(train.Settings(epochs=2, sets_per_step=3), sets)
    assert [len(step) for step in steps] == [3, 3, 1, 3, 3, 1]
    assert len({seed for step in steps for _, seed in step}) == 14


def test_the_rate_rises_and_falls() -> None:
    rates = [train.rate_at(step, 100, train.Settings()) for step in range(100)]
    assert rates[0] < rates[4]
    assert rates[4:] == sorted(rates[4:], reverse=True)
    assert 0 < rates[-1] < rates[4] / 50


def test_an_interrupted_run_ends_like_one_that_was_not(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = list(read_sets())[:6]
    monkeypatch.setattr(train, "read_sets", lambda: few)
    train.train(base, tmp_path / "straight", SETTINGS)
    save = train._save_checkpoint

    def save_and_die(model: object, optimiser: object, path: Path, step: int) -> None:
        save(model, optimiser, path, step)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(train, "_save_checkpoint", save_and_die)
        with pytest.raises(KeyboardInterrupt):
            train.train(base, tmp_path / "broken", SETTINGS)
    train.train(base, tmp_path / "broken", SETTINGS)

    straight = load_file(tmp_path / "straight" / "adapter_model.safetensors")
    broken = load_file(tmp_path / "broken" / "adapter_model.safetensors")
    assert straight.keys() == broken.keys()
    assert all(torch.equal(straight[name], broken[name]) for name in straight)
    assert {tensor.dtype for tensor in straight.values()} == {torch.bfloat16}
    steps = [json.loads(line)["step"] for line in (tmp_path / "broken/log.jsonl").open()]
    assert steps == [1, 2, 3]
    assert not (tmp_path / "broken" / "checkpoint.pt").exists()


def test_perplexity_counts_the_claims_only(base: Path, tmp_path: Path) -> None:
    row = {"title": "膜", "abstract": "层。", "claims": [{"number": 1, "text": "所述基材层。"}]}
    path = tmp_path / "sets.jsonl"
    path.write_text(json.dumps(row) + "\n")
    measured = perplexity(base, path)
    assert measured.characters == len("所述基材层。\n")
    assert measured.per_token > 1
