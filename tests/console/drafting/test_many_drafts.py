"""Many drafts at once, in a real worker: a user's own limit holds, and nobody waits for others'."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connections

from console.drafting.models import DraftJob, JobStatus
from console.matters.models import Matter
from tests.console.drafting.jobs import CLAIMS, kinds, texts
from tests.support.waiting import until
from tests.support.worker import Worker

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

MANY = 10


def at_once(starts: list[Callable[[], Any]]) -> list[Any]:
    """The results of all, begun together in threads of their own."""

    def one(begin: Callable[[], Any]) -> Any:
        try:
            return begin()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(starts)) as pool:
        return list(pool.map(one, starts))


def test_ten_drafts_of_one_user_take_turns_and_another_users_draft_does_not_wait_for_them(
    start_queued: Callable[..., Any],
    make_matter: Callable[..., Any],
    agent: Any,
    member: Any,
    node: Any,
    tmp_path: Path,
) -> None:
    writing = node([CLAIMS[0]] * (MANY + 1), pause=2.0)
    matters: list[Matter] = [make_matter() for _ in range(MANY)]
    others = make_matter(user=member)
    most_at_once = 0

    def states_of(user: Any) -> list[str]:
        return list(DraftJob.objects.filter(user=user).values_list("status", flat=True))

    def all_ended() -> bool:
        nonlocal most_at_once
        states = states_of(agent)
        most_at_once = max(most_at_once, states.count(JobStatus.RUNNING))
        return {*states, *states_of(member)} == {JobStatus.COMPLETED}

    with Worker(tmp_path, nodes=[writing.url]):
        jobs = at_once(
            [lambda matter=matter: start_queued(matter=matter, count=1) for matter in matters]
        )
        other = start_queued(matter=others, user=member, count=1)
        until(lambda: states_of(member) == [JobStatus.RUNNING], 60)
        assert JobStatus.COMPLETED not in states_of(agent)
        writing.pause = 0.02
        until(all_ended, 120)
    assert most_at_once == settings.MAX_RUNNING_DRAFTS_PER_USER
    for job in [*jobs, other]:
        assert texts(job) == [CLAIMS[0]]
        assert kinds(job).count("claim.completed") == 1
