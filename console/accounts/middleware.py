"""Every page asks for a signed-in user, unless its view says @login_not_required."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.utils.translation import gettext as _


class SignedInMiddleware(LoginRequiredMiddleware):
    """A page sends the reader to the sign-in form; a JSON request gets 401, so that a script in an
    open page can say that the session has ended instead of reading the form as an answer."""

    def process_view(
        self,
        request: HttpRequest,
        view_func: Callable[..., Any],
        view_args: tuple[Any, ...],
        view_kwargs: dict[str, Any],
    ) -> HttpResponseBase | None:
        refusal = super().process_view(request, view_func, view_args, view_kwargs)
        if refusal is not None and wants_json(request):
            return JsonResponse(
                {"code": "login_required", "message": _("登录已过期，请重新登录。")}, status=401
            )
        return refusal


def wants_json(request: HttpRequest) -> bool:
    preferred = request.get_preferred_type(["text/html", "application/json"])
    return preferred == "application/json" or request.content_type == "application/json"
