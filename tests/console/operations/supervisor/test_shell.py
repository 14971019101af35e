"""The supervisor with real child processes: small Python programs that misbehave on purpose."""

import asyncio
import io
import os
import signal
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

from console.operations.supervisor.core import Backoff, Program
from console.operations.supervisor.output import Stream
from console.operations.supervisor.probes import Probe
from console.operations.supervisor.shell import SAME_SIGNAL_SECONDS, Milestone, Service, Shell

QUICK = Backoff(first=0.05, longest=0.2, steady=60)
WORKS = """
    import signal, sys
    signal.signal(15, lambda *_: sys.exit(0))
    print("up", flush=True)
    signal.pause()
"""
STUBBORN = """
    import signal
    signal.signal(15, signal.SIG_IGN)
    print("up", flush=True)
    while True: signal.pause()
"""
PATIENCE_SECONDS = 30.0


class Run:
    """A supervisor over `services`; `said` is what it has printed so far."""

    def __init__(self, services: Sequence[Service], milestones: Sequence[Milestone] = ()) -> None:
        self._out = io.StringIO()
        stream = Stream([service.program.name for service in services], self._out)
        self._shell = Shell(services, stream, milestones, folder=Path.cwd(), backoff=QUICK)

    @property
    def said(self) -> str:
        return self._out.getvalue()

    async def __aenter__(self) -> "Run":
        self._task = asyncio.create_task(self._shell.run())
        return self

    async def __aexit__(self, *exc: object) -> None:
        while not self._task.done():
            self.interrupt()
            await asyncio.wait([self._task], timeout=0.2)

    def interrupt(self) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    async def until(self, happened: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not happened():  # noqa: ASYNC110 - output of other processes
                await asyncio.sleep(0.02)

    async def code(self) -> int:
        return await asyncio.wait_for(asyncio.shield(self._task), PATIENCE_SECONDS)


def file_probe(file: Path) -> Probe:
    async def exists() -> bool:
        return file.exists()  # noqa: ASYNC240

    return exists


async def always() -> bool:
    return True


def service(name: str, code: str, probe: Probe | None = always, **settings: object) -> Service:
    program = Program(name, **settings)  # type: ignore[arg-type]
    return Service(program, [sys.executable, "-c", textwrap.dedent(code)], probe)


async def test_programs_start_in_order_and_stop_in_reverse(tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = """
        import signal, sys
        def note(what):
            with open({log!r}, "a") as out: print({name!r}, what, file=out)
        def stop(*_): note("stopped"); sys.exit(0)
        signal.signal(15, stop)
        note("started")
        open({flag!r}, "w").close()
        signal.pause()
    """
    services = []
    for name, after in [("a", ()), ("b", ("a",)), ("c", ("b",))]:
        flag = tmp_path / name
        code = script.format(log=str(log), name=name, flag=str(flag))
        services.append(service(name, code, file_probe(flag), after=after))
    reached: list[str] = []
    milestone = Milestone(frozenset("abc"), lambda: reached.append("all"))
    async with Run(services, [milestone]) as run:
        await run.until(lambda: bool(reached))
        run.interrupt()
        assert await run.code() == 0
    assert log.read_text().split("\n")[:6] == [
        *("a started", "b started", "c started"),
        *("c stopped", "b stopped", "a stopped"),
    ]
    assert reached == ["all"]


async def test_a_crashed_program_is_restarted_and_said_so(tmp_path: Path) -> None:
    count = tmp_path / "count"
    code = f"""
        import os, signal
        with open({str(count)!r}, "a") as out: out.write("x")
        if os.path.getsize({str(count)!r}) < 3: os.kill(os.getpid(), signal.SIGKILL)
        print("now it works", flush=True)
        signal.pause()
    """
    async with Run([service("web", code, tries=0)]) as run:
        await run.until(lambda: "now it works" in run.said)
    assert count.read_text() == "xxx"
    assert run.said.count("stopped by itself (killed by SIGKILL); it is started again") == 2


async def test_the_output_of_all_is_one_stream_with_names(tmp_path: Path) -> None:
    talker = """
        import signal, sys
        print("out", flush=True)
        print("err", file=sys.stderr, flush=True)
        signal.pause()
    """
    services = [
        service("a", talker),
        service("longer", "print('你好', flush=True)" + "\nimport signal; signal.pause()"),
    ]
    async with Run(services) as run:
        await run.until(lambda: all(text in run.said for text in ("out", "err", "你好")))
    assert "a           | out" in run.said.splitlines()
    assert "longer      | 你好" in run.said.splitlines()


async def test_a_program_that_ignores_the_stop_is_killed_in_time() -> None:
    async with Run([service("node", STUBBORN, stop_seconds=0.3)]) as run:
        await run.until(lambda: "up" in run.said)
        run.interrupt()
        assert await run.code() == 0
    assert "node did not stop within" in run.said


async def test_a_second_interrupt_kills_at_once() -> None:
    async with Run([service("node", STUBBORN, stop_seconds=3600)]) as run:
        await run.until(lambda: "up" in run.said)
        run.interrupt()
        run.interrupt()
        await run.until(lambda: "Stopping." in run.said)
        await asyncio.sleep(SAME_SIGNAL_SECONDS)
        assert "Killing." not in run.said, "two signals of one key press are one"
        run.interrupt()
        assert await run.code() == 0
    assert "Killing." in run.said


async def test_what_a_dead_child_has_left_running_is_ended_too(tmp_path: Path) -> None:
    code = """
        import subprocess, sys
        child = subprocess.Popen(["sleep", "3600"])
        print("grandchild", child.pid, flush=True)
    """
    async with Run([service("node", code, probe=None, tries=1)]) as run:
        assert await run.code() == 1
        pid = int(run.said.split("grandchild ")[1].split()[0])
        await run.until(lambda: _state(pid) in {"gone", "Z"})


async def test_a_failed_step_ends_everything_with_its_last_words() -> None:
    step = service(
        "prepare", "print('no disk'); raise SystemExit(3)", None, after=("store",), once=True
    )
    async with Run([service("store", WORKS), step]) as run:
        assert await run.code() == 1
    assert "no disk" in run.said
    assert "prepare stopped by itself (exit code 3) and could not be started" in run.said


async def test_a_program_that_is_not_there_is_a_sentence() -> None:
    missing = Service(Program("etcd", tries=1), ["/nonexistent/etcd"], always)
    async with Run([missing]) as run:
        assert await run.code() == 1
    assert "/nonexistent/etcd cannot be run: No such file or directory." in run.said


async def test_a_milestone_that_fails_is_said_and_takes_nothing_down() -> None:
    def fail() -> None:
        raise RuntimeError("no database")

    async with Run([service("web", WORKS)], [Milestone(frozenset({"web"}), fail)]) as run:
        await run.until(lambda: "RuntimeError: no database" in run.said)
        run.interrupt()
        assert await run.code() == 0


def test_a_killed_supervisor_leaves_no_orphans(tmp_path: Path) -> None:
    import subprocess
    import time

    script = f"""
        import asyncio, sys
        from pathlib import Path
        from console.operations.supervisor.core import Program
        from console.operations.supervisor.output import Stream
        from console.operations.supervisor.shell import Service, Shell
        async def always(): return True
        code = "import os, signal; print('pid', os.getpid(), flush=True); signal.pause()"
        services = [Service(Program("web"), [sys.executable, "-c", code], always)]
        asyncio.run(Shell(services, Stream(["web"]), folder=Path({str(tmp_path)!r})).run())
    """
    supervisor = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True
    )
    assert supervisor.stdout is not None
    line = next(line for line in supervisor.stdout if "pid" in line)
    pid = int(line.split("pid ")[1])
    supervisor.kill()
    supervisor.wait()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while _state(pid) not in {"gone", "Z"}:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "gone"
