"""Questions about a pack document and their answers, as JSON-able values."""

import json
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from itertools import count
from typing import Any

from rules.compiler import (
    CompiledPack,
    PackError,
    State,
    StateError,
    compile_pack,
    state_from,
)
from rules.compiler.reasons import reason
from rules.compiler.verdict import GrammarError, judge
from rules.compiler.verify import PASSED, outcome_of, verify

Document = Mapping[str, Any]
_KEPT = 4
_compiled: OrderedDict[str, CompiledPack] = OrderedDict()


def check(document: Document) -> dict[str, Any]:
    """{"problems": [...], "ms"}: every problem that the compiler finds; none when it compiles."""
    started = time.monotonic()
    problems: list[dict[str, Any]] = []
    try:
        _compile(document)
    except PackError as error:
        problems = [dict(problem.as_dict()) for problem in error.problems]
    return {"problems": problems, "ms": round(1000 * (time.monotonic() - started))}


def judge_examples(document: Document, examples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """{"verdicts": [...]} in the order of the examples: kind, position, as_stated; where there is
    no verdict, kind is "error" with a sentence. Raises PackError."""
    pack = _compile(document)
    return {"verdicts": [_verdict(pack, document, example) for example in examples]}


def verify_examples(
    document: Document, examples: Sequence[Mapping[str, Any]], seconds: float
) -> dict[str, Any]:
    """{"failed": [{index, outcome, reason}], "checked"}: what the serving engine and lark say of as
    many of the first examples as `seconds` suffice for, but of one at least. Raises PackError."""
    pack = _compile(document)
    until = time.monotonic() + seconds
    judged = count()
    checked = verify(
        pack, examples, stopped=lambda: next(judged) > 0 and time.monotonic() > until
    ).checked
    failed = [
        {"index": one.number - 1, "outcome": one.outcome, "reason": one.reason}
        for one in checked
        if one.failed
    ]
    return {"failed": failed, "checked": len(checked)}


def explain_text(document: Document, state: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Where the text is refused, which row of the table stands there, which rules of the grammar
    were being written, and what could follow.

    Raises PackError, StateError, GrammarError.
    """
    return asdict(reason(_compile(document), state_of(document, state), text))


def grammar_of(document: Document, state: Mapping[str, Any]) -> dict[str, Any]:
    """The engine's grammar for that claim. Raises PackError, StateError."""
    return {"grammar": _compile(document).instantiate(state_of(document, state))}


QUESTIONS: dict[str, Callable[..., dict[str, Any]]] = {
    "check": check,
    "judge": judge_examples,
    "explain": explain_text,
    "grammar": grammar_of,
    "verify": verify_examples,
}


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to {"do": name, ...arguments}. A refusal is {"refused": {code, zh, en}}."""
    arguments = {name: value for name, value in question.items() if name != "do"}
    try:
        return QUESTIONS[question["do"]](**arguments)
    except PackError as error:
        return {"refused": {"code": error.code, "zh": error.problems[0].message_zh,
                            "en": error.problems[0].message_en}}  # fmt: skip
    except StateError as error:
        return {"refused": {"code": error.code, "zh": error.message_zh, "en": error.message_en}}
    except GrammarError as error:
        return {"refused": {"code": error.code, "zh": str(error), "en": str(error)}}


def state_of(document: Document, values: Mapping[str, Any]) -> State:
    """An example's state. Raises StateError when it has not the form of one."""
    try:
        return state_from(document["kind"], values)
    except (TypeError, AttributeError, KeyError) as error:
        raise StateError(
            "state", "示例的状态不完整。", "The example's state is not whole."
        ) from error


def _compile(document: Document) -> CompiledPack:
    """Examples do not change what is compiled: without them, adding one costs no compiling."""
    bare = {name: value for name, value in document.items() if name != "examples"}
    key = json.dumps(bare, ensure_ascii=False, sort_keys=True)
    if key not in _compiled:
        _compiled[key] = compile_pack(bare)
        while len(_compiled) > _KEPT:
            _compiled.popitem(last=False)
    _compiled.move_to_end(key)
    return _compiled[key]


def _verdict(pack: CompiledPack, document: Document, example: Mapping[str, Any]) -> dict[str, Any]:
    try:
        verdict = judge(pack.instantiate(state_of(document, example["state"])), example["text"])
    except StateError as error:
        return {"kind": "error", "as_stated": False, "zh": error.message_zh,
                "en": error.message_en}  # fmt: skip
    except GrammarError as error:
        return {"kind": "error", "as_stated": False, "zh": str(error), "en": str(error)}
    return {**asdict(verdict), "as_stated": outcome_of(example, verdict) in PASSED}
