"""The regression of a version: started, watched, stopped."""

from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError

from console.accounts import audit
from console.accounts.models import User
from console.matters.jsonviews import answer
from rules import selectors
from rules.endpoints import author_endpoint
from rules.errors import RulesError
from rules.models import PackVersion, Regression
from rules.services import target_of
from rules.tasks import regression as task

OPEN = ("waiting", "running")


@author_endpoint("GET", "POST")
def regression(request: HttpRequest, user: User, slug: str, version_id: int) -> JsonResponse:
    """GET: the newest regression of the version, or null. POST: a new one, unless one is open."""
    version = selectors.version_of(slug, version_id)
    newest = version.regressions.first()
    if request.method == "POST" and (newest is None or newest.status not in OPEN):
        newest = _start(version, user)
    return answer({"regression": _view(newest) if newest else None})


@author_endpoint("POST")
def stop(request: HttpRequest, user: User, slug: str, version_id: int) -> JsonResponse:
    version = selectors.version_of(slug, version_id)
    version.regressions.filter(status__in=OPEN).update(stop_wanted=True)
    # What no worker has taken up yet ends here.
    version.regressions.filter(status="waiting").update(status="stopped")
    newest = version.regressions.first()
    return answer({"regression": _view(newest) if newest else None})


def _start(version: PackVersion, user: User) -> Regression:
    made = Regression.objects.create(version=version, revision=version.revision, started_by=user)
    try:
        task.delay(str(made.pk))
    except OperationalError as error:
        made.delete()
        raise RulesError("no_queue", _("任务队列暂时无法访问，请稍后再试。"), status=503) from error
    audit.record(actor=user, action="rules.regression", target=target_of(version))
    return made


def _view(one: Regression) -> dict[str, Any]:
    return {
        "status": one.status,
        "revision": one.revision,
        "done": one.done,
        "total": one.total,
        "seconds": round(one.seconds, 1),
        "refused_count": one.refused_count,
        "accepted_count": one.accepted_count,
        "refused": one.refused,
        "accepted": one.accepted,
        "at": one.created_at.isoformat(),
    }
