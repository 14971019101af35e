"""The processes that check, and their limits: how many, how long, how much at once."""

import atexit
import json
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from rules.errors import RulesError
from rules.store.records import digest_of

PROCESSES = 2
QUESTION_SECONDS = 30.0
"""For one question, the start of a process included. cn-claims takes under a second."""
QUEUE_SECONDS = 45.0
EXAMPLES_AT_ONCE = 40
SECOND_SECONDS = 10.0
_ROOT = Path(__file__).resolve().parents[2]


class Bench:
    """Threads may share it. A process is started when it is needed and killed when it is late."""

    def __init__(self, *, processes: int = PROCESSES, seconds: float = QUESTION_SECONDS) -> None:
        self._free = threading.Semaphore(processes)
        self._lock = threading.Lock()
        self._idle: list[subprocess.Popen[bytes]] = []
        self._seconds = seconds

    def check(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """rules.bench.work.check. Raises RulesError: busy, too_slow."""
        return self._ask({"do": "check", "document": document})

    def judge(
        self, document: Mapping[str, Any], examples: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Verdicts of up to EXAMPLES_AT_ONCE examples. Raises RulesError."""
        bare = {name: value for name, value in document.items() if name != "examples"}
        answer = self._ask({"do": "judge", "document": bare, "examples": examples})
        verdicts: list[dict[str, Any]] = answer["verdicts"]
        return verdicts

    def judge_all(
        self, document: Mapping[str, Any], examples: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        return [
            verdict
            for start in range(0, len(examples), EXAMPLES_AT_ONCE)
            for verdict in self.judge(document, examples[start : start + EXAMPLES_AT_ONCE])
        ]

    def second_opinions(
        self, document: Mapping[str, Any], examples: Sequence[Mapping[str, Any]]
    ) -> tuple[list[dict[str, Any]], int]:
        """The examples on which engine and lark differ, and how many were looked at.

        lark needs a hundred times as long as the engine, so that SECOND_SECONDS do not suffice for
        all of a large pack's examples: which ones come first changes with each document. Raises
        RulesError.
        """
        bare = {name: value for name, value in document.items() if name != "examples"}
        salt = digest_of(bare)

        def place(example: Mapping[str, Any]) -> str:
            return sha256(f"{salt}{example['text']}".encode()).hexdigest()

        mixed = sorted(examples, key=place)

        def ask(share: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
            return self._ask(
                {"do": "second", "document": bare, "examples": share, "seconds": SECOND_SECONDS}
            )

        with ThreadPoolExecutor(PROCESSES) as pool:
            answers = list(pool.map(ask, (mixed[start::PROCESSES] for start in range(PROCESSES))))
        found = [one for answer in answers for one in answer["disagreements"]]
        return found, sum(answer["checked"] for answer in answers)

    def explain(
        self, document: Mapping[str, Any], state: Mapping[str, Any], text: str
    ) -> dict[str, Any]:
        return self._ask({"do": "explain", "document": document, "state": state, "text": text})

    def grammar(self, document: Mapping[str, Any], state: Mapping[str, Any]) -> str:
        answer = self._ask({"do": "grammar", "document": document, "state": state})
        return str(answer["grammar"])

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            _end(process)

    def _ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        if not self._free.acquire(timeout=QUEUE_SECONDS):
            raise RulesError("busy", _("检查程序正忙，请稍后再试。"), status=503)
        try:
            process = self._take()
            said = self._answer(process, json.dumps(question).encode() + b"\n")
            if not said:
                _end(process)
                raise RulesError(
                    "too_slow",
                    _("检查超出了时间或内存的限度，已中止。请简化最近的修改。"),
                )
            with self._lock:
                self._idle.append(process)
        finally:
            self._free.release()
        answer: dict[str, Any] = json.loads(said)
        if refused := answer.get("refused"):
            sentence = refused["en" if get_language() == "en" else "zh"]
            raise RulesError(refused["code"], sentence)
        return answer

    def _take(self) -> subprocess.Popen[bytes]:
        with self._lock:
            while self._idle:
                process = self._idle.pop()
                if process.poll() is None:
                    return process
                _end(process)
        return subprocess.Popen(
            [sys.executable, "-m", "rules.bench"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=_ROOT,
        )

    def _answer(self, process: subprocess.Popen[bytes], question: bytes) -> bytes:
        """The answer's line; empty when the process was killed for being late, or died."""
        to, back = process.stdin, process.stdout
        if to is None or back is None:
            return b""
        late = threading.Timer(self._seconds, process.kill)
        late.start()
        try:
            to.write(question)
            to.flush()
            return back.readline()
        except OSError:
            return b""
        finally:
            late.cancel()


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:
                continue


@lru_cache(maxsize=1)
def bench() -> Bench:
    """The checker of this process."""
    made = Bench()
    atexit.register(made.close)
    return made
