"""A sample by a live node under a grammar that nobody has saved."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from console.drafting.nodes import NodePool, node_pool
from inference.cluster.nodes import State
from tests.console.drafting.known_nodes import Known
from tests.console.drafting.writing_node import WritingNode
from tests.rules.editor.conftest import ACCEPTED, SUBJECT, banning, document, post

SAMPLE = "/rules/bench/sample/"


@pytest.fixture
def use(settings: Any) -> Iterator[Callable[[WritingNode], None]]:
    def choose(node: WritingNode) -> None:
        settings.NODES = [node.url]
        node_pool.cache_clear()

    yield choose
    node_pool.cache_clear()


def test_the_node_writes_under_the_unsaved_grammar(
    rule_author_client: Client, use: Callable[[WritingNode], None]
) -> None:
    with WritingNode([ACCEPTED]) as node:
        use(node)
        body = {"document": banning("螺钉"), "state": SUBJECT}
        written = post(rule_author_client, SAMPLE, body).json()
    assert written == {"text": ACCEPTED, "finished": True, "node": node.url}
    grammar = node.requests[0]["structured_outputs"]["grammar"]
    assert '"散" "热" "装" "置"' in grammar
    assert "螺钉" in grammar


def test_a_text_that_reaches_the_limit_is_said_to(
    rule_author_client: Client, use: Callable[[WritingNode], None]
) -> None:
    with WritingNode(["底座" * 200]) as node:
        use(node)
        body = {"document": document(), "state": SUBJECT}
        written = post(rule_author_client, SAMPLE, body).json()
    assert written["text"]
    assert not written["finished"]


@pytest.mark.parametrize(
    ("known", "sentence"), [([], "没有就绪的推理节点"), (["starting"], "正在加载模型")]
)
def test_where_no_node_is_ready_the_page_can_say_so(
    rule_author_client: Client,
    monkeypatch: pytest.MonkeyPatch,
    known: list[State],
    sentence: str,
) -> None:
    pool = NodePool(Known(known))
    monkeypatch.setattr("rules.sampling.node_pool", lambda: pool)
    body = {"document": document(), "state": SUBJECT}
    response = post(rule_author_client, SAMPLE, body)
    assert (response.status_code, response.json()["code"]) == (503, "no_node")
    assert sentence in response.json()["message"]


def test_a_node_that_is_gone_is_an_answer_and_no_crash(
    rule_author_client: Client, use: Callable[[WritingNode], None]
) -> None:
    with WritingNode([]) as node:
        pass
    use(node)
    body = {"document": document(), "state": SUBJECT}
    response = post(rule_author_client, SAMPLE, body)
    assert (response.status_code, response.json()["code"]) == (503, "node_refused")
