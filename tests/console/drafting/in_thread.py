"""run_job beside the test, as a worker runs it."""

import threading
from typing import Any

from console.drafting.keeper import Keeper
from console.drafting.runner import run_job


class Recorder:
    """Takes the place of the queue: `jobs` are those that were to be carried out next."""

    def __init__(self) -> None:
        self.jobs: list[str] = []

    def __call__(self, job_id: str, *, again: bool = False) -> None:
        self.jobs.append(job_id)


class InThread:
    """run_job in a thread of its own, as in a worker."""

    def __init__(self, job: Any, keeper: Keeper) -> None:
        self._job = str(job.pk)
        self._keeper = keeper
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        from django.db import connection

        try:
            run_job(self._job, self._keeper)
        finally:
            connection.close()

    def __enter__(self) -> "InThread":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(20)
        assert not self._thread.is_alive()
