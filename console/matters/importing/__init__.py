"""Disclosures (技术交底书) out of files: bytes in, plain text out. Pure.

Word files keep their numbering, tables and formulae as text; what has no text is noted where it
stood (〔图〕, 〔公式〕). Whatever cannot be read is refused with a sentence that says what to do.
"""

from console.matters.importing.detect import read_disclosure, read_pasted
from console.matters.importing.results import MAX_CHARACTERS, ImportedText, ImportRefused

__all__ = ["MAX_CHARACTERS", "ImportRefused", "ImportedText", "read_disclosure", "read_pasted"]
