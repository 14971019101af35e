"""Characters that no database, no Word file and no reader can take are left out. Pure."""

import re

_LINE_ENDS = re.compile("\r\n|[\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")
# C0 but tab and line feed, DEL, C1, halves of surrogate pairs, byte order marks, noncharacters; and
# what nobody sees: soft hyphens, blanks without width, tags, and the marks of writing direction,
# under which a text reads otherwise than it is filed.
_UNUSABLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff\ufdd0-\ufdef"
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


def clean(text: str) -> str:
    """The text with line feeds as its only line ends and without unusable characters."""
    return _UNUSABLE.sub("", _LINE_ENDS.sub("\n", text))


def clean_line(text: str) -> str:
    """One line: a title, a file's name."""
    return " ".join(clean(text).split())
