"""Bytes of a text file as text: UTF-8, UTF-16 or GB18030, with or without a byte order mark."""

import codecs
import re

from console.matters.importing.results import ImportRefused, _

_MARKED = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What a Chinese or English text consists of; chance bytes decode to rarer characters.
_USUAL = re.compile(
    r"[\t\n\r\f\x20-\x7e\u00a0-\u00ff\u0370-\u03ff\u0391-\u03c9\u2000-\u22ff\u2300-\u23ff"
    r"\u2460-\u25ff\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]"
)
_USUAL_SHARE = 0.9
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
# A stray control character is an accident of an old editor; more of them are no text.
_CONTROL_SHARE = 0.002
_SAMPLE = 200_000


def decode(data: bytes) -> str:
    """Raises ImportRefused: not_text, encoding_unknown."""
    for mark, encoding in _MARKED:
        if data.startswith(mark):
            return _checked(data.decode(encoding, errors="replace"))
    try:
        return _checked(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        # A copy that was cut in the middle of a character is still the same text.
        if error.reason == "unexpected end of data" and error.start > 0:
            return _checked(data[: error.start].decode("utf-8"))
    for encoding in ("utf-16-le", "utf-16-be") if b"\x00" in data else ("gb18030",):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if _looks_written(text):
            return _checked(text)
    if b"\x00" in data or _mostly_control(data.decode("latin-1")):
        raise _not_text()
    raise ImportRefused(
        "encoding_unknown", _("无法识别文件的文字编码，请另存为 UTF-8 编码后再导入。")
    )


def _looks_written(text: str) -> bool:
    sample = text[:_SAMPLE]
    return bool(sample) and len(_USUAL.findall(sample)) >= _USUAL_SHARE * len(sample)


def _mostly_control(text: str) -> bool:
    sample = text[:_SAMPLE]
    return len(_CONTROL.findall(sample)) > max(8, _CONTROL_SHARE * len(sample))


def _checked(text: str) -> str:
    if _mostly_control(text):
        raise _not_text()
    return text


def _not_text() -> ImportRefused:
    return ImportRefused(
        "not_text", _("文件内容不是文字。请导入 .docx、.txt 或 .md 格式的交底书。")
    )
