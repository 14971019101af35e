"""/healthz for a process manager, /readyz for a load balancer. Neither tells a stranger details."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from console.operations import connections


@login_not_required
@require_safe
def alive(request: HttpRequest) -> JsonResponse:
    """200 while this process answers at all: restart it when it does not."""
    return JsonResponse({"status": "alive"})


@login_not_required
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """200 when the database and Valkey answer, 503 with their names when not.

    etcd and the nodes do not count: without them drafting waits, but people can read and edit.
    """
    states = [connections.database(), connections.valkey()]
    broken = [state.name for state in states if not state.connected]
    return JsonResponse(
        {"status": "unready" if broken else "ready", "broken": broken},
        status=503 if broken else 200,
    )
