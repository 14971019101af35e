"""One claim written anew, alone and beside a draft that rests."""

from collections.abc import Callable
from typing import Any

import pytest

from console.drafting import selectors, services
from console.drafting.errors import DraftingError
from console.drafting.keeper import Keeper
from console.drafting.models import JobStatus
from console.drafting.runner import run_job
from console.matters import selectors as matters
from tests.console.drafting.jobs import (
    CLAIMS,
    LOOP,
    kinds,
    texts,
)

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def test_one_claim_is_written_anew_after_the_agents_instruction(
    start: Callable[..., Any], node: Any, keeper: Keeper, agent: Any, matter: Any
) -> None:
    again = "根据权利要求1所述的多层膜，其特征在于，所述涂层为氧化硅涂层。"
    written = node([*CLAIMS, again])
    job = start()
    run_job(str(job.pk), keeper)
    second = matters.claim_set(job.document_id)[1]
    anew = services.regenerate(
        user=agent,
        matter=matter,
        claim_id=second["id"],
        instruction="涂层的材料",
        request_id="again",
    )
    run_job(str(anew.pk), keeper)
    assert texts(job) == [CLAIMS[0], again, CLAIMS[2]]
    assert written.prompts[-1].endswith("\n要点：涂层的材料\n2.")
    assert CLAIMS[2] not in written.prompts[-1]


def test_a_claim_is_written_anew_while_the_draft_rests_and_the_draft_goes_on(
    start: Callable[..., Any], node: Any, keeper: Keeper, agent: Any, matter: Any
) -> None:
    again = "一种多层膜，其特征在于，包括基材层和氧化硅涂层，所述氧化硅涂层设于所述基材层的表面。"
    node([CLAIMS[0], again, *CLAIMS[1:]])
    job = start(pause_after_each=True)
    run_job(str(job.pk), keeper)
    (first,) = matters.claim_set(job.document_id)

    def regenerate(request_id: str) -> Any:
        return services.regenerate(
            user=agent,
            matter=matter,
            claim_id=first["id"],
            instruction="涂层的材料",
            request_id=request_id,
        )

    anew = regenerate("again")
    for step in (lambda: services.resume(job=job), lambda: regenerate("twice"), start):
        with pytest.raises(DraftingError) as refused:
            step()
        assert refused.value.code == "job_active"
    shown = selectors.job_view(job.document_id)
    assert (shown and shown["id"], shown and shown["status"]) == (str(anew.pk), "queued")
    run_job(str(anew.pk), keeper)
    assert texts(job) == [again]

    # The draft is there again, and nothing else may begin before it has ended.
    shown = selectors.job_view(job.document_id)
    assert (shown and shown["id"], shown and shown["status"]) == (str(job.pk), "paused")
    with pytest.raises(DraftingError):
        start()
    for _ in CLAIMS[1:]:
        services.resume(job=job)
        run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert (job.status, texts(job)) == (JobStatus.COMPLETED, [again, *CLAIMS[1:]])


def test_when_writing_anew_fails_the_earlier_text_stands_again(
    start: Callable[..., Any], node: Any, keeper: Keeper, agent: Any, matter: Any
) -> None:
    node([*CLAIMS, *[LOOP] * 4])
    job = start()
    run_job(str(job.pk), keeper)
    second = matters.claim_set(job.document_id)[1]
    anew = services.regenerate(
        user=agent, matter=matter, claim_id=second["id"], instruction="", request_id="again"
    )
    run_job(str(anew.pk), keeper)
    assert texts(job) == CLAIMS
    assert kinds(anew)[-2:] == ["claim.failed", "job.failed"]


def test_a_claim_written_anew_without_a_wish_does_not_come_out_the_same(
    start: Callable[..., Any], node: Any, keeper: Keeper, agent: Any, matter: Any
) -> None:
    other = "根据权利要求1所述的多层膜，其特征在于，所述涂层为氧化硅涂层。"
    written = node([*CLAIMS, CLAIMS[1], other])
    job = start()
    run_job(str(job.pk), keeper)
    second = matters.claim_set(job.document_id)[1]
    anew = services.regenerate(
        user=agent, matter=matter, claim_id=second["id"], instruction="", request_id="again"
    )
    run_job(str(anew.pk), keeper)
    assert texts(job)[1] == other
    assert all(body["temperature"] > 0 for body in written.requests[3:])
