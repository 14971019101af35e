"""The claims as a Word file in the office's layout (Guidelines P1C1§4.4, P5C1§5).

A4; margins 25 mm at the top and left, 15 mm at the right and bottom; 宋体 of 12 points, one and a
half lines apart; page numbers centred at the foot; 权利要求书 stands in the page header, as on the
office's form, because the claims themselves carry no title. The numbers are text, so that every
program that reads the file sees the same ones.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from io import BytesIO

from docx import Document as new_document
from docx.document import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm, Pt
from docx.text.paragraph import Paragraph
from docx.text.run import Run

from console.matters.characters import clean

HEADER = "权利要求书"
CHINESE_FONT = "宋体"
LATIN_FONT = "Times New Roman"
FONT_SIZE = Pt(12)


def claims_docx(texts: Sequence[str]) -> bytes:
    """`texts` are the claims without their numbers; each line of a claim is a paragraph."""
    document = new_document()
    _anonymous(document)
    _page(document)
    _fonts(document)
    for number, text in enumerate(texts, start=1):
        lines = [line.strip() for line in clean(text).strip().split("\n") if line.strip()]
        for place, line in enumerate(lines):
            paragraph = document.add_paragraph(f"{number}. {line}" if place == 0 else line)
            # Two characters, in the unit that follows the font's size.
            paragraph.paragraph_format.first_line_indent = FONT_SIZE * 2
            # A claim's first line does not stand alone at the foot of a page.
            paragraph.paragraph_format.widow_control = True
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def _anonymous(document: Document) -> None:
    """Nothing about who wrote it, with what, when and how often: the file goes to the office."""
    about = document.core_properties
    about.author = about.last_modified_by = about.comments = about.keywords = ""
    about.title = about.subject = about.category = ""
    about.created = about.modified = datetime.now(UTC).replace(tzinfo=None, microsecond=0)
    about.revision = 1


def _page(document: Document) -> None:
    section = document.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.top_margin = section.left_margin = Mm(25)
    section.bottom_margin = section.right_margin = Mm(15)
    section.header_distance = Mm(12)
    section.footer_distance = Mm(7)
    header = section.header.paragraphs[0]
    header.alignment = WD_ALIGN_PARAGRAPH.CENTER
    header.add_run(HEADER)
    _no_space(header)
    footer = section.footer.paragraphs[0]
    footer.alignment = WD_ALIGN_PARAGRAPH.CENTER
    _page_number(footer)
    _no_space(footer)


def _fonts(document: Document) -> None:
    for name in ("Normal", "Header", "Footer"):
        style = document.styles[name]
        style.font.name = LATIN_FONT
        style.font.size = FONT_SIZE
        fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
        fonts.set(qn("w:eastAsia"), CHINESE_FONT)
        # A theme's font would win over the named one.
        for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
            fonts.attrib.pop(qn(f"w:{theme}"), None)
    form = document.styles["Normal"].paragraph_format
    form.line_spacing = 1.5
    form.space_before = form.space_after = Pt(0)


def _no_space(paragraph: Paragraph) -> None:
    paragraph.paragraph_format.line_spacing = 1.0


def _page_number(paragraph: Paragraph) -> None:
    """The field PAGE, as Word writes it: begin, instruction, end."""
    for kind in ("begin", "PAGE", "end"):
        run: Run = paragraph.add_run()
        if kind == "PAGE":
            element = OxmlElement("w:instrText")
            element.set(qn("xml:space"), "preserve")
            element.text = kind
        else:
            element = OxmlElement("w:fldChar")
            element.set(qn("w:fldCharType"), kind)
        run._r.append(element)
