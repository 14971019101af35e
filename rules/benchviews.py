"""The editor's JSON endpoints about unsaved text: problems, verdicts, explanations, samples."""

from django.http import HttpRequest, JsonResponse

from console.accounts.models import User
from console.matters.jsonviews import answer
from console.matters.operations import BadOperation
from rules.bench.process import EXAMPLES_AT_ONCE, bench
from rules.endpoints import author_endpoint, body_of, shaped
from rules.sampling import sample_text

MAX_TEXT = 5_000


@author_endpoint("POST")
def check(request: HttpRequest, user: User) -> JsonResponse:
    """{document} → {problems, ms}"""
    body = body_of(request, document=dict)
    return answer(bench().check(shaped(body["document"])))


@author_endpoint("POST")
def judge(request: HttpRequest, user: User) -> JsonResponse:
    """{document, examples} → {verdicts}; at most EXAMPLES_AT_ONCE, so that no request is long."""
    body = body_of(request, document=dict, examples=list)
    examples = body["examples"]
    if len(examples) > EXAMPLES_AT_ONCE or not all(map(_is_example, examples)):
        raise BadOperation("examples")
    return answer({"verdicts": bench().judge(shaped(body["document"]), examples)})


@author_endpoint("POST")
def explain(request: HttpRequest, user: User) -> JsonResponse:
    """{document, state, text} → verdict, what could follow, which terms stand there"""
    body = body_of(request, document=dict, state=dict, text=str)
    if len(body["text"]) > MAX_TEXT:
        raise BadOperation("text")
    document = shaped(body["document"])
    return answer(bench().explain(document, body["state"], body["text"]))


@author_endpoint("POST")
def sample(request: HttpRequest, user: User) -> JsonResponse:
    """{document, state} → {text, finished, node}: what the live model writes under the document."""
    body = body_of(request, document=dict, state=dict)
    grammar = bench().grammar(shaped(body["document"]), body["state"])
    return answer(sample_text(grammar, body["state"]))


def _is_example(value: object) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("text"), str)
        and isinstance(value.get("state"), dict)
        and isinstance(value.get("verdict"), str)
    )
