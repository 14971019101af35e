"""What every JSON endpoint of matters shares: who may ask, what may be sent, how errors look."""

import json
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec
from uuid import UUID

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext as _
from django.views.csrf import csrf_failure as csrf_page
from django.views.decorators.cache import never_cache

from console.accounts.middleware import wants_json
from console.accounts.models import Role, User
from console.matters import selectors
from console.matters.changes import EditConflict
from console.matters.claimset import ClaimSetError
from console.matters.importing import ImportRefused
from console.matters.models import Matter
from console.matters.operations import BadOperation

MAX_JSON_BYTES = 512 * 1024

Rest = ParamSpec("Rest")
MatterView = Callable[Concatenate[HttpRequest, Matter, Rest], HttpResponseBase]
Endpoint = Callable[..., HttpResponseBase]


def answer(body: Mapping[str, Any], *, status: int = 200) -> JsonResponse:
    """Chinese text as itself: escaped it would be twice as long."""
    return JsonResponse(body, status=status, json_dumps_params={"ensure_ascii": False})


def problem(code: str, message: str, status: int, **more: Any) -> JsonResponse:
    return answer({"code": code, "message": message, **more}, status=status)


def matter_endpoint(*methods: str) -> Callable[[MatterView[Rest]], Endpoint]:
    """The view gets the Matter in place of its id; whatever it raises becomes a JSON answer.

    405 for another method, 403 for who is no agent, 404 for who is not of the matter's team.
    """

    def decorate(view: MatterView[Rest]) -> Endpoint:
        @never_cache
        @wraps(view)
        def endpoint(
            request: HttpRequest, /, matter_id: UUID, *args: Rest.args, **kwargs: Rest.kwargs
        ) -> HttpResponseBase:
            if request.method not in methods:
                refusal = problem("method_not_allowed", _("不支持这种请求。"), 405)
                refusal["Allow"] = ", ".join(methods)
                return refusal
            if not isinstance(request.user, User) or not request.user.has_role(Role.AGENT):
                return problem("role_required", _("只有专利代理师可以查看案件。"), 403)
            try:
                matter = selectors.matter_for(request.user, matter_id)
                return view(request, matter, *args, **kwargs)
            except Exception as error:
                told = _told(error)
                if told is None:
                    raise
                return told

        return endpoint

    return decorate


def read_json(request: HttpRequest, *, limit: int = MAX_JSON_BYTES) -> Any:
    """The body as JSON. Raises BadOperation, RequestDataTooBig."""
    if request.content_type != "application/json":
        raise BadOperation("Content-Type")
    if len(request.body) > limit:
        raise RequestDataTooBig
    try:
        return json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise BadOperation("JSON") from error


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A script gets a sentence it can show; a page gets Django's page. (settings name this view)"""
    if wants_json(request):
        return problem("csrf_failed", _("页面已过期，请刷新页面后再试。"), 403)
    return csrf_page(request, reason)


def _told(error: Exception) -> JsonResponse | None:
    match error:
        case Http404():
            return problem("not_found", _("没有找到。"), 404)
        case EditConflict():
            conflict = {
                "theirs": error.theirs,
                "yours": error.yours,
                "revision": error.revision,
                "claims": error.claims,
            }
            return problem(error.code, str(error), 409, **conflict)
        case ClaimSetError():
            return problem(error.code, _(error.template) % error.values, 422)
        case ImportRefused():
            return problem(error.code, _sentence(error), 400)
        case BadOperation():
            sentence = _("请求的格式不正确（%(part)s）。") % {"part": str(error)}
            return problem(error.code, sentence, 400)
        case RequestDataTooBig():
            return problem("too_large", _("请求的内容过大。"), 413)
        case MultiPartParserError() | SuspiciousOperation():
            return problem("bad_request", _("请求的格式不正确。"), 400)
        case _:
            return None


def _sentence(error: ImportRefused) -> str:
    sentence = _(error.template)
    return sentence % error.values if error.values else sentence
