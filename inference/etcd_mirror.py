"""A prefix of etcd, mirrored in memory by one thread and kept through every outage."""

import logging
import threading
from collections.abc import Callable, Mapping
from time import monotonic

from inference.etcd import (
    Compacted,
    Entry,
    Etcd,
    EtcdError,
    EtcdSettings,
    Listing,
    Watch,
    connect,
)

log = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 1.0


class PrefixMirror:
    """Call start(); then entries() answers at once, with the last known state while etcd is away.

    After each break the prefix is listed again before it is watched on, so that nothing is missed
    when the history was compacted meanwhile or the store was replaced. `on_change` gets the whole
    mirrored state, from the mirror's thread, after the first listing and after each change.
    With `wanted`, only the keys for which it holds are mirrored, and only their values are read.

    The mirror has a connection of its own: a failed call elsewhere would end the watch with it.
    The log says when etcd goes away, for a new reason too, and when it is back; not each attempt.
    """

    def __init__(
        self,
        settings: EtcdSettings,
        prefix: str,
        on_change: Callable[[Mapping[str, Entry]], None] | None = None,
        *,
        wanted: Callable[[str], bool] | None = None,
    ) -> None:
        self._etcd: Etcd = connect(settings)
        self._prefix = prefix
        self._on_change = on_change
        self._wanted = wanted
        self._lock = threading.Lock()
        self._entries: dict[str, Entry] = {}
        self._watch: Watch | None = None
        self._listed = threading.Event()
        self._stopped = threading.Event()
        self._connected = False
        self._trouble = ""
        self._thread = threading.Thread(target=self._run, name=f"mirror {prefix}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def entries(self) -> dict[str, Entry]:
        with self._lock:
            return dict(self._entries)

    @property
    def connected(self) -> bool:
        """False while what entries() says may be out of date."""
        return self._connected

    def wait_listed(self, timeout: float) -> bool:
        """True when the prefix has been read at least once, within `timeout` seconds."""
        return self._listed.wait(timeout)

    def close(self) -> None:
        self._stopped.set()
        with self._lock:
            watch = self._watch
        if watch is not None:
            try:
                watch.cancel()
            except EtcdError:
                log.debug("The watch of %s was already closed.", self._prefix)
        self._etcd.close()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _run(self) -> None:
        pause = FIRST_PAUSE_SECONDS
        while not self._stopped.is_set():
            began = monotonic()
            try:
                self._follow()
            except Compacted:
                log.debug("The history of %s was compacted; it is listed again.", self._prefix)
            except EtcdError as error:
                if str(error) != self._trouble and not self._stopped.is_set():
                    log.warning("%s Going on with what is known of %s.", error, self._prefix)
                    self._trouble = str(error)
            lasted = self._connected and monotonic() - began > LONGEST_PAUSE_SECONDS
            pause = FIRST_PAUSE_SECONDS if lasted else min(pause * 2, LONGEST_PAUSE_SECONDS)
            self._connected = False
            self._stopped.wait(pause)

    def _follow(self) -> None:
        listing = self._list()
        watch = self._etcd.watch(self._prefix, start_revision=listing.revision + 1)
        with self._lock:
            self._watch = watch
        listed = {entry.key: entry for entry in listing.entries}
        self._replace(listed, tell=listed != self._entries or not self._listed.is_set())
        self._connected = True
        self._listed.set()
        if self._trouble:
            log.warning("etcd answers again; what is known of %s is up to date.", self._prefix)
            self._trouble = ""
        for changes in watch:
            state = self.entries()
            changes = {key: each for key, each in changes.items() if self._wants(key)}
            for key, entry in changes.items():
                if entry is None:
                    state.pop(key, None)
                else:
                    state[key] = entry
            self._replace(state, tell=bool(changes))

    def _list(self) -> Listing:
        if self._wanted is None:
            return self._etcd.list(self._prefix)
        keys = self._etcd.list(self._prefix, keys_only=True)
        read = (
            self._etcd.get(entry.key, revision=keys.revision)
            for entry in keys.entries
            if self._wants(entry.key)
        )
        return Listing(tuple(entry for entry in read if entry is not None), keys.revision)

    def _wants(self, key: str) -> bool:
        return self._wanted is None or self._wanted(key)

    def _replace(self, state: dict[str, Entry], *, tell: bool) -> None:
        with self._lock:
            self._entries = state
        if tell and self._on_change is not None:
            self._on_change(dict(state))
