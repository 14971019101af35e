"""A real vLLM node: constrained streams, resuming in the middle, cancelling, and bad grammars."""

import threading
import time
from pathlib import Path
from typing import Any

import llguidance
import pytest

from inference.cluster.client import Generation, GenerationRequest, NodeClient, NodeError, Piece
from inference.node.plugin import LARGEST_GRAMMAR
from tests.support.waiting import until

pytestmark = pytest.mark.node

PROMPT = (
    "发明名称：一种多层复合膜\n技术交底：本发明公开一种多层复合膜，包括基材层、粘接层和阻隔层，"
    "粘接层位于基材层与阻隔层之间，阻隔层为氧化铝，基材层的厚度为20μm。\n权利要求书：\n1."
)
# A claim as the product constrains it: a fixed start, free text without some words, one full stop.
GRAMMAR = r"""
start: "一种多层复合膜，其特征在于，" BODY
BODY: /[^。\n]+。/ & ~/(?s:.*)(优选|最好|大约)(?s:.*)/
"""


@pytest.fixture
def client(live_node: str) -> NodeClient:
    return NodeClient(live_node)


def generate(client: NodeClient, **changes: Any) -> Generation:
    values: dict[str, Any] = {
        "prompt_ids": tuple(client.tokenize(PROMPT)),
        "resume_tokens": 0,
        "grammar": GRAMMAR,
        "max_tokens": 80,
        "temperature": 0.0,
        "top_p": 1.0,
        "seed": None,
        "request_id": f"test-{time.monotonic_ns()}",
    }
    return client.generate(GenerationRequest(**(values | changes)))


def read_all(generation: Generation) -> list[Piece]:
    pieces: list[Piece] = []
    while not generation.finished:
        pieces += generation.read(60.0)
    return pieces


def ids_of(pieces: list[Piece]) -> tuple[int, ...]:
    return tuple(token_id for piece in pieces for token_id in piece.token_ids)


def text_of(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def accepted_so_far(grammar: str, text: str) -> bool:
    """Judged by llguidance itself, byte by byte, apart from any node."""
    matcher = llguidance.LLMatcher(
        llguidance.LLTokenizer("byte"), llguidance.grammar_from("grammar", grammar), log_level=0
    )
    return bool(matcher.consume_tokens(list(text.encode())))


def still_serves(client: NodeClient) -> bool:
    pieces = read_all(generate(client, max_tokens=8))
    return text_of(pieces).startswith("一种多层复合膜")


def test_a_constrained_stream_obeys_its_grammar(client: NodeClient) -> None:
    generation = generate(client)
    text = text_of(read_all(generation))
    assert text.startswith("一种多层复合膜，其特征在于，")
    assert accepted_so_far(GRAMMAR, text)
    assert (generation.finish_reason == "stop") == text.endswith("。")


def test_a_stream_that_reaches_its_limit_says_so(client: NodeClient) -> None:
    generation = generate(client, max_tokens=5)
    assert len(ids_of(read_all(generation))) == 5
    assert generation.finish_reason == "length"


def test_pieces_and_tokens_end_together(client: NodeClient) -> None:
    # Characters outside the vocabulary arrive as single bytes: here they are all there is.
    odd = 'start: "锅𠮷😀𠮷，" /[一二三]{3}/ "𓀀。"'
    pieces = read_all(generate(client, grammar=odd))
    text = text_of(pieces)
    assert text.startswith("锅𠮷😀𠮷，")
    assert text.endswith("𓀀。")
    assert len(ids_of(pieces)) > len(text), "some characters took several tokens"
    for piece in pieces:
        assert "\ufffd" not in piece.text
        assert piece.text or piece is pieces[-1]
    for count in range(1, len(pieces)):
        delivered = ids_of(pieces[:count])
        resumed = generate(
            client,
            grammar=odd,
            prompt_ids=(*client.tokenize(PROMPT), *delivered),
            resume_tokens=len(delivered),
            max_tokens=len(pieces[count].token_ids),
        )
        assert text_of(read_all(resumed)) == pieces[count].text


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_resumed_request_goes_on_token_for_token(client: NodeClient, share: float) -> None:
    whole = ids_of(read_all(generate(client)))
    done = max(1, int(len(whole) * share))
    resumed = generate(
        client,
        prompt_ids=(*client.tokenize(PROMPT), *whole[:done]),
        resume_tokens=done,
        max_tokens=80 - done,
    )
    assert ids_of(read_all(resumed)) == whole[done:]


def test_without_the_replay_the_text_would_start_anew(client: NodeClient) -> None:
    whole = ids_of(read_all(generate(client)))
    prompt = (*client.tokenize(PROMPT), *whole[:30])
    pieces = read_all(generate(client, prompt_ids=prompt, max_tokens=20))
    assert text_of(pieces).startswith("一种多层复合膜")


def test_a_text_that_was_complete_resumes_to_nothing(client: NodeClient) -> None:
    begun = tuple(client.tokenize("一种多层复合膜，其特征在于，包括基材层。")[1:])
    prompt = (*client.tokenize(PROMPT), *begun)
    generation = generate(client, prompt_ids=prompt, resume_tokens=len(begun))
    assert text_of(read_all(generation)) == ""
    assert generation.finish_reason == "stop"


def test_sampling_with_a_temperature_obeys_the_grammar_and_does_not_disturb_others(
    client: NodeClient,
) -> None:
    sampled = [
        generate(client, temperature=0.9, top_p=0.95, seed=seed, max_tokens=60) for seed in range(4)
    ]
    free = generate(client, temperature=0.9, grammar=None, max_tokens=100)
    greedy = [generate(client, max_tokens=30) for _ in range(4)]
    texts = [text_of(read_all(generation)) for generation in (*sampled, *greedy)]
    assert all(text.startswith("一种多层复合膜，其特征在于，") for text in texts)
    assert all(accepted_so_far(GRAMMAR, text) for text in texts)
    assert len(set(texts[:4])) > 1, "a temperature makes texts differ"
    assert {generation.finish_reason for generation in (*sampled, *greedy)} <= {"stop", "length"}
    read_all(free)


def test_the_same_seed_samples_the_same_text(client: NodeClient) -> None:
    texts = [
        text_of(read_all(generate(client, temperature=0.8, seed=seed, max_tokens=40)))
        for seed in (7, 7, 8)
    ]
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]


def test_seeded_requests_whose_prompts_are_read_in_parts_keep_their_seed(
    client: NodeClient,
) -> None:
    # Together longer than the engine reads in one step, so that some prompts are cut.
    longer = tuple(client.tokenize(PROMPT)) * 15

    def sampled(count: int) -> set[str]:
        generations = [
            generate(client, prompt_ids=longer, temperature=0.9, seed=3, max_tokens=12)
            for _ in range(count)
        ]
        return {text_of(read_all(generation)) for generation in generations}

    assert sampled(4) == sampled(1)


def test_cancelling_frees_the_node_within_a_second(client: NodeClient) -> None:
    until(lambda: client.running_requests() == 0)
    generations = [generate(client, grammar=None, max_tokens=3000) for _ in range(4)]
    for generation in generations:
        assert generation.read(60.0)
    assert client.running_requests() == 4
    for generation in generations:
        generation.cancel()
    until(lambda: client.running_requests() == 0, seconds=1.0)


@pytest.mark.parametrize(
    "grammar",
    [
        "start: /[/",
        "start: nowhere",
        " ",
        "%%%",
        "start: X\nX: /(.*a.{200}){5}/ & /(.*b.{200}){5}/",
        "start: " + " | ".join(f'"词{n}"' for n in range(LARGEST_GRAMMAR // 6)),
        "start: " + " | ".join(f'"秘密装置{n}号"' for n in range(7000)),
    ],
    ids=["syntax", "undefined", "empty", "junk", "too complex", "too large", "just too large"],
)
def test_a_bad_grammar_fails_its_own_request_only(client: NodeClient, grammar: str) -> None:
    beside = generate(client)
    with pytest.raises(NodeError) as caught:
        read_all(generate(client, grammar=grammar))
    assert caught.value.code == "node_refused_grammar"
    assert text_of(read_all(beside)).startswith("一种多层复合膜")
    assert still_serves(client)


@pytest.mark.parametrize(
    "begun", ["别的", "一种多层复合膜，其特征在于，最好", "一种多层复合膜，其特征在于，包括层。再"]
)
def test_tokens_that_the_grammar_does_not_accept_are_not_resumed(
    client: NodeClient, begun: str
) -> None:
    tokens = tuple(client.tokenize(begun)[1:])
    prompt = (*client.tokenize(PROMPT), *tokens)
    with pytest.raises(NodeError, match="resumed tokens") as caught:
        read_all(generate(client, prompt_ids=prompt, resume_tokens=len(tokens)))
    assert caught.value.code == "node_refused_grammar"
    assert still_serves(client)


@pytest.mark.parametrize("count", [-1, 100_000])
def test_an_impossible_number_of_resumed_tokens_is_refused(client: NodeClient, count: int) -> None:
    with pytest.raises(NodeError) as caught:
        read_all(generate(client, resume_tokens=count))
    assert caught.value.code == "node_refused_grammar"
    assert still_serves(client)


def test_a_prompt_beyond_the_context_is_told_as_such(client: NodeClient) -> None:
    with pytest.raises(NodeError) as caught:
        read_all(generate(client, prompt_ids=tuple(client.tokenize(PROMPT)) * 100))
    assert caught.value.code == "prompt_too_long"


def test_many_streams_at_once_each_obey_their_own_grammar(client: NodeClient) -> None:
    subjects = [
        f"一种{name}" for name in ("锅炉", "支架", "阀门", "电池", "涂料", "泵体", "轴承", "刀具")
    ]
    texts: dict[str, str] = {}

    def run(subject: str) -> None:
        grammar = f'start: "{subject}，其特征在于，" /[^。\\n]+。/'
        texts[subject] = text_of(read_all(generate(client, grammar=grammar, max_tokens=40)))

    threads = [threading.Thread(target=run, args=(subject,)) for subject in subjects]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(texts[subject].startswith(f"{subject}，其特征在于，") for subject in subjects)


def test_the_log_holds_nothing_of_what_clients_wrote(client: NodeClient, live_log: Path) -> None:
    secret = "绝密零件甲"
    prompt = (*client.tokenize(PROMPT), *client.tokenize(secret)[1:])
    read_all(generate(client, prompt_ids=prompt, grammar=f'start: "{secret}" /[^。]+。/'))
    for grammar in (f'start: "{secret}" /[/', f'start: "{secret}" nowhere'):
        with pytest.raises(NodeError):
            read_all(generate(client, prompt_ids=prompt, grammar=grammar))
    with pytest.raises(NodeError):
        read_all(
            generate(client, prompt_ids=prompt, resume_tokens=2, grammar=f'start: "乙" "{secret}"')
        )
    written = live_log.read_text(errors="replace")
    assert "ends with an error" in written, "this is the log of the node that was asked"
    assert secret not in written
