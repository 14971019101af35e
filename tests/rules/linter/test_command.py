"""manage.py lint: what a user types, sees and gets as exit status."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

SOUND = (
    "1. 一种水泵，其特征在于，包括叶轮。\n2. 根据权利要求1所述的水泵，其特征在于，叶轮为铁质。\n"
)
UNSOUND = SOUND + "3. 根据权利要求1和2所述的水泵，其特征在于，还包括轴。\n"


def run(path: Path, *options: str) -> tuple[int, str]:
    output = StringIO()
    try:
        call_command("lint", str(path), *options, stdout=output)
    except SystemExit as stopped:
        return int(stopped.code or 0), output.getvalue()
    return 0, output.getvalue()


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    path = tmp_path / "sound.txt"
    path.write_text(SOUND, "utf-8")
    return path


@pytest.fixture
def unsound(tmp_path: Path) -> Path:
    path = tmp_path / "unsound.txt"
    path.write_text(UNSOUND, "utf-8")
    return path


def test_a_sound_set_ends_with_status_0(sound: Path) -> None:
    status, output = run(sound)
    assert status == 0
    assert "2 项权利要求，0 个错误，0 个警告或提示" in output


def test_an_error_ends_with_status_1_and_is_shown_in_place(unsound: Path) -> None:
    status, output = run(unsound)
    assert status == 1
    assert "权利要求3  错误 D05" in output
    assert "^^^" in output


def test_a_warning_alone_ends_with_status_0(tmp_path: Path) -> None:
    path = tmp_path / "warning.txt"
    path.write_text("1. 一种水泵，包括叶轮。\n", "utf-8")
    status, output = run(path)
    assert (status, "警告 I01" in output) == (0, True)


def test_the_last_line_is_json(unsound: Path) -> None:
    status, output = run(unsound, "--json")
    (found,) = json.loads(output.splitlines()[-1])["findings"]
    assert status == 1
    assert (found["publication"], found["claim"], found["rule"]) == ("unsound", 3, "D05")
    assert (found["severity"], found["start"], found["end"]) == ("error", 2, 9)
    assert found["article"].startswith("细则25.2")
    assert found["message"]


def test_a_title_is_reported_with_its_place_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "titled.txt"
    path.write_text("权利要求书\n" + SOUND, "utf-8")
    status, output = run(path)
    assert status == 1
    assert "文首  错误 C03" in output


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"PK\x03\x04", "Word or PDF"),
        (b'{"claims": 1}', "line 1"),
        (b"x" * (50 * 1024 * 1024), "the limit is 20 MB"),
    ],
)
def test_what_cannot_be_read_ends_with_status_2_and_one_sentence(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "input.txt"
    path.write_bytes(content)
    with pytest.raises(CommandError, match=said) as refused:
        call_command("lint", str(path))
    assert refused.value.returncode == 2
    assert "\n" not in str(refused.value)


def test_a_missing_file_and_an_unknown_pack_end_with_status_2(tmp_path: Path, sound: Path) -> None:
    with pytest.raises(CommandError, match="No such file") as refused:
        call_command("lint", str(tmp_path / "none.txt"))
    assert refused.value.returncode == 2
    with pytest.raises(CommandError, match="No built-in pack") as refused:
        call_command("lint", str(sound), "--pack", "nowhere")
    assert refused.value.returncode == 2
