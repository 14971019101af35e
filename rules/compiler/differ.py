"""What two versions of a pack differ in, by the parts that an author works on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any, Literal

from .migrate import migrate

PARTS = (
    "title",
    "enforces",
    "citations",
    "subjects",
    "linter",
    "frequent",
    "tempting",
    "max_depth",
    "unbounded_runs",
)


@dataclass(frozen=True)
class Change:
    """`name` is a term, an example's text, a key of pack.json, or grammar; `before` and `after`
    what it was and is. A changed grammar has its lines as a unified diff in `after`."""

    part: Literal["forbidden", "examples", "settings", "grammar"]
    kind: Literal["added", "removed", "changed"]
    name: str
    before: Any = None
    after: Any = None


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[Change, ...]:
    """From the older document to the newer one. Raises PackError: schema-version."""
    one, two = migrate(old), migrate(new)
    changes = [*_rows(one["forbidden"], two["forbidden"], "term", "forbidden")]
    for part in PARTS:
        if one.get(part) != two.get(part):
            changes.append(Change("settings", "changed", part, one.get(part), two.get(part)))
    if one["grammar"] != two["grammar"]:
        lines = unified_diff(
            one["grammar"].splitlines(), two["grammar"].splitlines(), lineterm="", n=1
        )
        changes.append(Change("grammar", "changed", "grammar", None, "\n".join([*lines][2:])))
    changes += _rows(one.get("examples", ()), two.get("examples", ()), "text", "examples")
    return tuple(changes)


def _rows(old: Any, new: Any, key: str, part: Any) -> Iterator[Change]:
    before, after = _by_key(old, key), _by_key(new, key)
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name), after.get(name)
        if was == now:
            continue
        kind: Any = "added" if was is None else "removed" if now is None else "changed"
        yield Change(part, kind, name[0], was, now)


def _by_key(rows: Any, key: str) -> dict[tuple[str, str], Mapping[str, Any]]:
    """Rows by their text; examples of one text differ by their state."""
    return {(row[key], str(row.get("state", ""))): row for row in rows}
