"""The supervisor as a state machine that knows no processes and no clock: events in, commands out.

A program starts when all that it comes after are ready, and is ready when its check says so (a
step: when it has ended with exit code 0). A program that ends by itself is started again after a
pause that doubles; one that has never been ready after several tries ends everything. Stopping
goes backwards through the list, one program at a time, so that nobody loses what it still needs. A
second stop kills.
"""

import signal
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True)
class Program:
    """`once`: a step that ends by itself, not a service. Times are in seconds.

    `tries`: failures in a row, before it was ever ready, that end everything; 0 for "never".
    """

    name: str
    after: tuple[str, ...] = ()
    once: bool = False
    start_seconds: float = 60.0
    stop_seconds: float = 10.0
    tries: int = 3


@dataclass(frozen=True)
class Backoff:
    """Pauses before a restart: `first` seconds, doubled up to `longest`; a program that was ready
    for `steady` seconds starts anew with `first`."""

    first: float = 1.0
    longest: float = 30.0
    steady: float = 60.0

    def pause(self, failures: int) -> float:
        return min(self.first * 2.0 ** (failures - 1), self.longest)


class Phase(Enum):
    WAITING = "waiting"
    STARTING = "starting"
    READY = "ready"
    BACKOFF = "backoff"
    STOPPING = "stopping"
    STOPPED = "stopped"


@dataclass(frozen=True)
class Spawn:
    name: str


@dataclass(frozen=True)
class Terminate:
    """Ask to end (SIGTERM)."""

    name: str


@dataclass(frozen=True)
class Kill:
    name: str


@dataclass(frozen=True)
class Say:
    name: str
    text: str


Command = Spawn | Terminate | Kill | Say


@dataclass
class _Child:
    program: Program
    phase: Phase = Phase.WAITING
    failures: int = 0
    was_ready: bool = False
    ready_at: float = 0.0
    deadline: float | None = None

    @property
    def running(self) -> bool:
        return self.phase in (Phase.STARTING, Phase.READY, Phase.STOPPING)

    @property
    def done(self) -> bool:
        """A step that has succeeded: it is ready, but no process stands behind it."""
        return self.program.once and self.phase is Phase.READY


class Supervision:
    """Each method takes the time in seconds of one monotonic clock and returns what to do now."""

    def __init__(self, programs: Sequence[Program], backoff: Backoff | None = None) -> None:
        self._children = {program.name: _Child(program) for program in programs}
        for program in programs:
            unknown = set(program.after) - set(self._children)
            if unknown:
                raise ValueError(f"{program.name} comes after unknown {', '.join(sorted(unknown))}")
        self._backoff = backoff or Backoff()
        self._stopping = False
        self.failure = ""

    def phase(self, name: str) -> Phase:
        return self._children[name].phase

    @property
    def all_ready(self) -> bool:
        return all(child.phase is Phase.READY for child in self._children.values())

    @property
    def finished(self) -> bool:
        return self._stopping and not any(self._alive())

    @property
    def next_deadline(self) -> float | None:
        deadlines = [c.deadline for c in self._children.values() if c.deadline is not None]
        return min(deadlines, default=None)

    def start(self, now: float) -> list[Command]:
        return self._start_what_can(now)

    def became_ready(self, name: str, now: float) -> list[Command]:
        child = self._children[name]
        if child.phase is not Phase.STARTING or child.program.once:
            return []
        return [Say(name, "is ready."), *self._mark_ready(child, now)]

    def exited(self, name: str, code: int, now: float) -> list[Command]:
        child = self._children[name]
        if self._stopping:
            child.phase, child.deadline = Phase.STOPPED, None
            return self._stop_next(now)
        if child.program.once and code == 0:
            return self._mark_ready(child, now)
        return self._failed(child, f"stopped by itself ({_ending(code)})", now)

    def tick(self, now: float) -> list[Command]:
        commands: list[Command] = []
        for name, child in self._children.items():
            if child.deadline is None or now < child.deadline:
                continue
            child.deadline = None
            if child.phase is Phase.BACKOFF:
                child.phase = Phase.WAITING
            elif child.phase is Phase.STARTING:
                seconds = child.program.start_seconds
                commands += [Say(name, f"is not ready after {seconds:.0f} s."), Kill(name)]
            elif child.phase is Phase.STOPPING:
                seconds = child.program.stop_seconds
                commands += [Say(name, f"did not stop within {seconds:.0f} s."), Kill(name)]
        return commands + ([] if self._stopping else self._start_what_can(now))

    def stop(self, now: float) -> list[Command]:
        """The first call stops in reverse order, the second kills what is left."""
        if self._stopping:
            return [Kill(child.program.name) for child in self._children.values() if child.running]
        self._stopping = True
        for child in self._children.values():
            if not child.running or child.done:
                child.phase, child.deadline = Phase.STOPPED, None
        return self._stop_next(now)

    def _start_what_can(self, now: float) -> list[Command]:
        commands: list[Command] = []
        for name, child in self._children.items():
            if child.phase is Phase.WAITING and self._all_ready(child.program.after):
                child.phase = Phase.STARTING
                child.deadline = now + child.program.start_seconds
                commands.append(Spawn(name))
        return commands

    def _all_ready(self, names: Iterable[str]) -> bool:
        # Once ready is enough: when Valkey is being restarted, the others hold on by themselves.
        return all(self._children[name].was_ready for name in names)

    def _mark_ready(self, child: _Child, now: float) -> list[Command]:
        child.phase, child.deadline = Phase.READY, None
        child.was_ready, child.ready_at = True, now
        return self._start_what_can(now)

    def _failed(self, child: _Child, what: str, now: float) -> list[Command]:
        name, program = child.program.name, child.program
        if child.phase is Phase.READY and now - child.ready_at >= self._backoff.steady:
            child.failures = 0
        child.failures += 1
        given_up = program.tries and not child.was_ready and child.failures >= program.tries
        if given_up or program.once:
            child.phase, child.deadline = Phase.STOPPED, None
            self.failure = f"{name} {what} and could not be started; its last lines are above."
            return [Say(name, f"{what}."), *self.stop(now)]
        pause = self._backoff.pause(child.failures)
        child.phase, child.deadline = Phase.BACKOFF, now + pause
        return [Say(name, f"{what}; it is started again in {pause:.0f} s.")]

    def _stop_next(self, now: float) -> list[Command]:
        if any(child.phase is Phase.STOPPING for child in self._children.values()):
            return []
        for name, child in reversed(self._children.items()):
            if child.running:
                child.phase = Phase.STOPPING
                child.deadline = now + child.program.stop_seconds
                return [Terminate(name)]
        return []

    def _alive(self) -> Iterable[bool]:
        return (child.running for child in self._children.values())


def _ending(code: int) -> str:
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return f"exit code {code}"
