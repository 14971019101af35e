"""One claim by the live model under a grammar that nobody has saved yet."""

import time
import uuid
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from console.drafting.nodes import node_pool
from inference.cluster.client import GenerationRequest, NodeError
from inference.prompting import claim_prompt
from rules.errors import RulesError

MAX_TOKENS = 160
SECONDS = 60.0
_POLL_SECONDS = 0.5


def sample_text(grammar: str, state: Mapping[str, Any]) -> dict[str, Any]:
    """{"text", "finished", "node"}. What has come after SECONDS is what there is.

    Raises RulesError: no_node, node_refused.
    """
    pool = node_pool()
    node = pool.choose("rules-sample")
    if node is None:
        sentence = (
            _("推理节点正在加载模型，请稍后再试写。")
            if pool.loading
            else _("没有就绪的推理节点，现在不能试写。请启动节点后再试。")
        )
        raise RulesError("no_node", sentence, status=503)
    try:
        generation = node.generate(
            GenerationRequest(
                prompt_ids=tuple(node.tokenize(_prompt(state))),
                resume_tokens=0,
                grammar=grammar,
                max_tokens=MAX_TOKENS,
                temperature=0.8,
                top_p=0.95,
                seed=None,
                request_id=f"sample-{uuid.uuid4().hex}",
            )
        )
        text, until = "", time.monotonic() + SECONDS
        while not generation.finished and time.monotonic() < until:
            text += "".join(piece.text for piece in generation.read(_POLL_SECONDS))
        generation.cancel()
    except NodeError as error:
        raise RulesError(
            "node_refused",
            _("节点没有完成试写：%(reason)s") % {"reason": str(error)},
            status=503,
        ) from error
    return {"text": text, "finished": text.endswith("。"), "node": node.base_url}


def _prompt(state: Mapping[str, Any]) -> str:
    """Earlier claims about the state's subjects, so that the model has something to restate."""
    subject = str(state.get("subject") or "装置")
    earlier = [
        f"一种{claim.get('subject', subject)}，其特征在于，包括本体和连接于所述本体的支架。"
        for claim in state.get("citable", ())
    ]
    number = int(state.get("number", 1))
    return claim_prompt(subject, "", earlier[: number - 1], number=number)
