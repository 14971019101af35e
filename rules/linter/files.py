"""What people hand to the linter as a file: plain text, or one claim set a line as JSON."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from rules.linter.document import read_document
from rules.linter.findings import Claim, Finding

MAX_BYTES = 20 * 1024 * 1024
_CLAIM_WORDS = ("权利要求", "一种", "其特征", "所述")


class UnreadableInput(Exception):
    """The input is not a claim set. `code` is stable; the text is one sentence for the user."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class ClaimSet:
    """A named claim set; `findings` are those that only its layout as a file shows."""

    publication: str
    title: str
    claims: tuple[Claim, ...]
    findings: tuple[Finding, ...] = ()


def read_claim_sets(data: bytes, name: str) -> list[ClaimSet]:
    """The claim sets of a file's bytes. JSON Lines when the name ends in .jsonl or .json or the
    text opens with a brace, plain text otherwise. Raises UnreadableInput."""
    check_size(len(data), name)
    text = _decode(data, name)
    if not text.strip():
        raise UnreadableInput("empty", f"{name} is empty.")
    if name.endswith((".jsonl", ".json")) or text.lstrip().startswith("{"):
        return list(_from_json_lines(text, name))
    document = read_document(text)
    if not document.claims:
        raise UnreadableInput("no_claims", f"{name} contains no claims.")
    return [ClaimSet(PurePath(name).stem, "", document.claims, document.findings)]


def check_size(size: int, name: str) -> None:
    """Raises UnreadableInput for a file that no claim set fills."""
    if size > MAX_BYTES:
        raise UnreadableInput(
            "too_large",
            f"{name} has {size / 1024 / 1024:.0f} MB; the limit is {MAX_BYTES // 1024 // 1024} MB.",
        )


def _decode(data: bytes, name: str) -> str:
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF")):
        raise UnreadableInput(
            "not_text", f"{name} is a Word or PDF file; save its claims as plain text first."
        )
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        # Chinese Windows still writes GB 18030; it decodes almost anything, so look at the result.
        try:
            text = data.decode("gb18030")
        except UnicodeDecodeError:
            text = ""
        if any(word in text for word in _CLAIM_WORDS):
            return text
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableInput(
            "undecodable",
            f"{name}, line {line}: byte {data[error.start]:#04x} is neither UTF-8 nor GB 18030.",
        ) from error


def _from_json_lines(text: str, name: str) -> Iterator[ClaimSet]:
    found = False
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            found = True
            yield _claim_set(_json_object(line, f"{name}, line {number}"), f"{name}, line {number}")
    if not found:
        raise UnreadableInput("empty", f"{name} is empty.")


def _json_object(line: str, place: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        raise UnreadableInput("bad_json", f"{place}: not valid JSON ({reason}).") from error
    if not isinstance(value, dict):
        raise UnreadableInput("bad_shape", f"{place}: expected an object with “claims”.")
    return value


def _claim_set(value: dict[str, Any], place: str) -> ClaimSet:
    rows = value.get("claims")
    if not isinstance(rows, list) or not rows:
        raise UnreadableInput("bad_shape", f"{place}: “claims” must be a list with entries.")
    claims: list[Claim] = []
    for index, row in enumerate(rows, start=1):
        number = row.get("number") if isinstance(row, dict) else None
        text = row.get("text") if isinstance(row, dict) else None
        if not isinstance(number, int) or isinstance(number, bool) or not isinstance(text, str):
            raise UnreadableInput(
                "bad_shape", f"{place}: claim {index} needs a whole “number” and a “text”."
            )
        claims.append(Claim(number, text))
    publication, title = value.get("publication", ""), value.get("title", "")
    if not isinstance(publication, str) or not isinstance(title, str):
        raise UnreadableInput("bad_shape", f"{place}: “publication” and “title” must be texts.")
    return ClaimSet(publication, title, tuple(claims))
