"""The client against a small real server that does what is scripted."""

import json
import os
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from inference.cluster.client import (
    Generation,
    GenerationRequest,
    NodeClient,
    NodeError,
    Piece,
    TimeLimits,
)
from inference.cluster.generation import BUFFERED_PIECES
from tests.support.ports import free_ports
from tests.support.scripted_node import DONE, ScriptedNode, error_event, event

GRAMMAR = "start: /一种[^。]+。/"


def request(**changes: Any) -> GenerationRequest:
    values: dict[str, Any] = {
        "prompt_ids": (2, 5, 6),
        "resume_tokens": 0,
        "grammar": GRAMMAR,
        "max_tokens": 50,
        "temperature": 0.0,
        "top_p": 1.0,
        "seed": None,
        "request_id": "r1",
    }
    return GenerationRequest(**(values | changes))


def read_all(generation: Generation) -> list[Piece]:
    pieces: list[Piece] = []
    while not generation.finished:
        pieces += generation.read(10.0)
    return pieces


def error_of(generation: Generation) -> NodeError:
    with pytest.raises(NodeError) as caught:
        read_all(generation)
    return caught.value


@pytest.fixture
def node() -> Iterator[ScriptedNode]:
    with ScriptedNode() as running:
        yield running


def test_a_stream_comes_out_as_pieces_with_its_finish_reason(node: ScriptedNode) -> None:
    node.script = [event("一种", [11]), 0.02, event("锅炉。", [12, 13], "stop"), DONE]
    generation = NodeClient(node.url).generate(request())
    assert read_all(generation) == [Piece("一种", (11,)), Piece("锅炉。", (12, 13))]
    assert generation.finish_reason == "stop"
    assert generation.read(0.0) == []


def test_the_request_says_everything_that_the_node_needs(node: ScriptedNode) -> None:
    node.script = [event("。", [1], "length"), DONE]
    asked = request(resume_tokens=2, seed=7, temperature=0.5, top_p=0.9)
    generation = NodeClient(node.url + "/").generate(asked)
    read_all(generation)
    assert generation.finish_reason == "length"
    assert node.requests == [
        {
            "prompt": [2, 5, 6],
            "add_special_tokens": False,
            "max_tokens": 50,
            "temperature": 0.5,
            "top_p": 0.9,
            "request_id": "r1",
            "stream": True,
            "return_token_ids": True,
            "seed": 7,
            "structured_outputs": {"grammar": GRAMMAR},
            "vllm_xargs": {"resume_tokens": 2},
        }
    ]


def test_a_free_request_from_the_start_sends_neither_grammar_nor_resumption() -> None:
    body = request(grammar=None).body()
    assert not {"structured_outputs", "vllm_xargs", "seed"} & set(body)


def test_a_character_split_over_events_and_bytes_arrives_whole() -> None:
    with ScriptedNode(partial={1: b"\xe9", 2: b"\x94", 3: b"\x85"}) as node:
        raw = event("锅", [3])
        node.script = [
            event("种", [9, 1]),
            event("", [2]),
            raw[:60],
            0.02,
            raw[60:],
            event("", [4], "stop"),
            DONE,
        ]
        pieces = read_all(NodeClient(node.url).generate(request()))
    assert pieces == [Piece("种", (9,)), Piece("锅", (1, 2, 3)), Piece("", (4,))]


def test_after_a_failure_the_node_is_asked_anew_for_its_tokens(node: ScriptedNode) -> None:
    client = NodeClient(node.url)
    node.script = [event("一", [1]), "cut"]
    assert error_of(client.generate(request())).code == "stream_broken"
    node.partial = {"1": "e9", "2": "94", "3": "85"}
    node.script = [event("种", [9, 1]), event("锅", [2, 3], "stop"), DONE]
    assert read_all(client.generate(request())) == [Piece("种", (9,)), Piece("锅", (1, 2, 3))]


def test_reading_waits_no_longer_than_it_was_told(node: ScriptedNode) -> None:
    node.script = [5.0, event("。", [1], "stop"), DONE]
    generation = NodeClient(node.url).generate(request())
    assert generation.read(0.05) == []
    assert not generation.finished
    assert generation.finish_reason is None
    generation.cancel()


def test_a_reader_that_lets_pieces_settle_gets_several_at_once(node: ScriptedNode) -> None:
    node.script = [*[event("一", [1]), 0.01] * 20, event("。", [2], "stop"), DONE]
    generation = NodeClient(node.url).generate(request())
    reads = []
    while not generation.finished:
        reads.append(generation.read(10.0, settle=0.1))
    assert sum(len(pieces) for pieces in reads) == 21
    assert len(reads) < 10


def test_a_stream_that_ends_is_not_waited_for(node: ScriptedNode) -> None:
    node.script = [event("一", [1]), 0.2, event("。", [2], "stop"), DONE]
    generation = NodeClient(node.url).generate(request())
    reader = threading.Thread(target=generation.read, args=(10.0,), kwargs={"settle": 3600.0})
    reader.start()
    reader.join(20)
    assert not reader.is_alive()
    assert generation.finished


def test_cancelling_closes_the_stream_and_ends_the_generation(node: ScriptedNode) -> None:
    node.script = [event("一", [1]), *[event("种", [2]), 0.05] * 200]
    generation = NodeClient(node.url).generate(request())
    assert generation.read(5.0)
    generation.cancel()
    assert node.closed_by_reader.wait(2.0)
    generation.read(0.0)
    assert generation.finished
    assert generation.finish_reason is None


def test_cancelling_before_the_answer_and_twice_is_harmless(node: ScriptedNode) -> None:
    node.script = [3.0, DONE]
    generation = NodeClient(node.url).generate(request())
    generation.cancel()
    generation.cancel()
    assert generation.finished


def test_cancelling_wakes_a_reader_in_another_thread(node: ScriptedNode) -> None:
    node.script = [30.0]
    generation = NodeClient(node.url).generate(request())
    threading.Timer(0.1, generation.cancel).start()
    assert generation.read(20.0) == []
    assert generation.finished


def test_nobody_listening_is_told_as_such() -> None:
    client = NodeClient(f"http://127.0.0.1:{free_ports(1)[0]}")
    assert error_of(client.generate(request())).code == "node_unreachable"
    with pytest.raises(NodeError, match="does not answer"):
        client.tokenize("一")
    assert not client.healthy()


def test_a_node_that_is_not_there_gives_up_within_the_connect_time() -> None:
    # TEST-NET-1: packets to it vanish or are refused at once, never answered.
    client = NodeClient("http://192.0.2.1:8100")
    assert error_of(client.generate(request())).code == "node_unreachable"


@pytest.mark.parametrize(
    ("status", "message", "code"),
    [
        (503, "queue full", "overloaded"),
        (429, "too many", "overloaded"),
        (400, "Grammar error: at 1(8)", "node_refused_grammar"),
        (400, "structured_outputs.grammar cannot be an empty string", "node_refused_grammar"),
        (400, "maximum context length is 4096", "prompt_too_long"),
        (400, "something else", "node_error"),
        (500, "boom", "node_error"),
        (404, "not json", "node_error"),
    ],
)
def test_a_refusal_has_the_same_code_before_and_inside_the_stream(
    node: ScriptedNode, status: int, message: str, code: str
) -> None:
    node.answer = (status, json.dumps({"error": {"message": message}}))
    error = error_of(NodeClient(node.url).generate(request()))
    assert error.code == code
    if status != 500:
        node.answer, node.script = None, [error_event(message, status), DONE]
        assert error_of(NodeClient(node.url).generate(request())).code == code


def test_an_error_page_that_is_no_json_is_still_an_error(node: ScriptedNode) -> None:
    node.answer = (502, "<html>bad gateway</html>")
    assert error_of(NodeClient(node.url).generate(request())).code == "node_error"


def test_what_the_node_said_is_kept_apart_from_the_message(node: ScriptedNode) -> None:
    node.script = [error_event('Grammar error: 1 | start: "客户的秘密"', 400), DONE]
    error = error_of(NodeClient(node.url).generate(request()))
    assert "客户的秘密" not in str(error)
    assert "客户的秘密" in error.detail


def test_a_request_given_up_before_its_first_token_was_refused_by_its_grammar(
    node: ScriptedNode,
) -> None:
    node.script = [error_event("Internal server error", 500), DONE]
    client = NodeClient(node.url)
    assert error_of(client.generate(request())).code == "node_refused_grammar"
    resumed = error_of(client.generate(request(resume_tokens=1)))
    assert resumed.code == "node_refused_grammar"
    assert "resumed" in str(resumed)
    assert error_of(client.generate(request(grammar=None))).code == "node_error"


def test_a_token_refused_after_sampling_ends_the_text_with_reason_error(node: ScriptedNode) -> None:
    node.script = [event("一种", [1]), error_event("Internal server error", 500), DONE]
    generation = NodeClient(node.url).generate(request())
    assert read_all(generation) == [Piece("一种", (1,))]
    assert generation.finish_reason == "error"


@pytest.mark.parametrize(
    "ending",
    [
        ["cut"],
        [],
        [DONE],
        [b"data: {broken\n\n"],
        [error_event("EngineCore encountered an issue", 500), DONE],
        [event("", [], "abort"), DONE],
    ],
    ids=["cut", "end of file", "done too early", "not json", "engine died", "aborted"],
)
def test_a_stream_that_breaks_gives_what_came_and_then_says_so(
    node: ScriptedNode, ending: list[bytes | str]
) -> None:
    node.script = [event("一种", [1]), 0.05, *ending]
    generation = NodeClient(node.url).generate(request())
    assert generation.read(5.0) == [Piece("一种", (1,))]
    assert error_of(generation).code == "stream_broken"
    assert error_of(generation).code == "stream_broken", "it is said again at each read"
    assert generation.finish_reason is None
    assert not generation.finished


def test_a_silent_stream_breaks_after_the_time_limit(node: ScriptedNode) -> None:
    node.script = [event("一种", [1]), 30.0]
    client = NodeClient(node.url, limits=TimeLimits(first_event=5.0, next_event=0.2))
    generation = client.generate(request())
    error = error_of(generation)
    assert error.code == "stream_broken"
    assert "sent nothing for 0.2 s" in str(error)
    assert node.closed_by_reader.wait(2.0)


def test_the_first_event_has_a_limit_of_its_own(node: ScriptedNode) -> None:
    node.script = [30.0]
    client = NodeClient(node.url, limits=TimeLimits(first_event=0.2, next_event=5.0))
    assert error_of(client.generate(request())).code == "stream_broken"


def test_a_lively_stream_outlasts_its_time_limit(node: ScriptedNode) -> None:
    node.script = [*[event("一", [1]), 0.05] * 12, event("。", [2], "stop"), DONE]
    client = NodeClient(node.url, limits=TimeLimits(first_event=5.0, next_event=0.3))
    assert len(read_all(client.generate(request()))) == 13


def test_a_reader_that_sleeps_makes_the_stream_wait(node: ScriptedNode) -> None:
    total = 40 * BUFFERED_PIECES
    node.script = [*[event("一" * 100, [1])] * total, event("", [2], "stop"), DONE]
    generation = NodeClient(node.url).generate(request())
    before = -1
    while node.sent != before:
        before = node.sent
        time.sleep(0.3)
    assert node.sent < total, "the sender is held up while nobody reads"
    assert sum(len(piece.token_ids) for piece in read_all(generation)) == total + 1


def test_many_streams_at_once_do_not_mix(node: ScriptedNode) -> None:
    node.script = [*[event("一", [1]), event("种", [2])] * 50, event("。", [3], "stop"), DONE]
    client = NodeClient(node.url)
    generations = [client.generate(request(request_id=f"r{n}")) for n in range(32)]
    texts = {"".join(piece.text for piece in read_all(each)) for each in generations}
    assert texts == {"一种" * 50 + "。"}
    assert {body["request_id"] for body in node.requests} == {f"r{n}" for n in range(32)}


def test_a_proxy_in_the_environment_is_not_used(
    node: ScriptedNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{free_ports(1)[0]}")
    node.script = [event("。", [1], "stop"), DONE]
    client = NodeClient(node.url)
    assert read_all(client.generate(request())) == [Piece("。", (1,))]
    assert client.tokenize("a") == [2, ord("a")]


def test_a_forked_child_has_a_network_of_its_own(node: ScriptedNode) -> None:
    node.script = [event("。", [1], "stop"), DONE]
    client = NodeClient(node.url)
    read_all(client.generate(request()))
    child = os.fork()
    if child == 0:
        pieces = read_all(NodeClient(node.url).generate(request()))
        os._exit(0 if pieces == [Piece("。", (1,))] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_running_requests_counts_computing_and_waiting_ones(node: ScriptedNode) -> None:
    node.metrics = (
        "# HELP vllm:num_requests_running x\n"
        'vllm:num_requests_running{engine="0",model_name="m"} 3.0\n'
        'vllm:num_requests_running{engine="1",model_name="m"} 1.0\n'
        'vllm:num_requests_waiting{engine="0",model_name="m"} 2.0\n'
        'vllm:num_requests_waiting_by_reason{engine="0",reason="capacity"} 2.0\n'
        'vllm:kv_cache_usage_perc{engine="0"} 0.25\n'
    )
    client = NodeClient(node.url)
    assert client.running_requests() == 6
    assert client.load() == {"running": 4.0, "waiting": 2.0, "kv_use": 0.25}
