"""The rule packs that come with Claimwright, as files: pack.json, grammar.lark, examples.jsonl."""

import json
from pathlib import Path
from typing import Any

from rules.compiler import resolve

PackDocument = dict[str, Any]
"""A pack document as rules/compiler/schema/pack.schema.json describes it."""

_HERE = Path(__file__).parent


def builtin_slugs() -> tuple[str, ...]:
    return tuple(sorted(path.parent.name for path in _HERE.glob("*/pack.json")))


def load_builtin(slug: str) -> PackDocument:
    """The complete pack document, with what it takes from its bases.

    Raises LookupError for an unknown slug, PackError for bases that do not fit.
    """
    document = load_source(slug)
    return resolve(document, load_source) if "extends" in document else document


def load_source(slug: str) -> PackDocument:
    """The pack document as its author wrote it, with its grammar and examples. Raises LookupError
    for an unknown slug."""
    if slug not in builtin_slugs():
        raise LookupError(f"No built-in pack “{slug}”; there are {', '.join(builtin_slugs())}.")
    folder = _HERE / slug
    document: PackDocument = json.loads((folder / "pack.json").read_text("utf-8"))
    document["grammar"] = _text(folder / "grammar.lark")
    lines = _text(folder / "examples.jsonl").splitlines()
    document["examples"] = [json.loads(line) for line in lines if line.strip()]
    return document


def _text(file: Path) -> str:
    """A pack that extends another one may come without a grammar or examples of its own."""
    return file.read_text("utf-8") if file.exists() else ""
