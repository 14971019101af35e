"""The processes that check, and their limits: how many, how long, how much at once."""

import atexit
import json
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from rules.errors import RulesError

PROCESSES = 2
QUESTION_SECONDS = 30.0
"""For one question, the start of a process included. cn-claims takes under a second."""
QUEUE_SECONDS = 45.0
EXAMPLES_AT_ONCE = 40
SHARE_SECONDS = 8.0
"""For one question of a verification; others' questions come between two."""
VERIFY_SECONDS = 240.0
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

    def verify(
        self, document: Mapping[str, Any], examples: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """What rules.compiler.verify, engine and lark, finds wrong: {index, outcome, reason}.

        lark takes up to a second an example, so that the processes share the work. Raises
        RulesError, also when VERIFY_SECONDS do not suffice: an example is never left out.
        """
        bare = {name: value for name, value in document.items() if name != "examples"}
        until = time.monotonic() + VERIFY_SECONDS

        def share(rest: Sequence[int]) -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = []
            while rest:
                if time.monotonic() > until:
                    raise RulesError(
                        "too_slow",
                        _("示例太多或规则太复杂，独立检查未能在 %(seconds)d 秒内判定全部示例。")
                        % {"seconds": VERIFY_SECONDS},
                    )
                answer = self._ask(
                    {
                        "do": "verify",
                        "document": bare,
                        "examples": [examples[place] for place in rest],
                        "seconds": SHARE_SECONDS,
                    }
                )
                found += [{**one, "index": rest[one["index"]]} for one in answer["failed"]]
                rest = rest[answer["checked"] :]
            return found

        shares = [range(start, len(examples), PROCESSES) for start in range(PROCESSES)]
        with ThreadPoolExecutor(PROCESSES) as pool:
            # Each in a copy of this context: refusals are in the reader's language.
            asked = [pool.submit(copy_context().run, share, places) for places in shares]
            found = [one for answer in asked for one in answer.result()]
        return sorted(found, key=lambda one: one["index"])

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
