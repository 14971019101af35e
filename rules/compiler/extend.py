"""A pack that extends another one: an office's or a client's house rules.

The result is one complete document, which is what is published, so that a version never changes
with its base. House rules can only be stricter in what they add; what they redefine in the grammar
is held to the base's own negative examples (verify.py).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .errors import PackError, Problem
from .migrate import Document, migrate
from .parse import parse
from .tree import Call, Definition, Grammar, Reference, walk

BaseOf = Callable[[str], Mapping[str, Any]]
"""Gives the document of a slug, as its author wrote it. Raises LookupError."""


def resolve(document: Mapping[str, Any], base_of: BaseOf) -> Document:
    """The document with everything that it takes from its bases, in today's format.

    Raises PackError: base-cycle, base-missing, base-differs, schema-version, syntax.
    """
    return _resolved(migrate(document), base_of, ())


def _resolved(own: Document, base_of: BaseOf, chain: tuple[str, ...]) -> Document:
    slug = str(own.get("slug", ""))
    wanted = own.get("extends")
    chain = (*chain, slug)
    if wanted is None:
        return own
    if wanted in chain:
        cycle = " → ".join((*chain[chain.index(wanted) :], wanted))
        raise _refused(
            "base-cycle",
            wanted,
            f"规则包互相扩展，形成循环：{cycle}。",
            f"These packs extend each other in a circle: {cycle}.",
        )
    try:
        found = base_of(wanted)
    except LookupError:
        raise _refused(
            "base-missing",
            wanted,
            f"没有规则包“{wanted}”，无法扩展它。",
            f"There is no pack “{wanted}” to extend.",
        ) from None
    return _merged(own, _resolved(migrate(found), base_of, chain))


def _merged(own: Document, base: Document) -> Document:
    for key in ("kind", "jurisdiction", "language"):
        if own.get(key) != base[key]:
            raise _refused(
                "base-differs",
                f"{key}: {own.get(key)}",
                f"规则包与被扩展的“{base['slug']}”的 {key} 不同（{base[key]}）。",
                f"The {key} differs from that of “{base['slug']}”, which is {base[key]}.",
            )
    merged = {**base, **own}
    del merged["extends"]
    for key in ("citations", "linter", "max_depth", "unbounded_runs"):
        if both := {**base.get(key, {}), **own.get(key, {})}:
            merged[key] = both
    for key in ("enforces", "tempting"):
        if either := _united(base.get(key, ()), own.get(key, ())):
            merged[key] = either
    subjects = base.get("subjects", {})
    for key, values in own.get("subjects", {}).items():
        subjects = {**subjects, key: _united(subjects.get(key, ()), values)}
    if subjects:
        merged["subjects"] = subjects
    merged["forbidden"] = _rows(base["forbidden"], own["forbidden"])
    merged["grammar"] = merged_grammar(own["grammar"], base["grammar"])
    merged["examples"] = _examples(base.get("examples", ()), own.get("examples", ()))
    lineage = {"slug": base["slug"], "version": base["version"]}
    merged["bases"] = [lineage, *base.get("bases", ())]
    return merged


def _united(base: Any, own: Any) -> list[Any]:
    return list(dict.fromkeys((*base, *own)))


def _rows(base: list[dict[str, Any]], own: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The base's table, then the new terms. What an own row says of a known term holds; its
    contexts are added, in front."""
    rows = {row["term"]: row for row in base}
    for row in own:
        known = rows.get(row["term"], {})
        contexts = _united(row.get("allowed_in", ()), known.get("allowed_in", ()))
        rows[row["term"]] = {**known, **row, "allowed_in": contexts}
    return list(rows.values())


def _examples(base: Any, own: Any) -> list[dict[str, Any]]:
    """Own examples first; one with the text and state of the base's takes its place."""
    stated = {_key(example) for example in own}
    inherited = ({**example, "inherited": True} for example in base if _key(example) not in stated)
    return [*own, *inherited]


def _key(example: Mapping[str, Any]) -> str:
    return json.dumps([example["text"], example["state"]], ensure_ascii=False, sort_keys=True)


def merged_grammar(own: str, base: str) -> str:
    """The own text with what it leaves standing of the base's behind it, so that its lines keep
    their numbers. Rules of the base that only redefined ones used are left out."""
    mine, theirs = parse(own), parse(base)
    redefined = {definition.name for definition in mine.definitions}
    declared = {parameter.name for parameter in mine.parameters}
    cut = [d.span for d in theirs.definitions if d.name in redefined]
    cut += [p.span for p in theirs.parameters if p.name in declared]
    kept = [d for d in theirs.definitions if d.name not in redefined]
    before = _reached(theirs, theirs.definitions)
    after = _reached(theirs, (*mine.definitions, *kept), mine)
    cut += [d.span for d in kept if d.name in before - after]
    rest = base
    for start, end in sorted(cut, reverse=True):
        rest = rest[:start] + rest[end:]
    return f"{own.rstrip()}\n\n{rest.lstrip()}" if own.strip() else rest


def _reached(grammar: Grammar, definitions: Any, own: Grammar | None = None) -> set[str]:
    by_name: dict[str, Definition] = {d.name: d for d in definitions}
    parameters = (*grammar.parameters, *(own.parameters if own else ()))
    queue = [entry for parameter in parameters for entry in parameter.entries]
    reached = set(queue)
    while queue:
        definition = by_name.get(queue.pop())
        for name in names_in(definition) if definition else ():
            if name not in reached:
                reached.add(name)
                queue.append(name)
    return reached


def names_in(definition: Definition) -> Iterator[str]:
    """The rules and terminals that a definition mentions, as often as it does."""
    for node in walk(definition.node):
        if isinstance(node, Reference):
            yield node.name
        elif isinstance(node, Call):
            yield from node.arguments[1:]


def _refused(code: str, excerpt: str, zh: str, en: str) -> PackError:
    return PackError((Problem(code, 0, 0, f"extends: {excerpt}", zh, en),))
