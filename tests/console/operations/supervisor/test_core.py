"""The supervisor's decisions: events in, commands out, without processes or a clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.operations.supervisor.core import (
    Backoff,
    Command,
    Kill,
    Phase,
    Program,
    Say,
    Spawn,
    Supervision,
    Terminate,
)


def done(commands: list[Command]) -> list[Command]:
    return [command for command in commands if not isinstance(command, Say)]


def said(commands: list[Command]) -> str:
    return " ".join(f"{c.name} {c.text}" for c in commands if isinstance(c, Say))


def three() -> Supervision:
    return Supervision(
        [Program("store"), Program("step", after=("store",), once=True), Program("web", ("step",))]
    )


def all_up() -> Supervision:
    machine = three()
    machine.start(0)
    machine.became_ready("store", 1)
    machine.exited("step", 0, 2)
    machine.became_ready("web", 3)
    assert machine.all_ready
    return machine


def test_a_program_waits_for_what_it_comes_after() -> None:
    machine = three()
    assert done(machine.start(0)) == [Spawn("store")]
    assert done(machine.became_ready("store", 1)) == [Spawn("step")]
    assert done(machine.exited("step", 0, 2)) == [Spawn("web")]
    assert not machine.all_ready
    machine.became_ready("web", 3)
    assert machine.all_ready


def test_a_crash_is_said_and_mended_after_a_pause() -> None:
    machine = all_up()
    commands = machine.exited("web", -9, 10)
    assert said(commands) == (
        "web stopped by itself (killed by SIGKILL); it is started again in 1 s."
    )
    assert machine.next_deadline == 11
    assert machine.tick(10.9) == []
    assert machine.tick(11) == [Spawn("web")]


def test_the_pause_doubles_up_to_its_limit_and_starts_anew_after_steady_work() -> None:
    machine = all_up()
    now, pauses = 10.0, []
    for _ in range(7):
        machine.exited("web", 1, now)
        assert machine.next_deadline is not None
        pauses.append(machine.next_deadline - now)
        now = machine.next_deadline
        machine.tick(now)
        machine.became_ready("web", now)
    assert pauses == [1, 2, 4, 8, 16, 30, 30]
    machine.exited("web", 1, now + 60)
    assert machine.next_deadline == now + 61


def test_others_keep_running_while_what_they_came_after_restarts() -> None:
    machine = all_up()
    commands = machine.exited("store", 1, 10)
    assert done(commands) == []
    assert machine.phase("web") is Phase.READY
    assert machine.tick(11) == [Spawn("store")]


def test_stopping_goes_backwards_one_at_a_time() -> None:
    machine = all_up()
    assert machine.stop(10) == [Terminate("web")]
    assert not machine.finished
    assert machine.exited("web", 0, 11) == [Terminate("store")]
    assert machine.exited("store", 0, 12) == []
    assert machine.finished
    assert machine.failure == ""


def test_what_does_not_stop_in_time_is_killed_and_said() -> None:
    machine = all_up()
    machine.stop(10)
    commands = machine.tick(20)
    assert done(commands) == [Kill("web")]
    assert "did not stop within 10 s" in said(commands)


def test_a_second_stop_kills_what_is_left() -> None:
    machine = all_up()
    machine.stop(10)
    assert machine.stop(11) == [Kill("store"), Kill("web")]


def test_stopping_in_the_middle_of_starting_leaves_nothing_behind() -> None:
    machine = three()
    machine.start(0)
    assert machine.stop(1) == [Terminate("store")]
    assert machine.exited("store", -15, 2) == []
    assert machine.finished


def test_nothing_is_started_again_while_stopping() -> None:
    machine = all_up()
    machine.exited("web", 1, 10)
    machine.stop(10.5)
    assert Spawn("web") not in machine.tick(11)


def test_who_ends_by_itself_while_others_stop_is_not_started_again() -> None:
    machine = all_up()
    machine.stop(10)
    assert machine.exited("store", 1, 11) == []
    assert machine.exited("web", 0, 12) == []
    assert machine.finished


def test_a_failed_step_stops_everything_with_a_reason() -> None:
    machine = three()
    machine.start(0)
    machine.became_ready("store", 1)
    assert done(machine.exited("step", 2, 2)) == [Terminate("store")]
    assert machine.failure.startswith("step stopped by itself (exit code 2)")
    machine.exited("store", 0, 3)
    assert machine.finished


def test_a_program_that_never_comes_up_ends_everything_after_its_tries() -> None:
    machine = Supervision([Program("store", tries=2)])
    machine.start(0)
    assert "started again in 1 s" in said(machine.exited("store", 1, 0))
    machine.tick(1)
    machine.exited("store", 1, 1)
    assert machine.finished
    assert "store" in machine.failure


def test_a_program_without_a_limit_of_tries_is_tried_for_ever() -> None:
    machine = Supervision([Program("node", tries=0)])
    machine.start(0)
    for turn in range(20):
        machine.exited("node", 1, turn * 100)
        assert machine.tick(turn * 100 + 30) == [Spawn("node")]


def test_a_program_that_hangs_while_starting_is_killed_and_tried_again() -> None:
    machine = Supervision([Program("store", start_seconds=5)])
    machine.start(0)
    assert done(machine.tick(5)) == [Kill("store")]
    machine.exited("store", -9, 5)
    assert machine.phase("store") is Phase.BACKOFF


def test_a_late_ready_of_a_dead_program_is_ignored() -> None:
    machine = all_up()
    machine.exited("web", 1, 10)
    assert machine.became_ready("web", 10) == []
    assert machine.phase("web") is Phase.BACKOFF


def test_an_order_that_names_a_stranger_is_refused() -> None:
    with pytest.raises(ValueError, match="nobody"):
        Supervision([Program("web", after=("nobody",))])


@given(st.lists(st.sampled_from(["ready", "crash", "end", "tick", "stop"]), max_size=60))
def test_whatever_happens_commands_fit_the_processes_that_exist(events: list[str]) -> None:
    """Never a second spawn of a running program, never a signal to one that does not run."""
    machine = Supervision(
        [Program("a"), Program("b", after=("a",), once=True), Program("c", after=("a",))],
        Backoff(first=1),
    )
    running: set[str] = set()
    now = 0.0

    def carry_out(commands: list[Command]) -> None:
        for command in commands:
            if isinstance(command, Spawn):
                assert command.name not in running
                running.add(command.name)
            elif isinstance(command, Terminate | Kill):
                assert command.name in running

    carry_out(machine.start(now))
    for event in events:
        now += 7
        if event == "tick":
            carry_out(machine.tick(now))
        elif event == "stop":
            carry_out(machine.stop(now))
        elif running:
            name = max(running)
            if event == "ready":
                carry_out(machine.became_ready(name, now))
            else:
                running.discard(name)
                carry_out(machine.exited(name, int(event == "crash"), now))
    if machine.finished:
        assert not running
