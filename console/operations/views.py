"""The operators' page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from console.accounts.access import require_role
from console.accounts.models import Role
from console.operations import selectors


@require_safe
@require_role(Role.OPERATOR)
def overview(request: HttpRequest) -> HttpResponse:
    return render(request, "operations/overview.html", {"overview": selectors.overview()})
