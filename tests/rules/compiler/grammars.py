"""A small pack for compiler tests, with whatever a test wants to be different."""

from typing import Any

GRAMMAR = """\
%param kind: entry(independent, dependent)
%param subject: text
%param citable: claims
%param basis: claims

%forbidden PROSE

independent: "一种"? TEXT{subject} "，" CLOSING
dependent: citing_one | citing_any
citing_one{group in citable}: "权利要求" ONE{group} "所述的" TEXT{group} "，" CLOSING
citing_any{group in basis}: "权利要求" ANY_OF{group, comma, or, to, any} TEXT{group} "，" CLOSING
comma: "、"
or: "或"
to: "至"
any: "中任一项所述的"
CLOSING: PROSE "。"
PROSE: /[一-鿿A-Z0-9（，；]+/
"""


def pack(grammar: str = GRAMMAR, forbidden: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    """A pack document of the kind the compiler takes."""
    return {
        "schema_version": 2,
        "slug": "small",
        "version": 3,
        "title": {"zh": "小规则包", "en": "Small pack"},
        "jurisdiction": "cn",
        "kind": "claims",
        "language": "zh",
        "enforces": ["W01"],
        "unbounded_runs": dict.fromkeys(("PROSE", "MARK", "T"), "(?s:.)"),
        "forbidden": [{"rule": "W01", "severity": "error", **row} for row in forbidden],
        "grammar": grammar,
    }


def abstract(grammar: str, **changes: Any) -> dict[str, Any]:
    """A pack of another kind, whose grammar needs one entry rule only."""
    return {**pack(grammar), "kind": "abstract", "unbounded_runs": {}, **changes}
