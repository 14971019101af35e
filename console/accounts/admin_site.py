"""The admin site: who may enter follows from the roles, and entering goes through the one sign-in
form, so that its throttle cannot be walked around."""

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.sites import UnfoldAdminSite

from console.accounts.models import User


class ConsoleAdminSite(UnfoldAdminSite):
    index_title = gettext_lazy("管理")

    def has_permission(self, request: HttpRequest) -> bool:
        user = request.user
        return isinstance(user, User) and user.is_active and user.enters_admin

    def get_sidebar_list(self, request: HttpRequest) -> list[dict[str, Any]]:
        """The way back to the console, as in the head of its pages, then the admin's own lists."""
        user = request.user
        console = [
            (_("案件"), "matters:list", isinstance(user, User) and user.is_agent),
            (_("运维"), "operations:overview", isinstance(user, User) and user.is_operator),
        ]
        back = [_entry(title, reverse(view)) for title, view, allowed in console if allowed]
        return [
            {"title": _("工作台"), "items": back},
            *(
                {
                    "title": app["name"],
                    "items": [
                        _entry(model["name"], model["admin_url"], request.path)
                        for model in app["models"]
                    ],
                }
                for app in self.get_app_list(request)
            ),
        ]

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponseBase:
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next", "/admin/"))


def _entry(title: str, link: str, path: str = "") -> dict[str, Any]:
    """A line of the sidebar; the one that leads to where `path` is stands out."""
    active = path.startswith(link)
    return {"title": title, "link": link, "active": active, "has_permission": True}
