"""The thin shell around the state machine: real processes, real signals, one loop.

Each child leads a session of its own, so that a Ctrl-C in the terminal reaches the supervisor only,
and a kill reaches all that the child has started. On Linux a child also gets SIGTERM when the
supervisor itself is killed, so that no port stays taken by an orphan.
"""

import asyncio
import contextlib
import ctypes
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, STDOUT, Process
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from console.operations.supervisor.core import (
    Backoff,
    Command,
    Kill,
    Program,
    Say,
    Spawn,
    Supervision,
)
from console.operations.supervisor.output import OWN, Lines, Stream
from console.operations.supervisor.probes import Probe

POLL_SECONDS = 0.25
LAST_WORDS_SECONDS = 2.0
# The terminal and the program that started the supervisor may both pass on one Ctrl-C.
SAME_SIGNAL_SECONDS = 0.5
NEVER = float("-inf")
PR_SET_PDEATHSIG = 1
Event = Callable[[float], list[Command]]


@dataclass(frozen=True)
class Service:
    """A program with its command line. A step (`program.once`) has no probe."""

    program: Program
    argv: Sequence[str]
    probe: Probe | None = None
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Milestone:
    """`reached` is called in a thread once, when all `names` have been ready for the first time."""

    names: frozenset[str]
    reached: Callable[[], None]


class Shell:
    def __init__(
        self,
        services: Sequence[Service],
        stream: Stream,
        milestones: Sequence[Milestone] = (),
        *,
        folder: Path,
        backoff: Backoff | None = None,
    ) -> None:
        """Children run in `folder`, where the project's modules are."""
        self._folder = folder
        self._services = {service.program.name: service for service in services}
        self._machine = Supervision([service.program for service in services], backoff)
        self._stream = stream
        self._milestones = list(milestones)
        self._ready: set[str] = set()
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._processes: dict[str, Process] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._telling = asyncio.Lock()
        self._signalled_at = NEVER

    async def run(self) -> int:
        """Until everything has stopped. 0 after a stop that was asked for, 1 after a failure."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._on_signal)
        await self._carry_out(self._machine.start(loop.time()))
        while not self._machine.finished:
            event = await self._next_event()
            await self._carry_out(event(loop.time()))
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._machine.failure:
            self._stream.line(OWN, self._machine.failure)
            return 1
        self._stream.line(OWN, "Everything has stopped.")
        return 0

    async def _next_event(self) -> Event:
        deadline = self._machine.next_deadline
        if deadline is None:
            return await self._events.get()
        try:
            async with asyncio.timeout_at(deadline):
                return await self._events.get()
        except TimeoutError:
            return self._machine.tick

    def _on_signal(self) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._signalled_at < SAME_SIGNAL_SECONDS:
            return
        first, self._signalled_at = self._signalled_at == NEVER, now
        self._stream.line(
            OWN, "Stopping. Press Ctrl-C again to kill what is left." if first else "Killing."
        )
        self._events.put_nowait(self._machine.stop)

    async def _carry_out(self, commands: Sequence[Command]) -> None:
        for command in commands:
            match command:
                case Say(name, text):
                    self._stream.line(OWN, f"{name} {text}")
                case Spawn(name):
                    await self._spawn(self._services[name])
                case Kill(name):
                    _kill_group(self._processes.get(name))
                case _:
                    with contextlib.suppress(ProcessLookupError, KeyError):
                        self._processes[command.name].terminate()

    async def _spawn(self, service: Service) -> None:
        name = service.program.name
        # A pipe of our own: asyncio's would put off the child's end until all that the child has
        # started has closed it too.
        reader, writer = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                *service.argv,
                stdin=DEVNULL,
                stdout=writer,
                stderr=STDOUT,
                cwd=self._folder,
                env={**os.environ, **service.environment},
                start_new_session=True,
                preexec_fn=_die_with_parent,
            )
        except OSError as error:
            os.close(reader)
            self._stream.line(name, f"{service.argv[0]} cannot be run: {error.strerror}.")
            self._events.put_nowait(lambda now: self._machine.exited(name, 127, now))
            return
        finally:
            os.close(writer)
        self._processes[name] = process
        self._keep(self._follow(service, process, os.fdopen(reader, "rb", buffering=0)))

    async def _follow(self, service: Service, process: Process, output: BinaryIO) -> None:
        """Prints what the child says, watches for its readiness, and reports its end."""
        name = service.program.name
        watch = asyncio.create_task(self._watch(service))
        reading = asyncio.create_task(self._print(name, output))
        code = await process.wait()
        watch.cancel()
        _kill_group(process)  # what it left behind would keep ports, memory and the pipe
        with contextlib.suppress(TimeoutError):
            # A grandchild in a session of its own may still hold the pipe open.
            await asyncio.wait_for(reading, LAST_WORDS_SECONDS)
        self._events.put_nowait(lambda now: self._machine.exited(name, code, now))

    async def _print(self, name: str, output: BinaryIO) -> None:
        reader, lines = asyncio.StreamReader(), Lines()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), output
        )
        try:
            while piece := await reader.read(65_536):
                for line in lines.feed(piece):
                    self._stream.line(name, line)
        finally:
            for line in lines.flush():
                self._stream.line(name, line)
            transport.close()

    async def _watch(self, service: Service) -> None:
        name = service.program.name
        if service.probe is None:
            return
        while not await service.probe():  # noqa: ASYNC110 - another process: no event to wait for
            await asyncio.sleep(POLL_SECONDS)
        self._events.put_nowait(lambda now: self._note_ready(name, now))

    def _note_ready(self, name: str, now: float) -> list[Command]:
        commands = self._machine.became_ready(name, now)
        if commands:
            self._ready.add(name)
            reached = [m for m in self._milestones if m.names <= self._ready]
            if reached:
                self._milestones = [m for m in self._milestones if m not in reached]
                self._keep(self._reach(reached))
        return commands

    async def _reach(self, milestones: Sequence[Milestone]) -> None:
        async with self._telling:
            for milestone in milestones:
                try:
                    await asyncio.to_thread(milestone.reached)
                except Exception as error:
                    # The services run: telling about them must not be what takes them down.
                    self._stream.line(OWN, f"{type(error).__name__}: {error}")

    def _keep(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _kill_group(process: Process | None) -> None:
    if process is not None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


if sys.platform == "linux":
    _prctl = ctypes.CDLL(None).prctl

    def _die_with_parent() -> None:
        _prctl(PR_SET_PDEATHSIG, signal.SIGTERM)

else:

    def _die_with_parent() -> None:
        """There is no such wish to the system here."""
