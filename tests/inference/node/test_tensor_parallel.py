"""The model split over two ranks on the cores of one machine."""

from collections.abc import Iterator

import pytest

from inference.cluster.client import GenerationRequest, NodeClient
from tests.support.node import LiveNode, stop_shared

pytestmark = [pytest.mark.node, pytest.mark.own_node]


@pytest.fixture
def split_node() -> Iterator[LiveNode]:
    stop_shared()
    node = LiveNode("gemma3-270m-cn-tp2")
    node.start()
    yield node
    node.stop()
    node.log.unlink()


def test_a_model_in_two_parts_answers_under_a_grammar_and_stops_when_told(
    split_node: LiveNode,
) -> None:
    client = NodeClient(split_node.url)
    generation = client.generate(
        GenerationRequest(
            prompt_ids=tuple(client.tokenize("发明名称：一种支架\n权利要求书：\n1.")),
            resume_tokens=0,
            grammar=r"start: /一种支架，其特征在于，[^。\n]+。/",
            max_tokens=24,
            temperature=0.0,
            top_p=1.0,
            seed=None,
            request_id="split",
        )
    )
    pieces = []
    while not generation.finished:
        pieces += generation.read(60.0)
    assert "".join(piece.text for piece in pieces).startswith("一种支架，其特征在于，")
    assert "world_size=2" in split_node.written()
    assert split_node.stop() == 0
    assert not client.healthy()
