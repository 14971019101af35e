import json
from pathlib import Path

import pytest

from inference.models import profiles
from inference.models.errors import ModelError

GOOD = {
    "title": "A model",
    "repo": "somebody/some-model",
    "dtype": "bfloat16",
    "tensor_parallel_size": 1,
    "max_model_len": 2048,
    "kv_cache_gib": 1,
}


def write(folder: Path, **changes: object) -> None:
    (folder / "mine.json").write_text(json.dumps({**GOOD, **changes}))


def test_every_profile_of_the_repository_loads() -> None:
    for name in profiles.names():
        assert profiles.load(name).name == name


def test_the_default_profile_serves_the_built_model_with_lookup_drafts() -> None:
    profile = profiles.load(profiles.DEFAULT)
    assert (profile.recipe, profile.dtype, profile.tensor_parallel_size) == (
        "gemma3-270m-cn",
        "bfloat16",
        1,
    )
    assert profile.speculation is not None
    assert profile.speculation["num_speculative_tokens"] == 4


def test_an_unknown_name_is_answered_with_the_names_that_are_known() -> None:
    with pytest.raises(ModelError, match=r"Known profiles: .*gemma3-270m-cn-tp2") as caught:
        profiles.load("gemma4")
    assert caught.value.code == "unknown-profile"


def test_a_name_cannot_lead_out_of_the_folder() -> None:
    with pytest.raises(ModelError):
        profiles.load("../profiles/gemma3-270m-cn")


def test_a_profile_of_a_hub_model_loads(tmp_path: Path) -> None:
    write(tmp_path)
    assert profiles.load("mine", tmp_path).repo == "somebody/some-model"


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"recipe": "gemma3-270m-cn"}, "either a recipe or a repo"),
        ({"repo": ""}, "either a recipe or a repo"),
        ({"kv_cache_gib": 0}, "kv_cache_gib must be a whole number"),
        ({"max_model_len": "4096"}, "max_model_len must be a whole number"),
        ({"dtype": "int4"}, "dtype must be"),
        ({"temperature": 1}, "unknown settings: temperature"),
    ],
)
def test_a_bad_setting_is_named(tmp_path: Path, changes: dict[str, object], complaint: str) -> None:
    write(tmp_path, **changes)
    with pytest.raises(ModelError, match=complaint) as caught:
        profiles.load("mine", tmp_path)
    assert caught.value.code == "bad-profile"


def test_a_missing_setting_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text('{"title": "A model"}')
    with pytest.raises(ModelError, match=r"incomplete.*dtype"):
        profiles.load("mine", tmp_path)


def test_a_file_that_is_not_json_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("{")
    with pytest.raises(ModelError, match=r"mine\.json is not valid JSON"):
        profiles.load("mine", tmp_path)
