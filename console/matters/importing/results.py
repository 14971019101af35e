"""What an import gives: a text, or a refusal that the user can act on."""

from dataclasses import dataclass
from typing import Literal

from console.matters.characters import clean

Format = Literal["docx", "txt", "md", "paste"]

MAX_CHARACTERS = 500_000
# So many times the limit may come in blanks and marks that are then left out.
_MOST_RAW = 10
PICTURE = "〔图〕"
FORMULA = "〔公式〕"


@dataclass(frozen=True)
class ImportedText:
    text: str
    format: Format


class ImportRefused(Exception):
    """Nothing was read. `template` % `values` is the sentence.

    code: old_word_format, encrypted_document, not_word, broken_document, archive_bomb, not_text,
    encoding_unknown, disclosure_empty, disclosure_too_long, pdf_not_supported, rtf_not_supported,
    only_pictures.
    """

    def __init__(self, code: str, template: str, **values: object) -> None:
        self.code = code
        self.template = template
        self.values = values
        super().__init__(template % values if values else template)


def _(sentence: str) -> str:
    """Marks a sentence for the translators; whoever shows the error translates it."""
    return sentence


def finished(raw: str, format_: Format) -> ImportedText:
    """Without unusable characters and runs of blank lines; refused when nothing is left."""
    text = _evened_out(clean(bounded(raw)))
    if not text:
        raise ImportRefused("disclosure_empty", _("其中没有文字，请检查文件内容。"))
    if not text.replace(PICTURE, "").replace(FORMULA, "").strip():
        raise ImportRefused(
            "only_pictures", _("文件里只有图片，没有文字。请提供含有文字的交底书。")
        )
    return ImportedText(bounded(text, MAX_CHARACTERS), format_)


def bounded(text: str, limit: int = _MOST_RAW * MAX_CHARACTERS) -> str:
    """The text. Raises ImportRefused beyond `limit`: a raw text of many times what is taken is not
    worth the time that it costs to read."""
    if len(text) > limit:
        raise ImportRefused(
            "disclosure_too_long",
            _("文字有%(count)d个字符，超过上限%(limit)d个。请删去与发明无关的部分后再导入。"),
            count=len(text),
            limit=MAX_CHARACTERS,
        )
    return text


def _evened_out(text: str) -> str:
    """Lines without spaces at their ends, and never two blank ones in a row."""
    lines: list[str] = []
    for line in text.split("\n"):
        line = line.rstrip()
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip()
