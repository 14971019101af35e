import threading
from typing import Any

import pytest

from console.drafting import eventlog
from console.drafting.eventlog import (
    EventLog,
    FencedError,
    append_all,
    clear_control,
    controls,
    set_control,
)

pytestmark = pytest.mark.services


def event(seq: int, kind: str = "job.moved", **fields: Any) -> Any:
    return {"seq": seq, "kind": kind, "at": 0.0, "reason": "worker", **fields}


def test_events_are_read_in_order_from_any_place(valkey: Any) -> None:
    log = EventLog("j1")
    log.append([event(seq) for seq in range(1, 1_203)])
    assert [one["seq"] for one in log.read()] == list(range(1, 1_203))
    assert [one["seq"] for one in log.read(after=1_200)] == [1_201, 1_202]
    assert log.last_seq() == 1_202


def test_an_empty_log_is_empty(valkey: Any) -> None:
    assert EventLog("j1").read() == []
    assert EventLog("j1").last_seq() == 0


def test_of_two_writers_the_second_is_fenced(valkey: Any) -> None:
    first, second = EventLog("j1"), EventLog("j1")
    first.append([event(1)])
    second.append([event(2)])
    with pytest.raises(FencedError):
        first.append([event(2)])
    assert [one["seq"] for one in first.read()] == [1, 2]


def test_an_append_that_is_repeated_after_a_broken_connection_is_no_second_event(
    valkey: Any,
) -> None:
    log = EventLog("j1")
    log.append([event(1)])
    log.append([event(1)])
    assert len(log.read()) == 1


def test_a_reader_tells_what_it_wants(valkey: Any) -> None:
    set_control("j1", "stop")
    set_control("j3", "pause")
    assert controls(["j1", "j2", "j3"]) == ["stop", "", "pause"]
    clear_control("j1")
    assert controls(["j1"]) == [""]


def test_many_logs_are_written_in_one_round_trip_and_only_the_fenced_one_is_refused(
    valkey: Any,
) -> None:
    logs = [EventLog(f"j{number}") for number in range(3)]
    EventLog("j1").append([event(1)])
    fenced = append_all([(log, [event(1), event(2)]) for log in logs])
    assert fenced == [logs[1]]
    # Behind the refused event nothing was written: the other owner's log has no holes or doubles.
    assert [len(log.read()) for log in logs] == [2, 1, 2]


def test_a_batch_of_which_a_part_was_written_is_completed_by_its_repetition(valkey: Any) -> None:
    log = EventLog("j1")
    log.append([event(1), event(2)])
    log.append([event(2), event(3)])
    assert [one["seq"] for one in log.read()] == [1, 2, 3]


def test_waiting_ends_with_the_first_event(valkey: Any) -> None:
    log = EventLog("j1")
    writer = threading.Timer(0.05, lambda: EventLog("j1").append([event(1)]))
    writer.start()
    assert [one["seq"] for one in log.wait(0, 10)] == [1]
    writer.join()


def test_an_ended_job_keeps_its_log_for_a_week(valkey: Any) -> None:
    EventLog("j1").append([event(1)])
    assert valkey.ttl(eventlog.events_key("j1")) == -1
    EventLog("j1").append([event(2, "job.completed", done=1, failed=0)])
    assert 0 < valkey.ttl(eventlog.events_key("j1")) <= eventlog.KEEP_AFTER_END_SECONDS


def test_a_writer_waits_out_a_restart_of_valkey_and_loses_nothing(
    valkey: Any, valkey_server: Any
) -> None:
    log = EventLog("j1")
    log.append([event(1)])
    valkey_server.stop()
    again = threading.Timer(0.7, valkey_server.start)
    again.start()
    log.append([event(2)])
    again.join()
    assert [one["seq"] for one in log.read()] == [1, 2]


def test_the_next_free_number_is_taken_whoever_wrote_before(valkey: Any) -> None:
    EventLog("j1").append([event(1), event(2)])
    assert EventLog("j1").append_next("job.stopped")["seq"] == 3
