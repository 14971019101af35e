"""The pages of matters: the list, a new one, the workspace."""

from typing import cast
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from console.accounts.access import require_role
from console.accounts.home import home_of
from console.accounts.models import Role, User
from console.drafting.titles import read_title
from console.matters import claimset, importing, linting, selectors, services
from console.matters.characters import clean_line
from console.matters.forms import TITLE_LIMIT, TITLE_USUAL, MatterForm
from rules.selectors import editor_for

PER_PAGE = 50
_LONGEST_QUERY = 100
# The session's key of what was searched for last.
_QUERY = "matters.query"


def start(request: HttpRequest) -> HttpResponse:
    """The address that everybody is given: the agent's list, or where else one's work begins."""
    home = home_of(cast(User, request.user))
    return redirect(home) if home != request.path else matter_list(request)


@require_http_methods(["GET", "HEAD", "POST"])
@require_role(Role.AGENT)
def matter_list(request: HttpRequest) -> HttpResponse:
    """The list, or (POST) a search in it. What is searched for are words of a client's invention:
    they stay in the session, so that no address and no log of addresses holds them."""
    user = cast(User, request.user)
    given = request.POST if request.method == "POST" else request.GET
    state = given.get("state", "")
    if state not in ("running", "review", "done", "empty"):
        state = ""
    if request.method == "POST":
        query = clean_line(request.POST.get("q", ""))[:_LONGEST_QUERY]
        request.session[_QUERY] = query
        return redirect(f"{reverse('matters:list')}{_address(query, state)}")
    query = request.session.get(_QUERY, "") if "found" in request.GET else ""
    found = selectors.matters_of(user, query=query, state=state)
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "matters": page,
        "page_obj": page,
        "query": query,
        "state": state,
        "query_string": _address(query, state).removeprefix("?"),
        "total": selectors.matters_of(user).count() if query or state else page.paginator.count,
        "has_team": selectors.teams_of(user).exists(),
    }
    return render(request, "matters/list.html", context)


def _address(query: str, state: str) -> str:
    filters = {**({"found": "1"} if query else {}), **({"state": state} if state else {})}
    return f"?{urlencode(filters)}" if filters else ""


@require_http_methods(["GET", "POST"])
@require_role(Role.AGENT)
def new(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    form = MatterForm(request.POST or None, user=user)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        matter = services.create_matter(
            user=user,
            team_id=values["team"].pk,
            title=values["title"],
            reference=values["reference"],
            jurisdiction=values["jurisdiction"],
            language=values["language"],
            kinds=values["kinds"],
        )
        if len(matter.title) > TITLE_USUAL:
            messages.warning(
                request,
                _("发明名称有%(count)d个字；一般不得超过%(usual)d个字（审查指南P1C1§4.1.1）。")
                % {"count": len(matter.title), "usual": TITLE_USUAL},
            )
        return redirect("matters:workspace", matter_id=matter.pk)
    context = {"form": form, "title_usual": TITLE_USUAL, "title_limit": TITLE_LIMIT}
    return render(request, "matters/new.html", context)


@require_safe
@never_cache
@require_role(Role.AGENT)
def workspace(request: HttpRequest, matter_id: UUID) -> HttpResponse:
    matter = selectors.matter_for(request.user, matter_id)
    state = selectors.state_of(matter)
    versions = reverse("matters:versions", args=[matter.pk])
    state["urls"] = {
        **{
            name: reverse(f"matters:{name}", args=[matter.pk])
            for name in ("state", "disclosure", "operations", "export")
        },
        "versions": versions,
        "list": reverse("matters:list"),
        "socket": f"/ws/matters/{matter.pk}/",
        "rules": editor_for(request.user, linting.PACK),
    }
    state["limits"] = {
        "import_bytes": settings.MAX_IMPORT_BYTES,
        "disclosure_characters": importing.MAX_CHARACTERS,
        "claim_characters": claimset.MAX_CLAIM_CHARACTERS,
        "max_claims": claimset.MAX_CLAIMS,
    }
    named = read_title(matter.title)
    state["subjects"] = {
        "product": named.product,
        "method": named.method,
        "categories": named.categories,
    }
    return render(request, "matters/workspace.html", {"matter": matter, "initial_state": state})
