"""Rule packs in the admin: the list is unfold's, a pack's page is the editor."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from console.accounts.models import User
from rules import selectors
from rules.access import is_rule_author
from rules.models import Pack, PackVersion, State

SCHEMA = Path(__file__).parent / "compiler" / "schema" / "pack.schema.json"


@admin.register(Pack)
class PackAdmin(ModelAdmin):
    list_display = ["title", "slug", "in_force", "open_drafts", "eyes"]
    search_fields = ["slug", "title"]
    list_before_template = "rules/import.html"

    @admin.display(description=_("生效版本"))
    def in_force(self, pack: Pack) -> str:
        number, reason = selectors.pack_in_force(pack)
        return str(number or "—") if not reason else str(_("规则库无法访问"))

    @admin.display(description=_("草稿"))
    def open_drafts(self, pack: Pack) -> int:
        return pack.versions.filter(state__in=(State.DRAFT, State.REVIEW)).count()

    @admin.display(description=_("四眼原则"), ordering="four_eyes")
    def eyes(self, pack: Pack) -> str:
        """A word: a house without the rule has nothing wrong."""
        return str(_("已开启") if pack.four_eyes else _("未开启"))

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The editor. What it shows comes from the JSON endpoints of rules/urls.py."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        pack = get_object_or_404(Pack, pk=int(object_id) if object_id.isdecimal() else None)
        active, _reason = selectors.pack_in_force(pack)
        chosen = request.GET.get("version", "")
        version = (
            pack.versions.filter(pk=int(chosen)).first() if chosen.isdecimal() else None
        ) or selectors.latest(pack, active)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": pack,
            "title": pack.title,
            "version": version,
            "version_view": _view(version, request) if version else None,
            "schema": _schema(),
        }
        return TemplateResponse(request, "rules/editor.html", context)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_rule_author(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_rule_author(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_rule_author(request.user)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A pack comes with the software or as an imported file."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Jobs have pinned its versions."""
        return False


def _view(version: PackVersion, request: HttpRequest) -> dict[str, Any] | None:
    user = request.user
    if not isinstance(user, User):
        return None
    view = selectors.version_view(version, user)
    return {**view, "steps": selectors.steps_of(version)}


@cache
def _schema() -> dict[str, Any]:
    """The published schema of pack documents: the settings form is drawn from it."""
    schema: dict[str, Any] = json.loads(SCHEMA.read_text("utf-8"))
    return schema
