"""/metrics for Prometheus: ids, states and numbers, no client text.

Each value is asked for when the page is: no process has to be told what another one counted.
"""

import secrets
from collections.abc import Iterator

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from console.accounts.models import Role, User
from console.operations.selectors import RulesRow, rules_rows

STATES = ("live", "stale")


@login_not_required
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """For the holder of the token and for operators. Loopback is no ticket: behind a proxy on the
    same machine everybody comes from there."""
    if not (_shows_token(request) or _is_operator(request)):
        raise PermissionDenied
    registry = CollectorRegistry()
    registry.register(RulesCollector(rules_rows()))
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class RulesCollector:
    """How this console stands to each pack, and the nodes' word on the version in force."""

    def __init__(self, rows: list[RulesRow]) -> None:
        self._rows = rows

    def collect(self) -> Iterator[Metric]:
        state = GaugeMetricFamily(
            "claimwright_rules_state",
            "1 for the state that the pack is in: live, or stale while the rule store is away.",
            labels=("pack", "state"),
        )
        version = GaugeMetricFamily(
            "claimwright_rules_version", "The version that jobs begin under.", labels=("pack",)
        )
        since = GaugeMetricFamily(
            "claimwright_rules_stale_since_seconds",
            "Unix time since which the rule store has been away.",
            labels=("pack",),
        )
        nodes = GaugeMetricFamily(
            "claimwright_rules_nodes",
            "Nodes by what they say about the version in force.",
            labels=("pack", "word"),
        )
        compiled = GaugeMetricFamily(
            "claimwright_rules_compile_seconds",
            "Time that a node took to build the grammar of the version that it took up.",
            labels=("pack", "node"),
        )
        for row in self._rows:
            for name in STATES:
                state.add_metric((row.slug, name), float(row.state == name))
            version.add_metric((row.slug,), row.version or 0)
            if row.since is not None:
                since.add_metric((row.slug,), row.since.timestamp())
                continue
            for word, count in (
                ("taken_up", len(row.taken_up)),
                ("refused", len(row.refused)),
                ("missing", len(row.missing)),
            ):
                nodes.add_metric((row.slug, word), count)
            for one in row.taken_up:
                compiled.add_metric((row.slug, one.id), one.compile_ms / 1000)
        yield from (state, version, since, nodes, compiled)


def _shows_token(request: HttpRequest) -> bool:
    shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
    wanted = settings.METRICS_TOKEN
    return bool(wanted) and secrets.compare_digest(shown.encode(), wanted.encode())


def _is_operator(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.has_role(Role.OPERATOR)
