"""How the output of children becomes lines."""

import io
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.operations.supervisor.output import Lines, Stream


def test_lines_end_at_line_ends_and_at_carriage_returns() -> None:
    lines = Lines()
    assert lines.feed(b"one\ntw") == ["one"]
    assert lines.feed(b"o\r 50%\r\n") == ["two", " 50%"]
    assert lines.feed(b"rest") == []
    assert lines.flush() == ["rest"]


def test_a_flood_without_line_ends_is_cut() -> None:
    lines = Lines(longest=10)
    assert lines.feed(b"x" * 25) == ["x" * 10, "x" * 10]
    assert lines.flush() == ["x" * 5]


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert Lines().feed(b"\xff\xfe\n") == ["\ufffd\ufffd"]


@given(
    st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)),
    st.integers(1, 7),
)
def test_a_line_is_the_same_however_it_arrives(texts: list[str], size: int) -> None:
    raw = "".join(f"{text}\n" for text in texts).encode()
    lines = Lines(longest=10_000)
    pieces = [raw[at : at + size] for at in range(0, len(raw), size)]
    assert [line for piece in pieces for line in lines.feed(piece)] == texts


def test_a_reader_that_has_gone_takes_nothing_down() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    out = os.fdopen(writer, "w")
    Stream(["web"], out).line("web", "hello")
    with pytest.raises(BrokenPipeError):
        out.close()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_appear_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for out, coloured in [(io.StringIO(), False), (Terminal(), True)]:
        Stream(["web"], out).line("web", "hello")
        assert ("\x1b[" in out.getvalue()) is coloured


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    out = Terminal()
    Stream(["web"], out).line("web", "hello")
    assert out.getvalue() == "web         | hello\n"
