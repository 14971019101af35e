"""The rule packs that come with Claimwright, as files: pack.json, grammar.lark, examples.jsonl."""

import json
from pathlib import Path
from typing import Any

PackDocument = dict[str, Any]
"""A pack document as rules/compiler/schema/pack.schema.json describes it."""

_HERE = Path(__file__).parent


def builtin_slugs() -> tuple[str, ...]:
    return tuple(sorted(path.parent.name for path in _HERE.glob("*/pack.json")))


def load_builtin(slug: str) -> PackDocument:
    """The pack document with its grammar and examples. Raises LookupError for an unknown slug."""
    if slug not in builtin_slugs():
        raise LookupError(f"No built-in pack “{slug}”; there are {', '.join(builtin_slugs())}.")
    folder = _HERE / slug
    document: PackDocument = json.loads((folder / "pack.json").read_text("utf-8"))
    document["grammar"] = (folder / "grammar.lark").read_text("utf-8")
    document["examples"] = [
        json.loads(line)
        for line in (folder / "examples.jsonl").read_text("utf-8").splitlines()
        if line.strip()
    ]
    return document
