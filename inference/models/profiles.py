"""Profiles: what a node serves and with which engine settings. One JSON file each in profiles/."""

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from inference.models.errors import ModelError

FOLDER = Path(__file__).parent / "profiles"
DEFAULT = "gemma3-270m-cn"


@dataclass(frozen=True)
class Profile:
    """The model of a node and the settings its engine starts with.

    Exactly one of `recipe` (built here, see recipes.build) and `repo` (a Hugging Face repository id
    or a local folder, handed to vLLM as it is) names the model.
    """

    name: str
    title: str
    dtype: str
    tensor_parallel_size: int
    max_model_len: int
    kv_cache_gib: int
    recipe: str = ""
    repo: str = ""
    # vLLM's speculative_config as it is; None switches speculation off.
    speculation: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        if bool(self.recipe) == bool(self.repo):
            raise ModelError(
                "bad-profile",
                f"Profile {self.name} must name either a recipe or a repo, and not both.",
            )
        for field in ("tensor_parallel_size", "max_model_len", "kv_cache_gib"):
            value = getattr(self, field)
            if not isinstance(value, int) or value < 1:
                raise ModelError(
                    "bad-profile",
                    f"Profile {self.name}: {field} must be a whole number above 0, not {value!r}.",
                )
        if self.dtype not in ("bfloat16", "float16", "float32"):
            raise ModelError(
                "bad-profile",
                f"Profile {self.name}: dtype must be bfloat16, float16 or float32, "
                f"not {self.dtype!r}.",
            )


def names(folder: Path = FOLDER) -> list[str]:
    """The names that `load` knows, sorted."""
    return sorted(path.stem for path in folder.glob("*.json"))


def load(name: str, folder: Path = FOLDER) -> Profile:
    """The profile of that name. Raises ModelError for an unknown name or a bad file."""
    known = names(folder)
    if name not in known:
        raise ModelError(
            "unknown-profile", f"There is no profile {name!r}. Known profiles: {', '.join(known)}."
        )
    path = folder / f"{name}.json"
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelError("bad-profile", f"{path.name} is not valid JSON: {error}.") from error
    allowed = {field.name for field in fields(Profile)} - {"name"}
    unknown = sorted(set(values) - allowed)
    if unknown:
        raise ModelError(
            "bad-profile",
            f"{path.name} has unknown settings: {', '.join(unknown)}. "
            f"Known settings: {', '.join(sorted(allowed))}.",
        )
    try:
        return Profile(name=name, **values)
    except TypeError as error:
        raise ModelError("bad-profile", f"{path.name} is incomplete: {error}.") from error
