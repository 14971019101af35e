"""Who may open a page.

A page that everybody knows to exist answers 403 to a user without the role. Anything that belongs
to a team answers 404 to an outsider (console.matters.selectors), so that ids cannot be guessed.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase

from console.accounts.models import Role, User

Rest = ParamSpec("Rest")
Answer = TypeVar("Answer", bound=HttpResponseBase)
View = Callable[Concatenate[HttpRequest, Rest], Answer]


def require_role(role: Role) -> Callable[[View[Rest, Answer]], View[Rest, Answer]]:
    """The view only for users of that role, 403 otherwise. The middleware asks for signing in."""

    def decorate(view: View[Rest, Answer]) -> View[Rest, Answer]:
        @wraps(view)
        def guarded(request: HttpRequest, /, *args: Rest.args, **kwargs: Rest.kwargs) -> Answer:
            if not isinstance(request.user, User) or not request.user.has_role(role):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return guarded

    return decorate
