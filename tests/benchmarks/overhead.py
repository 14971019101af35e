"""What the console costs: tokens/s through worker, event log and WebSocket, over the bare server's.

    .venv/bin/python -m tests.benchmarks.overhead [--quick]

One node serves the whole run. First the console drafts every set once through a recording proxy;
those requests (prompt, grammar, sampling) are what the bare server gets afterwards. Then, at each
load, the console (readers on WebSockets, through web and worker) and the bare HTTP server take
turns. In a turn so many drafts run all the time, for a fixed number of seconds; whoever is done
takes the next set. A bare draft sends its requests one after the other, as a draft must; its client
only reads the stream. The node's prefix cache is emptied before each turn, so that both begin cold.
The console's tokens are those in the event log at the end that its readers had received or that
were on their way; the bare server's those that it generated. All of it, readers included, shares
this machine's cores with the model.
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
from tests.benchmarks.recorder import Recorder
from tests.benchmarks.report import Target, machine, print_table, print_targets
from tests.support.ports import free_ports

LOADS = (1, 8, 32)
TARGET = 0.95


@dataclass(frozen=True)
class Size:
    """Sets, claims a draft, turns at each load, seconds a turn."""

    sets: int
    claims: int
    turns: int
    seconds: float


SIZES = {"quick": Size(12, 2, 1, 20.0), "full": Size(32, 3, 2, 45.0)}


@dataclass(frozen=True)
class Turn:
    tokens: float
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer sets, within five minutes")
    size = SIZES["quick" if parser.parse_args().quick else "full"]
    sets = evalsets.usable_sets(size.sets)
    with tempfile.TemporaryDirectory(prefix="claimwright-bench-") as name:
        folder = Path(name)
        proxy_port, node_port = free_ports(2)
        node = f"http://127.0.0.1:{node_port}"
        stack.prepare(folder, NODES=node)
        with _node(node_port, folder / "node.log"):
            recorder = Recorder(proxy_port, node)
            recorder.start()
            with stack.running(folder / "log-record", NODES=f"http://127.0.0.1:{proxy_port}"):
                asyncio.run(_draft_all(sets, size.claims))
            recorder.stop()
            drafts = [_requests_of(claim_set, recorder, node) for claim_set in sets]
            with stack.running(folder / "log"):
                # A worker's first draft compiles the rules, once.
                asyncio.run(_draft_all(sets[:1], 1))
                results = _measure(sets, drafts, size, node)
    _report(results)


def _requests_of(claim_set: dict[str, Any], recorder: Recorder, node: str) -> list[dict[str, Any]]:
    """What the console asked the node for this set, found by the title in front."""
    from inference.cluster.client import NodeClient
    from inference.prompting import head

    # The last token of the title may be another one where more text follows.
    beginning = NodeClient(node).tokenize(head(claim_set["title"], "").split("\n")[0])[:-1]
    return [body for body in recorder.bodies if body["prompt"][: len(beginning)] == beginning]


def _measure(
    sets: Sequence[dict[str, Any]], drafts: Sequence[Any], size: Size, node: str
) -> dict[int, dict[str, list[Turn]]]:
    results: dict[int, dict[str, list[Turn]]] = {}
    for load in LOADS:
        turns: dict[str, list[Turn]] = {"bare": [], "console": []}
        for turn in range(size.turns):
            for way in ("bare", "console") if turn % 2 else ("console", "bare"):
                asyncio.run(_at_rest(node))
                taken = asyncio.run(
                    _bare(drafts, load, size.seconds, node)
                    if way == "bare"
                    else _console(sets, load, size)
                )
                turns[way].append(taken)
                rate = taken.tokens / taken.seconds
                print(f"{load} at once, {way}: {rate:.1f} tok/s", file=sys.stderr)
        results[load] = turns
    return results


# --- the two ways ----------------------------------------------------------------------------


async def _bare(
    drafts: Sequence[Sequence[dict[str, Any]]], load: int, seconds: float, node: str
) -> Turn:
    timeout = aiohttp.ClientTimeout(total=None)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(timeout=timeout, connector=connector) as session:

        async def slot(first: int) -> None:
            for draft in _in_turn(drafts, first, load):
                for body in draft:
                    fresh = body | {"request_id": f"bare-{uuid.uuid4().hex}"}
                    async with session.post(f"{node}/v1/completions", json=fresh) as answer:
                        answer.raise_for_status()
                        async for _ in answer.content.iter_any():
                            pass

        before = await _counted(node, "vllm:generation_tokens_total")
        started = time.perf_counter()
        slots = [asyncio.create_task(slot(first)) for first in range(load)]
        ended, _ = await asyncio.wait(slots, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        for task in ended:
            task.result()
        taken = time.perf_counter() - started
        tokens = await _counted(node, "vllm:generation_tokens_total") - before
        for task in slots:
            task.cancel()
        await asyncio.gather(*slots, return_exceptions=True)
        return Turn(tokens, taken)


@dataclass
class Reading:
    """A reader's connection, and what he has of his draft."""

    socket: Any
    job: str = ""
    text: str = ""
    seq: int = 0


async def _console(sets: Sequence[dict[str, Any]], load: int, size: Size) -> Turn:
    from asgiref.sync import sync_to_async

    readings: list[Reading] = []

    async def slot(first: Reading, place: int) -> None:
        reading = first
        for claim_set in _in_turn(sets, place + load, load):
            readings.append(reading)
            # An agent has the next matter open before this one is done.
            following = asyncio.create_task(_open(claim_set))
            await _read_draft(reading, size.claims)
            await reading.socket.close()
            reading = await following

    opened = await asyncio.gather(*(_open(sets[place % len(sets)]) for place in range(load)))
    started = time.perf_counter()
    slots = [asyncio.create_task(slot(one, place)) for place, one in enumerate(opened)]
    ended, _ = await asyncio.wait(slots, timeout=size.seconds, return_when=asyncio.FIRST_EXCEPTION)
    for task in ended:
        task.result()
    taken, now = time.perf_counter() - started, time.time()
    for task in slots:
        task.cancel()
    await asyncio.gather(*slots, return_exceptions=True)
    tokens = [await sync_to_async(_tokens_of)(one, now) for one in readings if one.job]
    await asyncio.gather(*(_stop(one) for one in readings if one.job))
    return Turn(sum(tokens), taken)


async def _open(claim_set: dict[str, Any]) -> Reading:
    """A fresh matter, shown to its agent."""
    from asgiref.sync import sync_to_async

    return Reading(await _connect(*await sync_to_async(_reader)(claim_set)))


def _in_turn(things: Sequence[Any], first: int, step: int) -> Iterator[Any]:
    """Every `step`-th of the things from `first` on, over and over."""
    place = first
    while True:
        yield things[place % len(things)]
        place += step


async def _draft_all(sets: Sequence[dict[str, Any]], claims: int) -> None:
    """Each set drafted to its end, all at once."""

    async def one(claim_set: dict[str, Any]) -> None:
        reading = await _open(claim_set)
        await _read_draft(reading, claims)
        await reading.socket.close()

    await asyncio.gather(*(one(claim_set) for claim_set in sets))


async def _stop(reading: Reading) -> None:
    if reading.socket.state.name == "OPEN":
        await reading.socket.send(json.dumps({"type": "draft.stop", "job": reading.job}))
        await reading.socket.close()


def _tokens_of(reading: Reading, until: float) -> int:
    """Generated tokens of one draft in the event log up to a time, by the ids that it keeps.

    Raises RuntimeError when the reader has anything else than what the log holds so far.
    """
    from console.drafting.eventlog import EventLog

    deltas = [event for event in EventLog(reading.job).read() if event["kind"] == "claim.delta"]
    seen = "".join(delta["text"] for delta in deltas if delta["seq"] <= reading.seq)
    if seen != reading.text:
        raise RuntimeError(f"The reader of job {reading.job} did not receive what its log holds.")
    return sum(
        len(delta["ids"]) - delta.get("given", 0) for delta in deltas if delta["at"] <= until
    )


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


async def _read_draft(reading: Reading, claims: int) -> None:
    """Starts a draft and reads it to its end.

    Raises RuntimeError when the console refuses the draft, or when an event is missing.
    """
    socket = reading.socket
    await socket.send(json.dumps({"type": "hello", "job": None, "after": 0}))
    start = {
        "type": "draft.start",
        "request_id": uuid.uuid4().hex,
        "params": evalsets.parameters(claims),
    }
    await socket.send(json.dumps(start))
    async for frame in socket:
        message = json.loads(frame)
        if message["type"] == "error":
            raise RuntimeError(f"The console refused a draft: {message['code']}")
        for event in message.get("events", ()):
            reading.job = message["job"]
            if event["seq"] != reading.seq + 1:
                raise RuntimeError(f"Event {event['seq']} came after event {reading.seq}.")
            reading.seq = event["seq"]
            reading.text += event["text"] if event["kind"] == "claim.delta" else ""
            if event["kind"] in ("job.completed", "job.stopped", "job.failed"):
                # A draft whose claims were all given up streamed its tokens like any other.
                if event["kind"] != "job.completed" and event.get("code") != "nothing_written":
                    raise RuntimeError(f"A draft ended with {event}.")
                return
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
