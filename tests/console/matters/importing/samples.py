"""Word files built by hand, part by part, as tests need them."""

import zipfile
from io import BytesIO

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
NAMESPACES = (
    f'xmlns:w="{W}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
)
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
    'relationships/officeDocument" Target="{target}"/></Relationships>'
)


def archive(parts: dict[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return out.getvalue()


def docx(body: str, *, main: str = "word/document.xml", **parts: str) -> bytes:
    """A Word file whose body is this XML; more parts by their names in word/ (numbering="…")."""
    folder = main.rpartition("/")[0]
    return archive(
        {
            "_rels/.rels": _RELATIONS.format(target=main),
            main: f"<w:document {NAMESPACES}><w:body>{body}<w:sectPr/></w:body></w:document>",
            **{f"{folder}/{name}.xml": xml for name, xml in parts.items()},
        }
    )


def p(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def listed(text: str, level: int = 0, number: int = 1) -> str:
    return p(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


def numbering(*levels: tuple[str, str], more: str = "") -> str:
    """numbering.xml with one list, numId 1, whose levels are (format, text)."""
    written = "".join(
        f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for n, (form, text) in enumerate(levels)
    )
    return (
        f'<w:numbering xmlns:w="{W}"><w:abstractNum w:abstractNumId="7">{written}</w:abstractNum>'
        f'<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>{more}</w:numbering>'
    )
