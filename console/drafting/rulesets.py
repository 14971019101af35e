"""The compiled rules of a job, once per process and pack version.

A job pins its version when it is started, so a new version that comes into force takes effect with
the next job: no running claim changes its rules.
"""

import threading
from concurrent.futures import Future
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


_Key = tuple[str, int, str]
_lock = threading.Lock()
_known: dict[_Key, Future[RuleSet]] = {}
_KEPT = 8


def rule_set(slug: str, version: int, digest: str) -> RuleSet:
    """The rules that a job pinned. Raises rules.store.StoreError and rules.compiler.PackError.

    Jobs that begin under a new version wait for its one compilation; jobs that run under another
    one do not.
    """
    key = (slug, version, digest)
    with _lock:
        known = _known.get(key)
        made: Future[RuleSet] = known or _known.setdefault(key, Future())
        while len(_known) > _KEPT:
            del _known[next(iter(_known))]
    if known is None:
        _make(key, made)
    return made.result()


def _make(key: _Key, made: Future[RuleSet]) -> None:
    try:
        document = pack_version(*key).document
        made.set_result(
            RuleSet(
                compile_pack(document),
                LintSettings.from_pack(document),
                enforced_rules(document),
            )
        )
    except BaseException as error:  # whatever it is, those who wait must hear of it
        with _lock:
            _known.pop(key, None)  # the next job tries again
        made.set_exception(error)
