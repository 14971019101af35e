"""A node's part in publishing rules: it tries each version that comes into force, and says so.

Requests bring their grammar with them, so a node holds no rules that it could swap in the middle of
one. What it owes the author is a word: whether its engine can build the new version's grammar with
its own tokenizer, and how long that takes. The version in the store carries one grammar for this
purpose, the largest that its examples lead to; so this side needs no rule compiler.
"""

import json
import logging
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from time import monotonic
from typing import Protocol

from inference.cluster.registry import Registration
from inference.etcd import Entry, EtcdError, EtcdSettings, connect
from inference.etcd_mirror import PrefixMirror
from inference.node.engine import EngineRefusal
from inference.published import (
    PACKS,
    Acknowledgement,
    Active,
    acks_prefix,
    is_active_key,
    slug_of,
    version_key,
)

log = logging.getLogger("claimwright.node.rules")

RETRY_SECONDS = 0.5


class Engine(Protocol):
    def build(self, grammar: str) -> None:
        """Raises EngineRefusal."""


def in_force(entries: Mapping[str, Entry]) -> dict[str, Active]:
    """By slug. An entry that cannot be read is passed over: it stops no other pack."""
    found = {}
    for key, entry in entries.items():
        try:
            found[slug_of(key)] = Active.decoded(entry.value)
        except (ValueError, TypeError):
            log.warning("The entry %s cannot be read and is passed over.", key)
    return found


def due(active: Mapping[str, Active], said: Mapping[str, Acknowledgement]) -> dict[str, Active]:
    """The versions in force on which the node's last word is not about them."""
    return {
        slug: wanted
        for slug, wanted in active.items()
        if slug not in said
        or (said[slug].version, said[slug].digest) != (wanted.version, wanted.digest)
    }


def tried(
    node_id: str,
    wanted: Active,
    stored: bytes | None,
    engine: Engine,
    before: Acknowledgement | None,
) -> Acknowledgement:
    """The node's word on the version in force. `stored` is its record in the store, `before` what
    the node said last about the pack."""
    began = monotonic()
    code = reason = ""
    try:
        engine.build(_grammar(wanted, stored))
    except EngineRefusal as refusal:
        code, reason = refusal.code, str(refusal)
    kept = 0
    if code and before is not None:
        kept = before.version if before.taken_up else before.kept
    return Acknowledgement(
        id=node_id,
        version=wanted.version,
        digest=wanted.digest,
        compile_ms=round(1000 * (monotonic() - began), 3),
        time=datetime.now(UTC).isoformat(timespec="milliseconds"),
        code=code,
        reason=reason,
        kept=kept,
    )


def _grammar(wanted: Active, stored: bytes | None) -> str:
    """Raises EngineRefusal: version_missing, version_unreadable."""
    if stored is None:
        raise EngineRefusal("version_missing", f"Version {wanted.version} is not in the store.")
    try:
        values = json.loads(stored)
        digest, grammar = values["digest"], values["grammar"]
    except (ValueError, KeyError, TypeError) as error:
        raise EngineRefusal(
            "version_unreadable", f"Version {wanted.version} cannot be read, or has no grammar."
        ) from error
    if digest != wanted.digest:
        raise EngineRefusal(
            "version_missing", f"Version {wanted.version} in the store is another document."
        )
    return str(grammar)


class Acknowledger:
    """Follows the rules in force and keeps the node's word on them beside its registration, under
    the same lease. A thread of its own; after an outage of etcd it catches up by itself."""

    def __init__(
        self,
        settings: EtcdSettings,
        registration: Registration,
        node_id: str,
        load: Callable[[], Engine],
    ) -> None:
        """`load` makes the engine; it is called in the thread, because it takes its time."""
        self._registration = registration
        self._node_id = node_id
        self._load = load
        self._etcd = connect(settings)
        self._mirror = PrefixMirror(
            settings, PACKS, lambda _state: self._wake.set(), wanted=is_active_key
        )
        self._said: dict[str, Acknowledgement] = {}
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="acknowledge rules", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._stopped.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        self._mirror.close()
        self._etcd.close()

    def _run(self) -> None:
        engine = self._load()
        self._mirror.start()
        while not self._stopped.is_set():
            self._wake.wait()
            self._wake.clear()
            try:
                self._catch_up(engine)
            except EtcdError as error:
                log.warning("%s The new version of the rules is read when it is back.", error)
                self._stopped.wait(RETRY_SECONDS)
                self._wake.set()

    def _catch_up(self, engine: Engine) -> None:
        for slug, wanted in due(in_force(self._mirror.entries()), self._said).items():
            entry = self._etcd.get(version_key(slug, wanted.version))
            word = tried(
                self._node_id,
                wanted,
                None if entry is None else entry.value,
                engine,
                self._said.get(slug),
            )
            self._said[slug] = word
            self._registration.keep(f"{acks_prefix(slug)}{self._node_id}", word.encoded())
            if word.taken_up:
                log.info("Rules %s: version %d in %.1f ms.", slug, word.version, word.compile_ms)
            else:
                log.error(
                    "Rules %s: version %d refused (%s), version %d kept. %s",
                    slug,
                    word.version,
                    word.code,
                    word.kept,
                    word.reason,
                )
