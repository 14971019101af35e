"""The exported Word file, opened again."""

import re
from io import BytesIO
from typing import Any
from urllib.parse import unquote

import docx
import pytest
from django.test import Client
from django.urls import reverse
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml.ns import qn
from docx.shared import Mm, Pt

from console.matters import services
from console.matters.exporting import claims_docx, export_name
from console.matters.models import Document, Matter
from tests.console.matters.conftest import Act, insert

FIRST = "一种散热装置，其特征在于，包括：\n壳体；\n风扇，设于所述壳体内。"
SECOND = "根据权利要求1所述的散热装置，其特征在于，所述风扇的直径为10 mm。"


def opened(data: bytes) -> Any:
    return docx.Document(BytesIO(data))


def test_claims_are_numbered_paragraphs_and_their_lines_stay_lines() -> None:
    assert [each.text for each in opened(claims_docx([FIRST, SECOND])).paragraphs] == [
        "1. 一种散热装置，其特征在于，包括：",
        "壳体；",
        "风扇，设于所述壳体内。",
        "2. 根据权利要求1所述的散热装置，其特征在于，所述风扇的直径为10 mm。",
    ]


def test_the_page_is_the_offices() -> None:
    section = opened(claims_docx([FIRST])).sections[0]
    assert (round(section.page_width.mm), round(section.page_height.mm)) == (210, 297)
    margins = (
        section.top_margin,
        section.left_margin,
        section.bottom_margin,
        section.right_margin,
    )
    assert [round(each.mm) for each in margins] == [25, 25, 15, 15]
    assert section.header_distance < Mm(25)
    header, footer = section.header.paragraphs[0], section.footer.paragraphs[0]
    assert (header.text, header.alignment) == ("权利要求书", WD_ALIGN_PARAGRAPH.CENTER)
    assert footer.alignment == WD_ALIGN_PARAGRAPH.CENTER
    assert [e.text for e in footer._p.iter(qn("w:instrText"))] == ["PAGE"]


def test_the_fonts_are_named_for_chinese_and_for_latin_text() -> None:
    document = opened(claims_docx([FIRST]))
    for name in ("Normal", "Header", "Footer"):
        style = document.styles[name]
        fonts = style.element.rPr.rFonts
        assert fonts.get(qn("w:eastAsia")) == "宋体"
        assert fonts.get(qn("w:ascii")) == fonts.get(qn("w:hAnsi")) == "Times New Roman"
        assert fonts.get(qn("w:eastAsiaTheme")) is None
        assert style.font.size == Pt(12)
    form = document.styles["Normal"].paragraph_format
    assert (form.line_spacing, form.space_after) == (1.5, Pt(0))
    assert document.paragraphs[0].paragraph_format.first_line_indent == Pt(24)


def test_the_file_tells_nothing_about_its_author() -> None:
    about = opened(claims_docx([FIRST])).core_properties
    assert {about.author, about.last_modified_by, about.comments, about.title, about.keywords} == {
        ""
    }


def test_characters_that_no_word_file_can_hold_do_not_break_it() -> None:
    (paragraph,) = opened(claims_docx(["一种\x00装\x0b\x1b置\ufffe<&>。"])).paragraphs[:1]
    assert paragraph.text == "1. 一种装"


def test_file_names_are_safe_everywhere() -> None:
    assert export_name("一种散热装置", "CW-1", "权利要求书") == "权利要求书_CW-1_一种散热装置.docx"
    nasty = export_name('a/b\\c:d*e?"<script>|\n..', "../../etc", "权利要求书")
    assert re.fullmatch(r"[^/\\:*?\"<>|\x00-\x1f]+\.docx", nasty)
    assert len(export_name("长" * 500, "", "权利要求书").encode()) < 255


@pytest.mark.django_db
class TestDownload:
    def download(self, client: Client, matter: Matter) -> Any:
        return client.get(reverse("matters:export", args=[matter.pk]))

    def test_the_answer_is_a_named_word_file(
        self, agent_client: Client, matter: Matter, act: Act
    ) -> None:
        first = act(insert(None, FIRST)).claim_id
        act(insert(first, SECOND))
        answer = self.download(agent_client, matter)
        assert answer["Content-Type"].endswith("wordprocessingml.document")
        kind, _, name = answer["Content-Disposition"].partition("; filename*=utf-8''")
        assert (kind, unquote(name)) == ("attachment", "权利要求书_CW-1_一种散热装置.docx")
        assert opened(answer.content).paragraphs[-1].text == f"2. {SECOND}"

    def test_what_is_still_being_written_is_left_out_and_the_numbers_close_up(
        self, agent_client: Client, matter: Matter, act: Act, document: Document
    ) -> None:
        first = act(insert(None, FIRST)).claim_id
        second = act(insert(first, SECOND)).claim_id
        act(insert(second, SECOND.replace("1", "2", 1)))
        services.begin_claim(document_id=document.pk, after_id=first, job_id="job")
        texts = [
            each.text for each in opened(self.download(agent_client, matter).content).paragraphs
        ]
        assert [text[:6] for text in texts if re.match(r"\d", text)] == [
            "1. 一种散",
            "2. 根据权",
            "3. 根据权",
        ]
        assert texts[-1].startswith("3. 根据权利要求2所述")

    def test_nothing_to_export_is_said(self, agent_client: Client, matter: Matter) -> None:
        answer = self.download(agent_client, matter)
        assert (answer.status_code, answer.json()["code"]) == (422, "nothing_to_export")

    def test_a_citation_of_an_empty_claim_is_said(
        self, agent_client: Client, matter: Matter, act: Act
    ) -> None:
        first = act(insert(None, "")).claim_id
        act(insert(first, SECOND))
        answer = self.download(agent_client, matter)
        assert (answer.status_code, answer.json()["code"]) == (422, "cites_unwritten_claim")
