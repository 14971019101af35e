"""A disclosure as the Word file that an inventor would send."""

import re
from pathlib import Path

from docx import Document
from docx.oxml.ns import qn
from docx.shared import Pt

NUMBERED = re.compile(r"\d+\. ")


def write_docx(markdown: str, target: Path) -> None:
    """Headings (# and ##), numbered lists and paragraphs; in the fonts of Chinese office texts."""
    document = Document()
    normal = document.styles["Normal"]
    normal.font.name, normal.font.size = "Times New Roman", Pt(12)
    normal.element.rPr.rFonts.set(qn("w:eastAsia"), "宋体")
    for line in filter(None, map(str.strip, markdown.splitlines())):
        if line.startswith("#"):
            marks, _, title = line.partition(" ")
            document.add_heading(title, level=len(marks) - 1)
        elif NUMBERED.match(line):
            document.add_paragraph(NUMBERED.sub("", line, count=1), style="List Number")
        else:
            document.add_paragraph(line).paragraph_format.first_line_indent = Pt(24)
    document.save(str(target))
