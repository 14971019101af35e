"""The compiled rules of a job, once per process and pack version."""

import threading
from dataclasses import dataclass

from console.drafting.checks import enforced_rules
from rules.compiler import CompiledPack, compile_pack
from rules.linter import LintSettings
from rules.store.client import pack_version


@dataclass(frozen=True)
class RuleSet:
    """The same pack version twice: as a grammar to write under, as settings to check with."""

    compiled: CompiledPack
    settings: LintSettings
    enforced: tuple[str, ...]


_lock = threading.Lock()
_known: dict[tuple[str, int, str], RuleSet] = {}
_KEPT = 8


def rule_set(slug: str, version: int, digest: str) -> RuleSet:
    """The rules that a job pinned. Raises rules.store.StoreError and rules.compiler.PackError."""
    key = (slug, version, digest)
    with _lock:
        known = _known.get(key)
        if known is None:
            document = pack_version(slug, version).document
            known = RuleSet(
                compile_pack(document),
                LintSettings.from_pack(document),
                enforced_rules(document),
            )
            while len(_known) >= _KEPT:
                del _known[next(iter(_known))]
            _known[key] = known
        return known
