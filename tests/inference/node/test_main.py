"""What the command line refuses, and with which words."""

import socket
from pathlib import Path

import pytest

from inference.node.__main__ import main


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--profile", "no-such-profile"], "no-such-profile"),
        (["--model-dir", "/nowhere"], "There is no model in /nowhere"),
        ([], "needs --model-dir"),
    ],
)
def test_what_cannot_be_started_is_refused_in_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert sentence in capsys.readouterr().err


def test_a_profile_too_large_for_the_machine_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.json").write_text("{}")
    # A model of 8 TiB: the file is sparse.
    with (tmp_path / "model.safetensors").open("wb") as file:
        file.truncate(8 * 1024**4)
    assert main(["--model-dir", str(tmp_path)]) == 2
    assert "GiB of memory; the machine has" in capsys.readouterr().err


def test_a_port_that_is_taken_is_refused_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.json").write_text("{}")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["--model-dir", str(tmp_path), "--port", port]) == 2
    assert f"Port {port} is taken" in capsys.readouterr().err
