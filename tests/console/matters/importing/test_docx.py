"""Word files as the text that their reader sees."""

import zipfile
from io import BytesIO

import docx as python_docx
import pytest

from console.matters.importing import ImportRefused, read_disclosure
from tests.console.matters.importing.samples import (
    NAMESPACES,
    W,
    archive,
    docx,
    listed,
    numbering,
    p,
)


def text(data: bytes) -> str:
    read = read_disclosure("交底书.docx", data)
    assert read.format == "docx"
    return read.text


def refusal(data: bytes, name: str = "交底书.docx") -> str:
    with pytest.raises(ImportRefused) as refused:
        read_disclosure(name, data)
    assert str(refused.value).endswith("。")
    return refused.value.code


def test_a_file_written_by_word_software() -> None:
    document = python_docx.Document()
    document.add_heading("技术领域", level=1)
    document.add_paragraph("本发明涉及散热。")
    document.add_paragraph("风扇", style="List Number")
    document.add_paragraph("壳体", style="List Number")
    document.add_paragraph("铜", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for row, cells in zip(table.rows, (("温度", "转速"), ("60℃", "3000")), strict=True):
        for cell, value in zip(row.cells, cells, strict=True):
            cell.text = value
    out = BytesIO()
    document.save(out)
    assert text(out.getvalue()) == (
        "技术领域\n本发明涉及散热。\n1. 风扇\n2. 壳体\n• 铜\n温度 | 转速\n60℃ | 3000"
    )


def test_tabs_breaks_and_hyphens_are_kept() -> None:
    body = (
        "<w:p><w:r><w:t>甲</w:t><w:tab/><w:t>乙</w:t><w:br/><w:t>丙</w:t>"
        "<w:noBreakHyphen/><w:t xml:space='preserve'> 丁</w:t></w:r></w:p>"
    )
    assert text(docx(body)) == "甲\t乙\n丙- 丁"


def test_insertions_are_kept_and_deletions_dropped() -> None:
    body = (
        "<w:p><w:r><w:t>包括</w:t></w:r>"
        "<w:ins w:id='1'><w:r><w:t>风扇</w:t></w:r></w:ins>"
        "<w:del w:id='2'><w:r><w:delText>水泵</w:delText></w:r></w:del>"
        "<w:moveFrom w:id='3'><w:r><w:t>旧处</w:t></w:r></w:moveFrom>"
        "<w:moveTo w:id='4'><w:r><w:t>新处</w:t></w:r></w:moveTo></w:p>"
    )
    assert text(docx(body)) == "包括风扇新处"


def test_a_deleted_row_is_dropped() -> None:
    body = (
        f"<w:tbl><w:tr><w:tc>{p('留')}</w:tc></w:tr>"
        f"<w:tr><w:trPr><w:del w:id='1'/></w:trPr><w:tc>{p('删')}</w:tc></w:tr></w:tbl>"
    )
    assert text(docx(body)) == "留"


def test_fields_show_their_result_only() -> None:
    body = (
        "<w:p><w:r><w:fldChar w:fldCharType='begin'/></w:r>"
        "<w:r><w:instrText>REF _Ref1 \\h</w:instrText></w:r>"
        "<w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>图1</w:t></w:r>"
        "<w:r><w:fldChar w:fldCharType='end'/></w:r>"
        "<w:hyperlink><w:r><w:t>见此</w:t></w:r></w:hyperlink></w:p>"
    )
    assert text(docx(body)) == "图1见此"


def test_content_controls_are_read_through() -> None:
    body = f"<w:sdt><w:sdtPr/><w:sdtContent>{p('发明内容')}</w:sdtContent></w:sdt>"
    assert text(docx(body)) == "发明内容"


def test_hidden_text_stays_hidden() -> None:
    hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>内部备注</w:t></w:r>"
    shown = "<w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>正文</w:t></w:r>"
    assert text(docx(f"<w:p>{hidden}{shown}</w:p>")) == "正文"


def test_pictures_and_formulae_without_text_are_noted_where_they_stand() -> None:
    picture = (
        "<w:r><w:drawing><a:graphic><a:graphicData><pic:pic/></a:graphicData></a:graphic>"
        "</w:drawing></w:r>"
    )
    equation = "<w:r><w:object><o:OLEObject ProgID='Equation.DSMT4'/></w:object></w:r>"
    body = f"<w:p><w:r><w:t>如</w:t></w:r>{picture}{equation}<w:r><w:t>所示</w:t></w:r></w:p>"
    assert text(docx(body)) == "如〔图〕〔公式〕所示"


def test_a_text_box_is_read_once_behind_its_paragraph() -> None:
    box = f"<w:txbxContent>{p('散热器')}</w:txbxContent>"
    body = (
        "<w:p><w:r><w:t>图1</w:t></w:r><w:r><mc:AlternateContent>"
        f"<mc:Choice Requires='wps'><w:drawing><wps:txbx>{box}</wps:txbx></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r></w:p>"
    )
    assert text(docx(body)) == "图1\n散热器"


@pytest.mark.parametrize(
    ("math", "expected"),
    [
        ("<m:r><m:t>E=mc</m:t></m:r>", "E=mc"),
        (
            "<m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>",
            "(a+b)/2",
        ),
        (
            "<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>",
            "x^2",
        ),
        (
            "<m:sSub><m:e><m:r><m:t>T</m:t></m:r></m:e><m:sub><m:r><m:t>max</m:t></m:r></m:sub></m:sSub>",
            "T_(max)",
        ),
        ("<m:rad><m:deg/><m:e><m:r><m:t>2x</m:t></m:r></m:e></m:rad>", "√(2x)"),
        (
            "<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr>"
            "<m:sub><m:r><m:t>i=1</m:t></m:r></m:sub>"
            "<m:sup><m:r><m:t>n</m:t></m:r></m:sup><m:e><m:r><m:t>a</m:t></m:r></m:e></m:nary>",
            "∑_(i=1)^(n) a",
        ),
        (
            "<m:d><m:dPr><m:begChr m:val='['/><m:endChr m:val=']'/></m:dPr>"
            "<m:e><m:r><m:t>x</m:t></m:r></m:e></m:d>",
            "[x]",
        ),
        ("", "〔公式〕"),
    ],
)
def test_office_math_is_written_on_one_line(math: str, expected: str) -> None:
    body = f"<w:p><w:r><w:t>其中</w:t></w:r><m:oMath>{math}</m:oMath></w:p>"
    assert text(docx(body)) == f"其中{expected}"


@pytest.mark.parametrize(
    ("form", "pattern", "marks"),
    [
        ("decimal", "%1.", ["1.", "2."]),
        ("decimal", "（%1）", ["（1）", "（2）"]),
        ("chineseCountingThousand", "%1、", ["一、", "二、"]),
        ("upperRoman", "%1.", ["I.", "II."]),
        ("lowerLetter", "%1)", ["a)", "b)"]),
        ("decimalEnclosedCircleChinese", "%1", ["①", "②"]),
        ("chineseLegalSimplified", "%1、", ["壹、", "贰、"]),
        ("ideographTraditional", "%1.", ["甲.", "乙."]),
        ("bullet", "\uf0b7", ["•", "•"]),
    ],
)
def test_list_marks_are_written_out(form: str, pattern: str, marks: list[str]) -> None:
    data = docx(listed("风扇") + listed("壳体"), numbering=numbering((form, pattern)))
    assert text(data) == f"{marks[0]} 风扇\n{marks[1]} 壳体"


def test_lower_levels_count_anew_under_each_upper_one() -> None:
    body = "".join(
        listed(name, level)
        for name, level in (("甲", 0), ("乙", 1), ("丙", 1), ("丁", 0), ("戊", 1))
    )
    data = docx(body, numbering=numbering(("decimal", "%1."), ("decimal", "%1.%2")))
    assert text(data) == "1. 甲\n1.1 乙\n1.2 丙\n2. 丁\n2.1 戊"


def test_a_list_with_a_start_of_its_own_begins_there() -> None:
    more = (
        '<w:num w:numId="2"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0">'
        '<w:startOverride w:val="1"/></w:lvlOverride></w:num>'
    )
    body = listed("甲") + listed("乙") + listed("丙", number=2) + listed("丁", number=2)
    data = docx(body, numbering=numbering(("decimal", "%1."), more=more))
    assert text(data) == "1. 甲\n2. 乙\n1. 丙\n2. 丁"


def test_headings_numbered_by_their_style_show_their_numbers() -> None:
    styles = (
        f'<w:styles xmlns:w="{W}"><w:style w:styleId="H1"><w:pPr><w:numPr><w:numId w:val="1"/>'
        '</w:numPr></w:pPr></w:style><w:style w:styleId="H2"><w:basedOn w:val="H1"/></w:style>'
        "</w:styles>"
    )
    body = p("背景", '<w:pStyle w:val="H1"/>') + p("内容", '<w:pStyle w:val="H2"/>')
    data = docx(body, numbering=numbering(("chineseCounting", "第%1章")), styles=styles)
    assert text(data) == "第一章 背景\n第二章 内容"


def test_footnotes_stand_where_they_are_called() -> None:
    notes = (
        f'<w:footnotes xmlns:w="{W}"><w:footnote w:id="2">{p("按国标")}</w:footnote></w:footnotes>'
    )
    body = (
        "<w:p><w:r><w:t>强度</w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r>"
        "<w:r><w:t>合格</w:t></w:r></w:p>"
    )
    assert text(docx(body, footnotes=notes)) == "强度〔注：按国标〕合格"


def test_symbols_of_the_symbol_font_are_letters() -> None:
    body = (
        "<w:p><w:r><w:t>角</w:t></w:r><w:r><w:sym w:font='Symbol' w:char='F061'/></w:r>"
        "<w:r><w:sym w:font='Symbol' w:char='F0B3'/></w:r><w:r><w:t>30°</w:t></w:r></w:p>"
    )
    assert text(docx(body)) == "角α≥30°"


def test_merged_cells_and_nested_tables_stay_in_their_row() -> None:
    inner = f"<w:tbl><w:tr><w:tc>{p('内1')}</w:tc><w:tc>{p('内2')}</w:tc></w:tr></w:tbl>"
    merged = "<w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc>"
    body = (
        f"<w:tbl><w:tr><w:tc>{p('甲')}</w:tc><w:tc>{inner}<w:p/></w:tc></w:tr>"
        f"<w:tr>{merged}<w:tc>{p('乙')}{p('丙')}</w:tc></w:tr></w:tbl>"
    )
    assert text(docx(body)) == "甲 | 内1 | 内2\n | 乙 丙"


def test_strict_open_xml_is_read_as_well() -> None:
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    body = "<d:body><d:p><d:r><d:t>严格</d:t></d:r></d:p></d:body>"
    main = f'<d:document xmlns:d="{strict}">{body}</d:document>'
    assert text(archive({"word/document.xml": main})) == "严格"


def test_the_text_is_found_where_the_package_says() -> None:
    assert text(docx(p("在别处"), main="word/document2.xml")) == "在别处"


def test_two_hundred_thousand_characters_are_taken() -> None:
    body = p("散热装置包括壳体和风扇。" * 100) * 167
    assert len(text(docx(body))) >= 200_000


def test_more_than_the_limit_is_refused_with_the_numbers() -> None:
    with pytest.raises(ImportRefused, match="500000") as refused:
        read_disclosure("a.docx", docx(p("长" * 1000) * 501))
    assert refused.value.code == "disclosure_too_long"


def test_old_word_files_are_refused_with_the_way_out() -> None:
    compound = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    assert refusal(compound, "旧.doc") == "old_word_format"
    assert refusal(compound, "旧.docx") == "old_word_format"
    encrypted = compound + "EncryptedPackage".encode("utf-16-le")
    assert refusal(encrypted) == "encrypted_document"


def test_damaged_files_are_refused() -> None:
    whole = docx(p("文字" * 500))
    assert refusal(whole[:200]) == "broken_document"
    assert refusal(b"PK\x03\x04" + b"\x00" * 50) == "broken_document"
    middle = len(whole) // 2
    assert refusal(whole[:middle] + b"\xff" * 40 + whole[middle + 40 :]) == "broken_document"
    assert refusal(archive({"word/document.xml": "<w:document"})) == "broken_document"


def test_archives_that_are_no_word_files_are_refused() -> None:
    assert refusal(archive({"xl/workbook.xml": "<workbook/>"})) == "not_word"
    assert refusal(archive({"word/document.xml": "<html/>"})) == "not_word"
    assert refusal(archive({})) == "not_word"
    assert refusal(b"not a zip at all", "a.docx") == "not_word"


def test_files_that_other_programs_read_are_named() -> None:
    assert refusal(b"%PDF-1.7 ...", "交底书.pdf") == "pdf_not_supported"
    assert refusal(b"{\\rtf1 text}", "交底书.doc") == "rtf_not_supported"


def test_a_document_with_pictures_only_says_so() -> None:
    picture = "<w:p><w:r><w:drawing><pic:pic/></w:drawing></w:r></w:p>"
    assert refusal(docx(picture * 3)) == "only_pictures"


def test_an_empty_document_says_so() -> None:
    assert refusal(docx("")) == "disclosure_empty"
    assert refusal(docx(p("   ") + "<w:p/>")) == "disclosure_empty"


def test_a_bomb_is_not_unpacked() -> None:
    bomb = docx(f"<w:p><w:r><w:t>{'0' * (60 * 1024 * 1024)}</w:t></w:r></w:p>")
    assert len(bomb) < 100_000
    assert refusal(bomb) == "archive_bomb"


def test_an_archive_of_thousands_of_files_is_refused() -> None:
    parts = {f"word/media/{n}": "" for n in range(5_001)}
    assert refusal(archive({"word/document.xml": "<a/>", **parts})) == "archive_bomb"


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>',
        '<!DOCTYPE w [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE w SYSTEM "http://127.0.0.1:9/evil.dtd">',
    ],
)
def test_entities_are_never_resolved(declaration: str) -> None:
    entity = "&b;" if "ENTITY b" in declaration else "&a;" if "ENTITY a" in declaration else ""
    main = (
        f"<?xml version='1.0'?>{declaration}<w:document {NAMESPACES}><w:body>"
        f"{p('文字' + entity)}</w:body></w:document>"
    )
    assert refusal(archive({"word/document.xml": main})) == "broken_document"


def test_what_word_never_packs_with_is_not_unpacked() -> None:
    main = f"<w:document {NAMESPACES}><w:body>{p('散热装置' * 50)}</w:body></w:document>"
    for method in (zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2):
        packed = archive({"word/document.xml": main}, method)
        assert refusal(packed) == "broken_document"
        assert refusal(packed.replace(b"\x00", b"\xff", 3)) == "broken_document"


def test_a_symbol_without_a_place_in_any_font_is_left_out() -> None:
    body = '<w:p><w:r><w:sym w:font="Symbol" w:char="-1"/><w:t>风扇</w:t></w:r></w:p>'
    assert text(docx(body)) == "风扇"


def test_a_note_is_read_once_however_often_it_is_called() -> None:
    """Otherwise a small file would fill the memory, or be read for ever."""
    call = '<w:r><w:footnoteReference w:id="{}"/></w:r>'
    long = f'<w:footnote w:id="1"><w:p><w:r><w:t>{"长" * 100_000}</w:t></w:r></w:p></w:footnote>'
    notes = f"<w:footnotes {NAMESPACES}>{long}</w:footnotes>"
    assert len(text(docx(f"<w:p>{call.format(1) * 5_000}</w:p>", footnotes=notes))) < 100_100
    twice = "".join(
        f'<w:footnote w:id="{n}"><w:p>{call.format(n + 1) * 2}</w:p></w:footnote>'
        for n in range(1, 41)
    )
    doubling = f"<w:footnotes {NAMESPACES}>{twice}</w:footnotes>"
    assert text(docx(f"<w:p>{call.format(1)}</w:p>{p('壳体')}", footnotes=doubling)) == "壳体"
    of_itself = f'<w:footnotes {NAMESPACES}><w:footnote w:id="1"><w:p>{call.format(1)}</w:p>'
    of_itself += "</w:footnote></w:footnotes>"
    assert text(docx(f"<w:p>{call.format(1)}</w:p>{p('壳体')}", footnotes=of_itself)) == "壳体"


def test_thousands_of_text_boxes_in_one_drawing_are_read() -> None:
    boxes = f"<w:txbxContent>{p('风扇')}</w:txbxContent>" * 30_000
    drawn = f"<w:p><w:r><w:drawing>{boxes}</w:drawing></w:r></w:p>"
    assert text(docx(drawn)) == "\n".join(["", *["风扇"] * 30_000]).strip()


def test_a_long_line_of_styles_is_followed() -> None:
    styles = "".join(
        f'<w:style w:styleId="s{n}"><w:basedOn w:val="s{n + 1}"/></w:style>' for n in range(20_000)
    )
    listed_style = (
        '<w:style w:styleId="s20000"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
        "</w:style>"
    )
    assert (
        text(
            docx(
                p("风扇", '<w:pStyle w:val="s0"/>'),
                numbering=numbering(("decimal", "%1.")),
                styles=f'<w:styles xmlns:w="{W}">{styles}{listed_style}</w:styles>',
            )
        )
        == "1. 风扇"
    )


def test_millions_of_empty_elements_are_a_bomb() -> None:
    assert refusal(docx("<w:p/>" * 4_000_000 + p("文字"))) == "archive_bomb"


def test_endless_nesting_is_refused() -> None:
    deep = "<w:sdt><w:sdtContent>" * 5_000 + p("底") + "</w:sdtContent></w:sdt>" * 5_000
    assert refusal(docx(deep)) == "broken_document"


def test_a_bomb_that_lies_about_its_size_is_not_unpacked_either() -> None:
    bomb = bytearray(docx(f"<w:p><w:r><w:t>{'0' * (60 * 1024 * 1024)}</w:t></w:r></w:p>"))
    entry = bomb.rindex(b"PK\x01\x02")  # the directory's last entry is the document
    bomb[entry + 24 : entry + 28] = (100).to_bytes(4, "little")
    assert refusal(bytes(bomb)) in {"archive_bomb", "broken_document"}
