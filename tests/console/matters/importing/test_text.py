"""Text files in the encodings that Chinese offices use, and what is no text."""

import random

import pytest

from console.matters.importing import ImportRefused, read_disclosure, read_pasted

TEXT = "一种散热装置，包括壳体、风扇和导热片。\n温度为60℃～80℃，导热系数λ≥200W/(m·K)。"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030"]
)
def test_every_usual_encoding_is_recognised(encoding: str) -> None:
    assert read_disclosure("交底书.txt", TEXT.encode(encoding)).text == TEXT


def test_gbk_of_a_short_text_is_recognised() -> None:
    assert read_disclosure("a.txt", "散热".encode("gbk")).text == "散热"


def test_a_file_cut_within_a_character_loses_only_that_one() -> None:
    whole = TEXT.encode()
    assert read_disclosure("a.txt", whole[:-1]).text == TEXT[:-1]


def test_line_ends_and_blank_lines_are_evened_out() -> None:
    assert read_pasted("甲 \r\n乙\r丙\n\n\n \n丁\x0c").text == "甲\n乙\n丙\n\n丁"


def test_nul_bytes_and_control_characters_are_taken_out() -> None:
    assert read_disclosure("a.txt", TEXT.encode() + b"\x00\x07\x1b").text == TEXT


def test_what_nobody_sees_is_taken_out() -> None:
    """A mark of direction shows another text than the one that is filed; a blank without width
    stands in the middle of a word."""
    hidden = "一种\u202e散热\u202c装\u200b置\u2066，包\u00ad括壳\U000e0041体。\u200f"
    assert read_pasted(hidden).text == "一种散热装置，包括壳体。"


@pytest.mark.parametrize(
    "data",
    [
        b"", b" \r\n\t ", "\u3000\ufeff\n".encode(), b"\x00\x00", "\u202e\u200b".encode(),
    ],
)  # fmt: skip
def test_nothing_to_read_is_said(data: bytes) -> None:
    with pytest.raises(ImportRefused) as refused:
        read_disclosure("a.txt", data)
    assert refused.value.code == "disclosure_empty"


def test_binary_files_named_as_text_are_refused() -> None:
    noise = random.Random(1)
    for data in (
        b"\x7fELF\x02\x01\x01" + bytes(200) + noise.randbytes(5_000),
        b"\x89PNG\r\n\x1a\n" + noise.randbytes(5_000),
        b"\xff\xd8\xff\xe0" + noise.randbytes(5_000),
        noise.randbytes(5_000),
        noise.randbytes(5_000).replace(b"\x00", b"\x01"),
    ):
        with pytest.raises(ImportRefused) as refused:
            read_disclosure("交底书.txt", data)
        assert refused.value.code in {"not_text", "encoding_unknown"}


def test_an_encoding_that_nobody_can_tell_is_refused_with_the_way_out() -> None:
    with pytest.raises(ImportRefused, match="UTF-8"):
        read_disclosure("a.txt", "ひらがなカタカナ".encode("euc-jp") * 20 + b"\xff\xfe\xff")


def test_markup_in_a_text_is_only_text() -> None:
    text = "<script>alert(1)</script>"
    assert read_disclosure("a.txt", text.encode()).text == text


def test_markdown_is_read_as_its_reader_sees_it() -> None:
    source = (
        "# 技术领域\n\n本发明涉及**散热**，\n尤其是`风扇`。\n\n"
        "- 壳体\n- 风扇\n  1. 叶片\n  2. 轴\n\n3. 三\n4. 四\n\n"
        "| 温度 | 转速 |\n|---|---|\n| 60℃ | 3000 |\n\n![结构图](a.png)\n\n<script>x</script>\n"
    )
    assert read_disclosure("交底书.md", source.encode()).text == (
        "技术领域\n\n本发明涉及散热，\n尤其是风扇。\n\n"
        "• 壳体\n• 风扇\n  1. 叶片\n  2. 轴\n3. 三\n4. 四\n"
        "温度 | 转速\n60℃ | 3000\n\n〔图：结构图〕\n\n<script>x</script>"
    )


@pytest.mark.parametrize("mark", ["[", "![a](", "_a_", "**x", "|a", "[a]: ", "<a "])
def test_hostile_markdown_is_only_text(mark: str) -> None:
    source = mark * (400_000 // len(mark))
    assert read_disclosure("a.md", source.encode()).text == source.rstrip()


def test_a_picture_inside_a_markdown_file_is_a_picture() -> None:
    source = f"# 散热\n\n![结构图](data:image/png;base64,{'iVBORw0KGgo' * 600_000}=)\n\n壳体"
    read = read_disclosure("a.md", source.encode())
    assert read.text == "散热\n\n〔图：结构图〕\n\n壳体"


def test_a_file_of_blanks_without_end_is_refused_unread() -> None:
    for name in ("a.txt", "a.md"):
        with pytest.raises(ImportRefused) as refused:
            read_disclosure(name, b"\r" * 20_000_000)
        assert refused.value.code == "disclosure_too_long"


def test_a_pasted_text_beyond_the_limit_is_refused() -> None:
    with pytest.raises(ImportRefused) as refused:
        read_pasted("长" * 500_001)
    assert refused.value.code == "disclosure_too_long"
    assert len(read_pasted("长" * 500_000).text) == 500_000


def test_a_hostile_line_of_blanks_is_read_like_any_other() -> None:
    assert read_disclosure("a.txt", ("\t " * 2_000_000 + "文").encode()).text == "文"
