"""The one grammar of a version that every node tries before it says that it has taken it up."""

from collections.abc import Mapping
from typing import Any

from rules.compiler import CompiledPack, StateError, compile_pack, state_from


def probe_grammar(document: Mapping[str, Any]) -> str:
    """The largest grammar that the pack's accepted examples lead to. All texts of a pack share its
    terminals, where the cost and the engine's limits are; the largest has the most rules beside.

    Raises rules.compiler.PackError when the document does not compile. Empty without examples.
    """
    return largest_grammar(compile_pack(document), document)


def largest_grammar(pack: CompiledPack, document: Mapping[str, Any]) -> str:
    largest = ""
    for example in document.get("examples", ()):
        if example["verdict"] == "accepted":
            try:
                grammar = pack.instantiate(state_from(pack.kind, example["state"]))
            except StateError:
                continue
            largest = max(largest, grammar, key=len)
    return largest
