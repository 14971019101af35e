"""What the console costs: tokens/s through worker, event log and WebSocket, over the bare server's.

    .venv/bin/python -m tests.benchmarks.overhead [--quick]

One node serves the whole run. At each load, so many drafts begin at once in the console (readers on
WebSockets, through web and worker) and are read to their ends. Then the bare HTTP server gets the
very same requests: the same prompts, grammars and sampling, draft by draft, one after the other
within a draft, as many tokens as the console took. Its clients only read. The node's prefix cache
is emptied before each turn. The console's tokens are those that its readers received, the bare
server's those that it generated. The proxy that keeps the requests stands before the console's
turns only and counts as its cost; all of it shares this machine's cores with the model.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import websockets

from tests.benchmarks import evalsets, stack
from tests.benchmarks.recorder import Exchange, Recorder
from tests.benchmarks.report import Target, machine, print_table, print_targets
from tests.support.ports import free_ports

LOADS = (1, 8, 32)
TARGET = 0.95


@dataclass(frozen=True)
class Size:
    """Claims a draft, and drafts one after the other at load 1."""

    claims: int
    drafts_at_one: int


SIZES = {"quick": Size(1, 4), "full": Size(3, 6)}


@dataclass(frozen=True)
class Turn:
    tokens: float
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer sets, within five minutes")
    size = SIZES["quick" if parser.parse_args().quick else "full"]
    sets = evalsets.usable_sets(max(LOADS))
    with tempfile.TemporaryDirectory(prefix="claimwright-bench-") as name:
        folder = Path(name)
        proxy_port, node_port = free_ports(2)
        node = f"http://127.0.0.1:{node_port}"
        stack.prepare(folder, NODES=f"http://127.0.0.1:{proxy_port}")
        with _node(node_port, folder / "node.log"):
            recorder = Recorder(proxy_port, node)
            recorder.start()
            with stack.running(folder / "log"):
                # A worker's first draft compiles the rules, once.
                asyncio.run(_console(sets[:1], 1))
                recorder.take()
                results = _measure(sets, size, recorder, node)
            recorder.stop()
    _report(results)


def _measure(
    sets: Sequence[dict[str, Any]], size: Size, recorder: Recorder, node: str
) -> dict[int, dict[str, list[Turn]]]:
    results: dict[int, dict[str, list[Turn]]] = {}
    for load in LOADS:
        turns: dict[str, list[Turn]] = {"console": [], "bare": []}
        for part in range(size.drafts_at_one if load == 1 else 1):
            chosen = sets[part * load : (part + 1) * load]
            asyncio.run(_at_rest(node))
            turns["console"].append(asyncio.run(_console(chosen, size.claims)))
            exchanges = recorder.take()
            drafts = [_requests_of(one, exchanges, node) for one in chosen]
            asyncio.run(_at_rest(node))
            turns["bare"].append(asyncio.run(_bare(drafts, node)))
            for way, taken in turns.items():
                rate = taken[-1].tokens / taken[-1].seconds
                print(f"{load} at once, {way}: {rate:.1f} tok/s", file=sys.stderr)
        results[load] = turns
    return results


def _requests_of(
    claim_set: dict[str, Any], exchanges: Sequence[Exchange], node: str
) -> list[dict[str, Any]]:
    """What the console asked the node for this set, found by the title in front."""
    from inference.cluster.client import NodeClient
    from inference.prompting import head

    # The last token of the title may be another one where more text follows.
    beginning = NodeClient(node).tokenize(head(claim_set["title"], "").split("\n")[0])[:-1]
    bodies = [exchange.again() for exchange in exchanges]
    return [body for body in bodies if body["prompt"][: len(beginning)] == beginning]


# --- the two ways ----------------------------------------------------------------------------


async def _bare(drafts: Sequence[Sequence[dict[str, Any]]], node: str) -> Turn:
    timeout = aiohttp.ClientTimeout(total=None)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(timeout=timeout, connector=connector) as session:

        async def one(bodies: Sequence[dict[str, Any]]) -> None:
            for body in bodies:
                fresh = body | {"request_id": f"bare-{uuid.uuid4().hex}"}
                async with session.post(f"{node}/v1/completions", json=fresh) as answer:
                    answer.raise_for_status()
                    async for _ in answer.content.iter_any():
                        pass

        before = await _counted(node, "vllm:generation_tokens_total")
        started = time.perf_counter()
        await asyncio.gather(*(one(bodies) for bodies in drafts))
        seconds = time.perf_counter() - started
        return Turn(await _counted(node, "vllm:generation_tokens_total") - before, seconds)


async def _console(sets: Sequence[dict[str, Any]], claims: int) -> Turn:
    from asgiref.sync import sync_to_async

    readers = [await sync_to_async(_reader)(claim_set) for claim_set in sets]
    sockets = [await _connect(*reader) for reader in readers]
    started = time.perf_counter()
    received = await asyncio.gather(*(_read_draft(socket, claims) for socket in sockets))
    seconds = time.perf_counter() - started
    await asyncio.gather(*(socket.close() for socket in sockets))
    tokens = [await sync_to_async(_tokens_of)(job, text) for job, text in received]
    return Turn(sum(tokens), seconds)


def _tokens_of(job_id: str, received: str) -> int:
    """Generated tokens in what a reader received, by the ids that the event log keeps.

    Raises RuntimeError when the reader did not receive exactly what the log holds.
    """
    from console.drafting.eventlog import EventLog

    deltas = [event for event in EventLog(job_id).read() if event["kind"] == "claim.delta"]
    if "".join(delta["text"] for delta in deltas) != received:
        raise RuntimeError(f"The reader of job {job_id} did not receive what its log holds.")
    return sum(len(delta["ids"]) - delta.get("given", 0) for delta in deltas)


def _reader(claim_set: dict[str, Any]) -> tuple[str, str]:
    """A fresh matter, and the session cookie of its agent."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    user, matter = evalsets.make_matter(claim_set)
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(matter.pk), f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


async def _connect(matter_id: str, cookie: str) -> Any:
    from django.conf import settings

    return await websockets.connect(
        f"ws://localhost:{settings.WEB_PORT}/ws/matters/{matter_id}/",
        additional_headers={"Cookie": cookie},
        origin=f"http://localhost:{settings.WEB_PORT}",  # type: ignore[arg-type]
        proxy=None,
        max_size=None,
    )


async def _read_draft(socket: Any, claims: int) -> tuple[str, str]:
    """Starts a draft and reads it to its end: the job and all text received.

    Raises RuntimeError when the console refuses the draft, or when an event is missing.
    """
    await socket.send(json.dumps({"type": "hello", "job": None, "after": 0}))
    start = {
        "type": "draft.start",
        "request_id": uuid.uuid4().hex,
        "params": evalsets.parameters(claims),
    }
    await socket.send(json.dumps(start))
    seen, text = 0, ""
    async for frame in socket:
        message = json.loads(frame)
        if message["type"] == "error":
            raise RuntimeError(f"The console refused a draft: {message['code']}")
        for event in message.get("events", ()):
            if event["seq"] != seen + 1:
                raise RuntimeError(f"Event {event['seq']} came after event {seen}.")
            seen = event["seq"]
            text += event["text"] if event["kind"] == "claim.delta" else ""
            if event["kind"] in ("job.completed", "job.stopped", "job.failed"):
                # A draft whose claims were all given up streamed its tokens like any other.
                if event["kind"] != "job.completed" and event.get("code") != "nothing_written":
                    raise RuntimeError(f"A draft ended with {event}.")
                return message["job"], text
    raise RuntimeError("The console closed a connection during a draft.")


# --- the node ---------------------------------------------------------------------------------


@contextmanager
def _node(port: int, log: Path) -> Iterator[None]:
    from django.conf import settings

    from inference.models import profiles

    recipe = profiles.load(settings.NODE_PROFILE).recipe or ""
    subprocess.run(
        [sys.executable, "manage.py", "models", "build", settings.NODE_PROFILE],
        cwd=stack.ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    arguments = ["--profile", settings.NODE_PROFILE, "--host", "127.0.0.1", "--port", str(port)]
    arguments += ["--model-dir", str(settings.MODELS_DIR / recipe)]
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "inference.node", *arguments],
            cwd=stack.ROOT,
            stdout=out,
            stderr=subprocess.STDOUT,
            # The server's own way to empty its cache, for tests only.
            env=os.environ | {"VLLM_SERVER_DEV_MODE": "1"},
        )
    try:
        _wait_until_ready(process, log)
        yield
    finally:
        process.terminate()
        process.wait(60)


def _wait_until_ready(process: subprocess.Popen[bytes], log: Path) -> None:
    while "Ready" not in log.read_text(errors="replace"):
        if process.poll() is not None:
            raise RuntimeError(f"The node ended:\n{log.read_text(errors='replace')[-2000:]}")
        time.sleep(0.5)


async def _counted(node: str, name: str) -> float:
    """One of the node's own numbers."""
    async with aiohttp.ClientSession() as session, session.get(f"{node}/metrics") as answer:
        lines = (await answer.text()).splitlines()
    counted = [line for line in lines if line.startswith(name + "{")]
    return sum(float(line.rsplit(" ", 1)[1]) for line in counted)


async def _at_rest(node: str) -> None:
    """Waits until nothing runs on the node any more, and empties its prefix cache."""
    quiet = 0
    while quiet < 3:
        await asyncio.sleep(0.5)
        quiet = 0 if await _counted(node, "vllm:num_requests_running") else quiet + 1
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{node}/reset_prefix_cache") as answer,
    ):
        answer.raise_for_status()


def _report(results: dict[int, dict[str, list[Turn]]]) -> None:
    print(f"Machine: {machine()}")
    rows: list[tuple[object, ...]] = []
    targets: dict[str, Target] = {}
    for load, turns in results.items():
        rate = {
            way: sum(turn.tokens for turn in taken) / sum(turn.seconds for turn in taken)
            for way, taken in turns.items()
        }
        each = {
            way: " ".join(f"{turn.tokens / turn.seconds:.1f}" for turn in taken)
            for way, taken in turns.items()
        }
        ratio = rate["console"] / rate["bare"]
        rows.append((load, rate["bare"], rate["console"], ratio, each["bare"], each["console"]))
        targets[f"ratio_at_{load}"] = Target(ratio, TARGET)
    headings = (
        "drafts at once",
        "bare tok/s",
        "console tok/s",
        "ratio",
        "bare turns",
        "console turns",
    )
    print_table(headings, rows)
    print_targets(targets)


if __name__ == "__main__":
    main()
