"""Markdown as the plain text that its reader would see."""

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from console.matters.importing.results import PICTURE, bounded

# The parser needs about a tenth of a millisecond for each mark that opens nothing.
_MOST_MARKS = 30_000
_MARK = re.compile(r"[\[\]*_`<&|~\\]")
# A picture inside the file is many times as long as its text.
_EMBEDDED = re.compile(r"data:[\w.+-]+/[\w.+-]+;base64,[A-Za-z0-9+/=%]+")
_PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")


def plain_text(source: str) -> str:
    """Headings and paragraphs as lines, list items with their marks, table rows with " | ".

    What has more marks than any text is nobody's Markdown, and is left as it is. Raises
    ImportRefused.
    """
    source = bounded(_EMBEDDED.sub("#", source))
    if len(_MARK.findall(source)) > _MOST_MARKS:
        return source
    return "\n".join(_Writer().write(_PARSER.parse(source)))


class _Writer:
    """Walks the tokens once; `_lists` holds the next number of each open list (0: bullets)."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._lists: list[int] = []
        self._mark = ""
        self._row: list[str] | None = None

    def write(self, tokens: list[Token]) -> list[str]:
        for token in tokens:
            match token.type:
                case "bullet_list_open":
                    self._lists.append(0)
                case "ordered_list_open":
                    self._lists.append(int(token.attrGet("start") or 1))
                case "bullet_list_close" | "ordered_list_close":
                    self._lists.pop()
                    self._mark = ""
                case "list_item_open":
                    self._mark = self._next_mark()
                case "tr_open":
                    self._row = []
                case "tr_close":
                    self._lines.append(" | ".join(self._row or ()))
                    self._row = None
                case "inline":
                    self._text(_inline(token.children or []))
                case "fence" | "code_block":
                    self._lines += token.content.rstrip("\n").split("\n")
                case "paragraph_close" | "heading_close" | "table_close" if not self._lists:
                    self._lines.append("")
        return self._lines

    def _next_mark(self) -> str:
        indent = "  " * (len(self._lists) - 1)
        number = self._lists[-1]
        if number == 0:
            return f"{indent}• "
        self._lists[-1] += 1
        return f"{indent}{number}. "

    def _text(self, text: str) -> None:
        if self._row is not None:
            self._row.append(text.replace("\n", " "))
            return
        self._lines.append(self._mark + text)
        self._mark = " " * len(self._mark) if self._lists else ""


def _inline(children: list[Token]) -> str:
    parts: list[str] = []
    for child in children:
        match child.type:
            case "softbreak" | "hardbreak":
                parts.append("\n")
            case "image":
                parts.append(f"〔图：{child.content}〕" if child.content else PICTURE)
            case _:
                parts.append(child.content)
    return "".join(parts)
