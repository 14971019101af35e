"""File names that every system takes."""

import re

from console.matters.characters import clean_line

_UNUSABLE = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')
# Directories of usual file systems take 255 bytes; a Chinese character is three.
_LONGEST = 60


def export_name(title: str, reference: str, kind: str) -> str:
    """Kind, reference and title as one name ending in .docx, without what a path could abuse."""
    parts = [kind, *(part for part in (clean_line(reference), clean_line(title)) if part)]
    stem = _UNUSABLE.sub("-", "_".join(parts)).strip(" .-_")[:_LONGEST].rstrip(" .")
    return f"{stem}.docx"
