"""The parts of a Word file: a ZIP archive of XML, opened without trusting either."""

import posixpath
import zipfile
import zlib
from io import BytesIO

from lxml import etree

from console.matters.importing.results import ImportRefused, _

MAX_ENTRIES = 5_000
# All parts that are read, together. The longest disclosure that is taken needs about a third of it;
# as a tree it takes fifteen times as much memory.
MAX_XML_BYTES = 32 * 1024 * 1024
# Beginnings and ends of elements together: each costs its reader some microseconds, text does not.
MAX_TAGS = 1_500_000
# What Word writes and the standard allows. What else zipfile unpacks fails in its own ways.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DOCUMENT_RELATION = "/officeDocument"
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


class Archive:
    """Reads parts by name. Raises ImportRefused: broken_document, archive_bomb."""

    def __init__(self, data: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            raise broken() from error
        entries = self._zip.infolist()
        if len(entries) > MAX_ENTRIES:
            raise _bomb()
        self._left = MAX_XML_BYTES
        self._tags_left = MAX_TAGS
        self._entries = {entry.filename: entry for entry in entries}
        if any(entry.flag_bits & 1 for entry in entries):
            raise ImportRefused(
                "encrypted_document", _("文件有密码保护，请先在 Word 中取消密码后再导入。")
            )

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def main_part(self) -> str | None:
        """The name of the document's text, as the package's relations give it."""
        if "_rels/.rels" in self:
            for relation in self.xml("_rels/.rels").iter(_RELATION):
                if relation.get("Type", "").endswith(_DOCUMENT_RELATION):
                    name: str = posixpath.normpath(relation.get("Target", "").lstrip("/"))
                    if name in self:
                        return name
        return "word/document.xml" if "word/document.xml" in self else None

    def xml(self, name: str) -> etree._Element:
        """A part as a tree. A document type is refused: Word writes none, attackers do."""
        parser = etree.XMLParser(
            resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False
        )
        try:
            root = etree.fromstring(self._read(name), parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise broken() from error
        if root.getroottree().docinfo.internalDTD is not None:
            raise broken()
        return root

    def _read(self, name: str) -> bytes:
        entry = self._entries[name]
        if entry.compress_type not in _METHODS:
            raise broken()
        try:
            with self._zip.open(entry) as part:
                # Not the size in the directory: that one is the archive's own claim.
                data = part.read(self._left + 1)
        except (
            zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError,
            ValueError,
        ) as error:  # fmt: skip
            raise broken() from error
        self._left -= len(data)
        self._tags_left -= data.count(b"<")
        if self._left < 0 or self._tags_left < 0:
            raise _bomb()
        return data


def broken() -> ImportRefused:
    return ImportRefused(
        "broken_document", _("文件已损坏，无法读取。请在 Word 中打开并重新保存后再导入。")
    )


def _bomb() -> ImportRefused:
    return ImportRefused(
        "archive_bomb", _("文件解压后异常巨大，已拒绝导入。请删去其中的大图或附件后再试。")
    )
