"""Citations as people write them who do not follow the form: 权利要求一, 权力要求1. Pure.

The linter and the office read Arabic digits. Here such a text gets them, with the places kept, so
that what reads citations (rules.linter.references) finds these too.
"""

import re
from dataclasses import replace

from rules.linter.folding import Folded, fold
from rules.linter.references import Reference, find_references

_DIGITS = "零一二三四五六七八九"
_UNITS = {"十": 10, "百": 100}
_WORD = re.compile(r"权[利力]要求(?!书)第?(?:的|中)?")
_JOINER = re.compile(
    r"(?:[、，,]?(?:和/或|及/或|或者|或是|或|以及|和|与|及)|[、，,/]|至|到|[-~]+)(?:权[利力]要求)?第?"
)
# 权利要求一种… and 或二级… are no numbers of claims: what follows a number says so.
_NUMERAL = re.compile(
    r"第?(?P<number>[零〇一二三四五六七八九十百]{1,6})"
    r"(?=项?(?:[所的中之任其、，,；：。）/~-]|或|和|与|及|以及|至|到|权[利力]要求|$))"
)


def references(text: str) -> list[Reference]:
    """Every mention of 权利要求N in `text`, with Chinese numerals and with 权力要求 as well."""
    folded = fold(text)
    digits = _in_digits(folded.text)
    return [
        replace(
            found,
            start=_span(folded, digits, found.start, found.end)[0],
            end=_span(folded, digits, found.start, found.end)[1],
            spans=tuple(_span(folded, digits, *span) for span in found.spans),
        )
        for found in find_references("".join(piece for piece, _, _ in digits))
    ]


def written_like(number: int, like: str) -> str:
    """The number in the numerals of which `like` is one: Arabic, full-width or Chinese."""
    if like.isascii():
        return str(number)
    return _chinese(number) if like in "〇十百" + _DIGITS else _full_width(number)


# One character to read, and where what it stands for begins and ends in the folded text.
_Piece = tuple[str, int, int]


def _in_digits(text: str) -> list[_Piece]:
    pieces: list[_Piece] = []
    done = 0
    for start, end, digits in _numerals(text):
        pieces += _as_they_are(text, done, start)
        pieces += [(digit, start, end) for digit in digits]
        done = end
    return pieces + _as_they_are(text, done, len(text))


def _as_they_are(text: str, start: int, end: int) -> list[_Piece]:
    part = text[start:end].replace("权力要求", "权利要求")
    return [(char, place, place + 1) for place, char in enumerate(part, start)]


def _numerals(text: str) -> list[tuple[int, int, str]]:
    """The Chinese numerals that number claims: start, end, and the same in digits."""
    found = []
    for word in _WORD.finditer(text):
        numeral = _NUMERAL.match(text, word.end())
        while numeral and (number := _value(numeral["number"])):
            found.append((*numeral.span("number"), str(number)))
            after = numeral.end() + text.startswith("项", numeral.end())
            joiner = _JOINER.match(text, after)
            numeral = _NUMERAL.match(text, joiner.end()) if joiner else None
    # 权利要求一或权利要求二: the second was found twice.
    return sorted(set(found))


def _span(folded: Folded, pieces: list[_Piece], start: int, end: int) -> tuple[int, int]:
    return folded.span(pieces[start][1], pieces[end - 1][2])


def _value(numeral: str) -> int:
    """一百零三 → 103; 0 where it is no number (二三, 百)."""
    value = digit = 0
    for char in numeral.replace("〇", "零"):
        if char in _UNITS:
            value += (digit or 1) * _UNITS[char]
            digit = 0
        elif char != "零":
            digit = _DIGITS.index(char) if not digit else 1000
    value += digit
    return value if _chinese(value) == numeral.replace("〇", "零") else 0


def _chinese(number: int) -> str:
    """1 to 999, as numerals are read aloud: 十二, 二十, 一百零三, 一百一十."""
    if not 0 < number < 1000:
        return ""
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    written = f"{_DIGITS[hundreds]}百" if hundreds else ""
    if tens:
        written += "十" if tens == 1 and not hundreds else f"{_DIGITS[tens]}十"
    elif hundreds and ones:
        written += "零"
    return written + (_DIGITS[ones] if ones else "")


def _full_width(number: int) -> str:
    return str(number).translate(str.maketrans("0123456789", "０１２３４５６７８９"))
