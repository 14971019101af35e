"""A .docx as plain text, in the order in which it is read.

Paragraphs and headings are lines, list marks are written out, a table row is a line with " | "
between its cells, text boxes follow the paragraph that holds them, foot- and endnotes stand in
brackets where they are called. Of tracked changes the insertions are kept, the deletions dropped.
"""

from collections.abc import Iterator

from lxml import etree

from console.matters.importing.archive import Archive, broken
from console.matters.importing.mathtext import linear
from console.matters.importing.names import attribute, child, name_of
from console.matters.importing.numbering import Numbering, read_numbering
from console.matters.importing.results import FORMULA, MAX_CHARACTERS, PICTURE, ImportRefused, _

_DROPPED = frozenset(
    {
        "w:del", "w:moveFrom", "w:delText", "w:instrText", "w:delInstrText", "w:pPr", "w:rPr",
        "w:rt", "w:sdtPr", "w:sdtEndPr", "w:tblPr", "w:tblGrid", "w:trPr", "w:tcPr", "w:sectPr",
        "w:fldChar", "w:commentReference", "w:annotationRef", "w:footnoteRef", "w:endnoteRef",
    }
)  # fmt: skip
_SIGNS = {
    "w:tab": "\t",
    "w:ptab": "\t",
    "w:br": "\n",
    "w:cr": "\n",
    "w:noBreakHyphen": "-",
    "w:softHyphen": "",
}
_SYMBOL_FONTS = ("Symbol", "Wingdings")
# Characters of the Symbol font that stand for letters in formulae: its codes, in their order.
_SYMBOL = dict(
    zip(
        "abcdefghiklmnopqrstuwxyzDGQLXPSFYWJ",
        "αβχδεφγηικλμνοπθρστυωξψζΔΓΘΛΞΠΣΦΨΩϑ",
        strict=True,
    )
)
_SYMBOL |= {"\xa3": "≤", "\xb3": "≥", "\xb4": "×", "\xb1": "±", "\xb0": "°", "\xb9": "≠"}
_SYMBOL |= {"\xb8": "÷", "\xbb": "≈", "\xa5": "∞", "\xd6": "√", "\xb6": "∂", "\xe5": "∑"}


def read_docx(data: bytes) -> str:
    """Raises ImportRefused: not_word, broken_document, archive_bomb, encrypted_document."""
    archive = Archive(data)
    main = archive.main_part()
    if main is None:
        raise ImportRefused(
            "not_word", _("文件里没有 Word 正文，可能是表格或其他文档。请导入 .docx 格式的交底书。")
        )
    body = child(archive.xml(main), "w:body")
    if body is None:
        raise ImportRefused(
            "not_word", _("文件里没有 Word 正文，可能是表格或其他文档。请导入 .docx 格式的交底书。")
        )
    folder = main.rpartition("/")[0]
    try:
        return _Reader(archive, folder).read(body)
    except RecursionError as error:
        raise broken() from error


class _Reader:
    def __init__(self, archive: Archive, folder: str) -> None:
        def part(name: str) -> etree._Element | None:
            path = f"{folder}/{name}" if folder else name
            return archive.xml(path) if path in archive else None

        self._numbering: Numbering = read_numbering(part("numbering.xml"), part("styles.xml"))
        self._notes = {
            kind: _notes(part(f"{kind}s.xml"), f"w:{kind}") for kind in ("footnote", "endnote")
        }
        # Text boxes of the paragraph being read.
        self._boxes: list[str] = []

    def read(self, body: etree._Element) -> str:
        """Stops beyond the limit, which the caller then finds exceeded."""
        lines: list[str] = []
        length = 0
        for line in self._blocks(body):
            lines.append(line)
            length += len(line)
            if length > 2 * MAX_CHARACTERS:
                break
        return "\n".join(lines)

    def _blocks(self, container: etree._Element) -> Iterator[str]:
        for element in container:
            match name_of(element):
                case "w:p":
                    yield from self._paragraph(element)
                case "w:tbl":
                    yield from self._table(element)
                case "m:oMathPara" | "m:oMath":
                    yield _formula(element)
                case name if name in _DROPPED:
                    continue
                case "mc:AlternateContent":
                    yield from self._blocks(_choice(element))
                case _:
                    # Content controls, custom XML, tracked insertions: what they hold counts.
                    yield from self._blocks(element)

    def _paragraph(self, paragraph: etree._Element) -> Iterator[str]:
        outer, self._boxes = self._boxes, []
        text = "".join(self._inline(paragraph))
        # Word counts an empty list paragraph too, though it shows nothing.
        mark = self._numbering.mark(paragraph)
        yield (mark + text) if text.strip() else ""
        yield from self._boxes
        self._boxes = outer

    def _inline(self, container: etree._Element) -> Iterator[str]:
        for element in container:
            name = name_of(element)
            match name:
                case "w:t" | "m:t":
                    yield element.text or ""
                case _ if name in _SIGNS:
                    yield _SIGNS[name]
                case _ if name in _DROPPED:
                    continue
                case "w:r":
                    if not _hidden(element):
                        yield from self._inline(element)
                case "w:sym":
                    yield _symbol(element)
                case "m:oMath" | "m:oMathPara":
                    yield _formula(element)
                case "w:drawing" | "w:pict":
                    yield from self._picture(element)
                case "w:object":
                    yield _embedded(element)
                case "w:footnoteReference" | "w:endnoteReference":
                    yield self._note(element, name[2:-9])
                case "mc:AlternateContent":
                    yield from self._inline(_choice(element))
                case _:
                    yield from self._inline(element)

    def _picture(self, element: etree._Element) -> Iterator[str]:
        """A drawing's text boxes follow the paragraph; what has no text is noted in its place."""
        texts = ["\n".join(self._blocks(box)).strip() for box in _text_boxes(element)]
        found = [text for text in texts if text]
        self._boxes += found
        is_picture = any(name_of(each) in ("pic", "v:imagedata") for each in element.iter())
        if is_picture or not found:
            yield PICTURE

    def _note(self, element: etree._Element, kind: str) -> str:
        # Word calls each note once. One that is called again, or by itself, could fill the memory.
        note = self._notes[kind].pop(attribute(element, "id") or "", None)
        text = " ".join(self._blocks(note)).strip() if note is not None else ""
        return f"〔注：{text}〕" if text else ""

    def _table(self, table: etree._Element) -> Iterator[str]:
        for row in _descend(table, "w:tr"):
            cells = [self._cell(cell) for cell in _descend(row, "w:tc")]
            if any(cells):
                yield " | ".join(cells)
        yield ""

    def _cell(self, cell: etree._Element) -> str:
        merged = child(cell, "w:tcPr", "w:vMerge")
        if merged is not None and attribute(merged, "val") != "restart":
            return ""
        lines = (line.strip() for text in self._blocks(cell) for line in text.split("\n"))
        return " ".join(line for line in lines if line)


def _descend(container: etree._Element, wanted: str) -> Iterator[etree._Element]:
    """Rows of a table or cells of a row, also inside content controls and tracked insertions."""
    for element in container:
        name = name_of(element)
        if name == wanted:
            if child(element, "w:trPr", "w:del") is None:
                yield element
        elif name not in _DROPPED:
            yield from _descend(element, wanted)


def _text_boxes(element: etree._Element) -> Iterator[etree._Element]:
    """The outermost ones: their own reader finds those inside."""
    for each in element:
        if name_of(each) == "w:txbxContent":
            yield each
        else:
            yield from _text_boxes(each)


def _formula(element: etree._Element) -> str:
    return linear(element).strip() or FORMULA


def _choice(element: etree._Element) -> etree._Element:
    """Of the same thing written twice, for new and for old readers, the new one."""
    for each in element:
        if name_of(each) == "mc:Choice" and len(each):
            return each
    fallback = child(element, "mc:Fallback")
    return fallback if fallback is not None else etree.Element("nothing")


def _embedded(element: etree._Element) -> str:
    program = next(
        (attribute(e, "ProgID") or "" for e in element.iter() if name_of(e) == "o:OLEObject"), ""
    )
    return FORMULA if program.startswith(("Equation", "MathType")) else PICTURE


def _hidden(run: etree._Element) -> bool:
    vanish = child(run, "w:rPr", "w:vanish")
    return vanish is not None and attribute(vanish, "val") not in ("0", "false", "off")


def _symbol(element: etree._Element) -> str:
    code, font = attribute(element, "char") or "", attribute(element, "font") or ""
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    if 0xF000 <= number <= 0xF0FF:
        number -= 0xF000
        return _SYMBOL.get(chr(number), "") if font == _SYMBOL_FONTS[0] else "•"
    return chr(number) if 0 <= number < 0xD800 else ""


def _notes(part: etree._Element | None, name: str) -> dict[str, etree._Element]:
    return {
        attribute(note, "id") or "": note
        for note in (part if part is not None else ())
        if name_of(note) == name and attribute(note, "type") is None
    }
