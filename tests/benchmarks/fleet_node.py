"""A node as the rules see it: registration and acknowledging as on every node, and one stream.

    python -m tests.benchmarks.fleet_node ETCD NODE_ID TOKENIZER_JSON TEXT_FILE

There is no model: three of them do not fit two cores. In its place the known text is written token
by token under the version that was in force when the stream began, with a mask for every token, as
an engine does; PAUSE seconds stand for the model's step. Ends at SIGTERM with a line of JSON:
{"streams", "broken", "longest_gap_ms"}.
"""

import json
import signal
import sys
import threading
import time
from pathlib import Path

from llguidance import LLMatcher, LLTokenizer

from inference.cluster.nodes import NodeRecord
from inference.cluster.registry import Registration
from inference.etcd import Etcd, EtcdError, EtcdSettings, connect
from inference.node.acknowledging import Acknowledger
from inference.node.engine import GrammarEngine
from inference.published import Active, active_key, version_key

PAUSE = 0.02


class Stream:
    """Writes the text over and over, each time under the version in force at its beginning."""

    def __init__(self, etcd: Etcd, slug: str, tokenizer: str, text: str) -> None:
        self.etcd = etcd
        self.slug = slug
        self.tokenizer = LLTokenizer(tokenizer)
        self.tokens = self.tokenizer.tokenize_str(text)
        self.streams = self.broken = 0
        self.longest_gap = 0.0
        self._grammars: dict[int, str] = {}

    def run(self, stopped: threading.Event) -> None:
        grammar = ""
        while not stopped.is_set():
            try:
                grammar = self._in_force()
            except EtcdError:
                stopped.wait(PAUSE)  # etcd is away: on with the last one known
            if grammar:
                self._write(grammar, stopped)

    def _in_force(self) -> str:
        entry = self.etcd.get(active_key(self.slug))
        if entry is None:
            return ""
        version = Active.decoded(entry.value).version
        if version not in self._grammars:
            stored = self.etcd.get(version_key(self.slug, version))
            assert stored is not None
            self._grammars = {version: json.loads(stored.value)["grammar"]}
        return self._grammars[version]

    def _write(self, grammar: str, stopped: threading.Event) -> None:
        writer = LLMatcher(self.tokenizer, LLMatcher.grammar_from_lark(grammar), log_level=0)
        last = time.monotonic()
        for token in self.tokens:
            writer.compute_bitmask()
            writer.consume_token(token)
            self.longest_gap = max(self.longest_gap, time.monotonic() - last)
            last = time.monotonic()
            if stopped.wait(PAUSE):
                return
        self.streams += 1
        self.broken += writer.is_error() or not writer.is_accepting()


def main() -> None:
    endpoint, node_id, tokenizer, text_file = sys.argv[1:]
    slug, text = json.loads(Path(text_file).read_text("utf-8"))
    stopped = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    settings = EtcdSettings(endpoints=(endpoint,))
    registration = Registration(settings, NodeRecord(node_id, f"http://{node_id}", "no model"))
    acknowledger = Acknowledger(
        settings, registration, node_id, lambda: GrammarEngine(Path(tokenizer))
    )
    stream = Stream(connect(settings), slug, tokenizer, text)
    registration.start()
    acknowledger.start()
    stream.run(stopped)
    acknowledger.close()
    registration.close()
    print(
        json.dumps(
            {
                "streams": stream.streams,
                "broken": stream.broken,
                "longest_gap_ms": round(1000 * stream.longest_gap, 1),
            }
        ),
        flush=True,
    )


if __name__ == "__main__":
    main()
