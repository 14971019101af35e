"""Which reader a file gets: by what it contains first, by its name second."""

from pathlib import PurePath

from console.matters.importing.docx import read_docx
from console.matters.importing.markdown import plain_text
from console.matters.importing.results import ImportedText, ImportRefused, _, finished
from console.matters.importing.text import decode

_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_COMPOUND_FILE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_MARKDOWN = (".md", ".markdown")
_WORD = (".docx", ".docm", ".dotx", ".doc", ".wps")


def read_disclosure(name: str, data: bytes) -> ImportedText:
    """The text of a .docx, .txt or .md file. Raises ImportRefused."""
    suffix = PurePath(name).suffix.lower()
    if data.startswith(_COMPOUND_FILE):
        if _ENCRYPTED in data:
            raise ImportRefused(
                "encrypted_document", _("文件有密码保护，请先在 Word 中取消密码后再导入。")
            )
        raise ImportRefused(
            "old_word_format",
            _("这是旧版 Word 格式（.doc 或 .wps），请在 Word 或 WPS 中另存为 .docx 后再导入。"),
        )
    if data.startswith(_ZIP):
        return finished(read_docx(data), "docx")
    if data.startswith(b"%PDF"):
        raise ImportRefused(
            "pdf_not_supported", _("暂不支持 PDF，请导入 .docx，或复制文字后粘贴。")
        )
    if data.startswith(b"{\\rtf"):
        raise ImportRefused(
            "rtf_not_supported", _("这是 RTF 格式，请在 Word 或 WPS 中另存为 .docx 后再导入。")
        )
    if suffix in _WORD and data:
        raise ImportRefused(
            "not_word", _("文件内容不是 Word 文档，可能已损坏。请重新保存后再导入。")
        )
    text = decode(data)
    if suffix in _MARKDOWN:
        return finished(plain_text(text), "md")
    return finished(text, "txt")


def read_pasted(text: str) -> ImportedText:
    """Text from the clipboard. Raises ImportRefused."""
    return finished(text, "paste")
