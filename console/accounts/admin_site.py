"""The admin site: who may enter follows from the roles, and entering goes through the one sign-in
form, so that its throttle cannot be walked around."""

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from unfold.sites import UnfoldAdminSite

from console.accounts.models import User


class ConsoleAdminSite(UnfoldAdminSite):
    def has_permission(self, request: HttpRequest) -> bool:
        user = request.user
        return isinstance(user, User) and user.is_active and user.enters_admin

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponseBase:
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next", "/admin/"))
