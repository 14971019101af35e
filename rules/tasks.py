"""What workers do for rule authors, on the queue `rules`."""

import logging

from celery import shared_task
from django.db import close_old_connections

from rules.bench.process import Bench
from rules.errors import RulesError
from rules.models import Regression, State
from rules.regression import run

log = logging.getLogger(__name__)


@shared_task(name="rules.regression")  # type: ignore[untyped-decorator]
def regression(regression_id: str) -> None:
    """Carries a regression out. Delivered again after a worker's death, it begins anew."""
    close_old_connections()
    try:
        carry_out(regression_id)
    finally:
        close_old_connections()


def carry_out(regression_id: str) -> None:
    found = Regression.objects.select_related("version__pack").filter(pk=regression_id).first()
    if found is None or found.status not in ("waiting", "running"):
        return
    base = found.version.base or found.version.pack.versions.filter(state=State.PUBLISHED).first()
    # Of its own: the pages' processes stay free, and it is closed whatever happens.
    checker = Bench(processes=1)
    try:
        run(found, (base or found.version).document, checker)
    except Exception as error:
        # Whatever it was: it must not be shown as running for ever.
        Regression.objects.filter(pk=regression_id).update(status="failed")
        if not isinstance(error, RulesError):
            raise
        log.warning("regression %s: %s", regression_id, error.code)
    finally:
        checker.close()
