"""What the database knows of a job in work, and how its worker leaves it.

The event log is ahead of it by up to one claim: whoever needs to know more folds the log.
"""

import logging
from dataclasses import asdict
from typing import Any

from django.utils import timezone

from console.drafting import leases
from console.drafting.broadcast import job_changed
from console.drafting.delivery import Tally
from console.drafting.eventlog import Control, take_control
from console.drafting.keeper import Keeper
from console.drafting.models import DraftJob, JobStatus
from console.drafting.writer import EventWriter

log = logging.getLogger(__name__)


class JobRecord:
    """The row of one job, changed only as long as `owner` holds it."""

    def __init__(
        self, job: DraftJob, owner: str, writer: EventWriter, tally: Tally, keeper: Keeper
    ) -> None:
        self._job = job
        self._owner = owner
        self._writer = writer
        self._tally = tally
        self._keeper = keeper

    def save(self, **progress: int) -> None:
        """The progress is `done`, `failed`, and how far (`index`) of the plan's `total` that is."""
        self._job.progress = progress
        DraftJob.objects.filter(pk=self._job.pk, lease_owner=self._owner).update(**self._figures())

    def leave(self, status: JobStatus, **changes: Any) -> Control:
        """The job has ended, or rests. What the reader wanted at that moment: while a worker
        leaves, nobody else heeds it."""
        if status != JobStatus.PAUSED:
            changes["finished_at"] = timezone.now()
        leases.leave(self._job.pk, self._owner, status, **self._figures(), **changes)
        wish = take_control(self._job.pk)
        job_changed(self._job)
        self._call_next()
        return wish

    def hand_over(self) -> None:
        """Gives the job back in the middle of a claim: the log holds all that was delivered."""
        log.info("job %s handed over", self._job.pk)
        DraftJob.objects.filter(pk=self._job.pk, lease_owner=self._owner).update(**self._figures())
        if leases.give_back(self._job.pk, self._owner):
            self._keeper.dispatch(str(self._job.pk), again=True)

    def _call_next(self) -> None:
        """The user's next waiting job need not wait for a keeper's round."""
        for job in leases.abandoned():
            if job.user_id == self._job.user_id:
                self._keeper.dispatch(str(job.pk), again=True)

    def _figures(self) -> dict[str, Any]:
        return {
            "progress": self._job.progress,
            "tokens": asdict(self._tally),
            "last_seq": self._writer.last_seq,
        }
