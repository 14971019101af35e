"""The numbers and bullets that Word shows before list paragraphs, which are not in their text."""

from collections.abc import Callable
from dataclasses import dataclass, field
from string import ascii_lowercase

from lxml import etree

from console.matters.importing.names import attribute, child, name_of, value_of

_DIGITS = "零一二三四五六七八九"
_FORMAL_DIGITS = "零壹贰叁肆伍陆柒捌玖"
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_LEVELS = 9


@dataclass(frozen=True)
class Level:
    start: int = 1
    form: str = "decimal"
    text: str = ""
    style: str = ""


@dataclass
class Numbering:
    """Gives each list paragraph its mark; counts on as the document is read from the top."""

    lists: dict[str, tuple[str, dict[int, Level]]]  # numId → (what is counted together, levels)
    starts: dict[tuple[str, int], int]
    styles: dict[str, tuple[str, int]]  # paragraph style → (numId, level)
    _counts: dict[str, list[int]] = field(default_factory=dict)
    _restarted: set[tuple[str, int]] = field(default_factory=set)

    def mark(self, paragraph: etree._Element) -> str:
        """The mark with a space behind it, or "" for a paragraph that is in no list."""
        properties = child(paragraph, "w:pPr")
        number = value_of(properties, "w:numPr", "w:numId")
        level_value = value_of(properties, "w:numPr", "w:ilvl")
        style = value_of(properties, "w:pStyle") or ""
        if number is None and style in self.styles:
            number, level = self.styles[style]
        else:
            level = int(level_value) if level_value and level_value.isdecimal() else 0
        if number is None or number == "0" or number not in self.lists or level >= _LEVELS:
            return ""
        counted, levels = self.lists[number]
        counts = self._counts.setdefault(counted, [0] * _LEVELS)
        self._count(number, level, levels, counts)
        shown = levels.get(level, Level())
        if shown.form == "none":
            return ""
        if shown.form == "bullet":
            return "  " * level + "• "
        mark = shown.text or f"%{level + 1}."
        for each in range(level + 1):
            form = levels.get(each, Level()).form
            # A heading numbered 第一章 shows its parts below as 1.1: isLgl is seldom set, and the
            # digits say the same.
            mark = mark.replace(f"%{each + 1}", written(counts[each], form))
        return mark + " "

    def _count(self, number: str, level: int, levels: dict[int, Level], counts: list[int]) -> None:
        first = self.starts.get((number, level))
        if first is not None and (number, level) not in self._restarted:
            self._restarted.add((number, level))
            counts[level] = first
        else:
            start = levels.get(level, Level()).start
            counts[level] = counts[level] + 1 if counts[level] else start
        for above in range(level):
            counts[above] = counts[above] or levels.get(above, Level()).start
        counts[level + 1 :] = [0] * (_LEVELS - level - 1)


def read_numbering(numbering: etree._Element | None, styles: etree._Element | None) -> Numbering:
    """From numbering.xml and styles.xml; either may be missing."""
    abstract: dict[str, dict[int, Level]] = {}
    lists: dict[str, tuple[str, dict[int, Level]]] = {}
    starts: dict[tuple[str, int], int] = {}
    for element in numbering if numbering is not None else ():
        if name_of(element) == "w:abstractNum":
            abstract[attribute(element, "abstractNumId") or ""] = _levels(element)
        elif name_of(element) == "w:num":
            number = attribute(element, "numId") or ""
            counted = value_of(element, "w:abstractNumId") or ""
            levels = dict(abstract.get(counted, {}))
            for override in element:
                place = _integer(attribute(override, "ilvl"), 0)
                if name_of(override) == "w:lvlOverride":
                    levels.update(_levels(override))
                    first = value_of(override, "w:startOverride")
                    if first is not None:
                        starts[number, place] = _integer(first, 1)
            lists[number] = (counted, levels)
    return Numbering(lists, starts, _styles(styles, lists))


def _levels(element: etree._Element) -> dict[int, Level]:
    return {
        _integer(attribute(level, "ilvl"), 0): Level(
            start=_integer(value_of(level, "w:start"), 1),
            form=value_of(level, "w:numFmt") or "decimal",
            text=value_of(level, "w:lvlText") or "",
            style=value_of(level, "w:pStyle") or "",
        )
        for level in element
        if name_of(level) == "w:lvl"
    }


def _styles(
    styles: etree._Element | None, lists: dict[str, tuple[str, dict[int, Level]]]
) -> dict[str, tuple[str, int]]:
    own: dict[str, tuple[str, int]] = {}
    based_on: dict[str, str] = {}
    for style in styles if styles is not None else ():
        style_id = attribute(style, "styleId")
        if name_of(style) != "w:style" or style_id is None:
            continue
        based_on[style_id] = value_of(style, "w:basedOn") or ""
        number = value_of(style, "w:pPr", "w:numPr", "w:numId")
        if number is not None:
            level = _integer(value_of(style, "w:pPr", "w:numPr", "w:ilvl"), 0)
            levels = lists.get(number, ("", {}))[1]
            named = next((n for n, each in levels.items() if each.style == style_id), level)
            own[style_id] = (number, named)
    known: dict[str, tuple[str, int] | None] = {**own}
    for style_id in based_on:
        line: list[str] = []
        parent = style_id
        while parent and parent not in known:
            line.append(parent)
            # A style that is based on itself is based on nothing.
            known[parent] = None
            parent = based_on.get(parent, "")
        known.update(dict.fromkeys(line, known.get(parent)))
    return {style_id: place for style_id, place in known.items() if place is not None}


def written(number: int, form: str) -> str:
    """The number as the list's format writes it; formats not known here as digits."""
    return _FORMS.get(form, str)(number)


def _chinese(digits: str, units: str) -> Callable[[int], str]:
    def write(number: int) -> str:
        if not 0 < number < 10_000:
            return str(number)
        text, gap = "", False
        for place, digit in zip(range(len(str(number)) - 1, -1, -1), str(number), strict=True):
            if digit == "0":
                gap = True
                continue
            text += (digits[0] if gap and text else "") + digits[int(digit)] + units[place]
            gap = False
        text = text.replace(" ", "")
        return text.removeprefix(digits[1]) if text.startswith(digits[1] + units[1]) else text

    return write


def _roman(number: int) -> str:
    if not 0 < number < 4000:
        return str(number)
    text = ""
    for value, sign in _ROMAN:
        text += sign * (number // value)
        number %= value
    return text


def _letters(number: int) -> str:
    """Word repeats the letter after z: aa, bb."""
    if not 0 < number <= 260:
        return str(number)
    return ascii_lowercase[(number - 1) % 26] * ((number - 1) // 26 + 1)


def _circled(number: int) -> str:
    return chr(0x2460 + number - 1) if 0 < number <= 20 else str(number)


def _full_width(number: int) -> str:
    return "".join(chr(ord(digit) + 0xFEE0) for digit in str(number))


def _stem(signs: str) -> Callable[[int], str]:
    return lambda number: signs[(number - 1) % len(signs)] if number > 0 else str(number)


_PLAIN = _chinese(_DIGITS, " 十百千")
_FORMS: dict[str, Callable[[int], str]] = {
    "chineseCounting": _PLAIN,
    "chineseCountingThousand": _PLAIN,
    "taiwaneseCounting": _PLAIN,
    "taiwaneseCountingThousand": _PLAIN,
    "japaneseCounting": _PLAIN,
    "ideographDigital": _PLAIN,
    "chineseLegalSimplified": _chinese(_FORMAL_DIGITS, " 拾佰仟"),
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
    "lowerLetter": _letters,
    "upperLetter": lambda number: _letters(number).upper(),
    "decimalEnclosedCircle": _circled,
    "decimalEnclosedCircleChinese": _circled,
    "decimalFullWidth": _full_width,
    "decimalFullWidth2": _full_width,
    "decimalZero": lambda number: f"{number:02d}",
    "ideographTraditional": _stem("甲乙丙丁戊己庚辛壬癸"),
    "ideographZodiac": _stem("子丑寅卯辰巳午未申酉戌亥"),
}


def _integer(value: str | None, usual: int) -> int:
    """A number of a list; one that no list reaches counts as unwritten."""
    if value is None or not value.isdecimal() or len(value) > 6:
        return usual
    return int(value)
