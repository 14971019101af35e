"""What every JSON endpoint of the editor shares: who may ask, what may be sent, how errors look."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from console.accounts.models import User
from console.matters.jsonviews import problem, read_json
from console.matters.operations import BadOperation
from rules.access import is_rule_author
from rules.errors import RulesError
from rules.store.client import StoreError

MAX_DOCUMENT_BYTES = 2 * 1024 * 1024

Rest = ParamSpec("Rest")
AuthorView = Callable[Concatenate[HttpRequest, User, Rest], HttpResponseBase]
Endpoint = Callable[..., HttpResponseBase]
_STORE_STATUS = {"pack_unknown": 404, "publish_conflict": 409}


def author_endpoint(*methods: str) -> Callable[[AuthorView[Rest]], Endpoint]:
    """The view gets the rule author; whatever it raises becomes a JSON answer. 403 for others."""

    def decorate(view: AuthorView[Rest]) -> Endpoint:
        @never_cache
        @wraps(view)
        def endpoint(
            request: HttpRequest, /, *args: Rest.args, **kwargs: Rest.kwargs
        ) -> HttpResponseBase:
            user = request.user
            if not isinstance(user, User) or not is_rule_author(user):
                return problem("role_required", _("只有规则编写人可以查看规则包。"), 403)
            if request.method not in methods:
                refusal = problem("method_not_allowed", _("不支持这种请求。"), 405)
                refusal["Allow"] = ", ".join(methods)
                return refusal
            try:
                return view(request, user, *args, **kwargs)
            except RulesError as error:
                return problem(error.code, str(error), error.status, **error.more)
            except StoreError as error:
                return problem(error.code, str(error), _STORE_STATUS.get(error.code, 503))
            except BadOperation as error:
                sentence = _("请求的格式不正确（%(part)s）。") % {"part": str(error)}
                return problem("bad_request", sentence, 400)
            except RequestDataTooBig:
                return problem("too_large", _("请求的内容过大。"), 413)

        return endpoint

    return decorate


def body_of(request: HttpRequest, **kinds: type) -> dict[str, Any]:
    """The body's object, each named part of its type. Raises BadOperation, RequestDataTooBig."""
    body = read_json(request, limit=MAX_DOCUMENT_BYTES)
    if not isinstance(body, dict):
        raise BadOperation("JSON")
    for name, kind in kinds.items():
        # JSON's true is an int to Python.
        if not isinstance(body.get(name), kind) or (kind is int and body[name] is True):
            raise BadOperation(name)
    return body


def shaped(document: Mapping[str, Any], slug: str | None = None) -> dict[str, Any]:
    """The document, if an editor could show it. Whether it compiles is another question.

    Raises BadOperation.
    """
    texts = [document.get("slug"), document.get("grammar")]
    rows = [*_list(document, "forbidden"), *_list(document, "examples")]
    whole = all(isinstance(text, str) for text in texts) and all(
        isinstance(row, dict) for row in rows
    )
    if not whole or (slug is not None and document["slug"] != slug):
        raise BadOperation("document")
    return dict(document)


def _list(document: Mapping[str, Any], name: str) -> list[Any]:
    value = document.get(name, [])
    if not isinstance(value, list):
        raise BadOperation(name)
    return value
