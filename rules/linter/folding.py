"""A claim's text as the rules read it: one form of each character, no layout, places kept.

Texts come from typists and from OCR: full-width digits, half-width commas, stray spaces and
line breaks inside words. Every rule reads the folded text and reports places in the original.
"""

from dataclasses import dataclass

_ONE_FORM = {
    **{chr(0xFF10 + i): chr(ord("0") + i) for i in range(10)},
    **{chr(0xFF21 + i): chr(ord("A") + i) for i in range(26)},
    **{chr(0xFF41 + i): chr(ord("a") + i) for i in range(26)},
    **dict.fromkeys("～〜∼˜", "~"),
    **dict.fromkeys("－–—―‐‑‒−─﹣", "-"),
    **dict.fromkeys("．", "."),
    **dict.fromkeys("｡", "。"),
    **dict.fromkeys("／", "/"),
    **dict.fromkeys("％", "%"),
    **dict.fromkeys("﹐", "，"),
    **dict.fromkeys("﹔", "；"),
    **dict.fromkeys("﹕", "："),
}
_WIDE = {",": "，", ";": "；", ":": "：", "(": "（", ")": "）"}
_INVISIBLE = "\u200b\u200c\u200d\ufeff\u00ad"


@dataclass(frozen=True)
class Folded:
    """`text` is what rules match against; `places[i]` is where text[i] stands in the original."""

    original: str
    text: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The place in the original of text[start:end]; an empty span stays empty."""
        if not self.places:
            return (0, 0)
        if start >= len(self.places):
            return (self.places[-1] + 1, self.places[-1] + 1)
        if end <= start:
            return (self.places[start], self.places[start])
        return (self.places[start], self.places[end - 1] + 1)


def fold(text: str) -> Folded:
    """The folded text. A comma, colon or bracket between two Latin letters or digits is kept
    half-width, because it belongs to a number or a formula (2,4-二氯, 1:3, f(x))."""
    kept: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if char.isspace() or char in _INVISIBLE:
            if _parts_words(text, place) and kept and kept[-1] != " ":
                kept.append(" ")
                places.append(place)
            continue
        if char in _WIDE and not _parts_words(text, place):
            kept.append(_WIDE[char])
        else:
            kept.append(_ONE_FORM.get(char, char))
        places.append(place)
    return Folded(text, "".join(kept), tuple(places))


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _parts_words(text: str, place: int) -> bool:
    return 0 < place < len(text) - 1 and _is_latin(text[place - 1]) and _is_latin(text[place + 1])
