"""The worker's side of a draft job: the Celery task, and what a worker does around its tasks.

One job has one owner (leases.py). The queue may deliver a job twice or lose it: a second delivery
finds the lease taken, and the keeper of any worker queues again what nobody holds.
"""

import logging
import threading
from functools import lru_cache
from importlib import import_module
from typing import Any

import redis
from celery import shared_task
from celery.signals import worker_ready, worker_shutting_down
from django.db import close_old_connections
from kombu.exceptions import OperationalError

from console.drafting.eventlog import connection
from console.drafting.keeper import Keeper

log = logging.getLogger(__name__)

# The same job is not queued again within so many seconds, or a busy fleet's queue would fill up.
DISPATCH_AGAIN_SECONDS = 10


def dispatch(job_id: str, *, again: bool = False) -> None:
    """Queues a job. With `again`, even if it was queued a moment ago. Never fails: when the broker
    is away, a keeper queues the job later."""
    try:
        key = f"cw:job:{job_id}:dispatched"
        if connection().set(key, "1", ex=DISPATCH_AGAIN_SECONDS, nx=not again):
            draft.delay(job_id)
    except (redis.RedisError, OperationalError) as error:
        log.warning("job %s not queued now: %s", job_id, type(error).__name__)


@lru_cache(maxsize=1)
def keeper() -> Keeper:
    """The keeper of this process."""
    return Keeper(dispatch)


@shared_task(name="drafting.draft")  # type: ignore[untyped-decorator]
def draft(job_id: str) -> None:
    """Carries a draft job out, from where its event log ends, as far as it goes in this worker."""
    from console.drafting.runner import run_job

    close_old_connections()
    try:
        run_job(job_id, keeper())
    finally:
        close_old_connections()


@worker_ready.connect  # type: ignore[untyped-decorator]
def _start_keeping(**_: Any) -> None:
    keeper().start()
    threading.Thread(target=_warm_up, name="draft warm-up", daemon=True).start()


def _warm_up() -> None:
    """What the first job would have to wait for: imports, the node list, the compiled rules."""
    from console.drafting.nodes import node_pool
    from console.drafting.rulesets import rule_set
    from console.drafting.services import DEFAULT_PACK
    from rules.store.client import StoreError, active_pack

    import_module("console.drafting.runner")
    node_pool()
    for slug in DEFAULT_PACK.values():
        try:
            pack = active_pack(slug)
            rule_set(pack.slug, pack.version, pack.digest)
        except StoreError as error:
            log.warning("rules %s not read at start: %s", slug, error.code)


@worker_shutting_down.connect  # type: ignore[untyped-decorator]
def _give_jobs_back(**_: Any) -> None:
    keeper().drain()
