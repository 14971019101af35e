from collections.abc import Callable
from typing import Any

import pytest

from console.drafting import leases, selectors, services
from console.drafting.errors import DraftingError
from console.drafting.eventlog import EventLog, control_key
from console.drafting.models import DraftJob, JobStatus
from console.matters import selectors as matters
from console.matters import services as matter_services
from rules.store.client import StoreError

pytestmark = [pytest.mark.services, pytest.mark.django_db]

OWN_CLAIM = "一种多层膜，其特征在于，包括基材层和涂层。"


def code_of(step: Callable[[], Any]) -> str:
    with pytest.raises((DraftingError, StoreError)) as refused:
        step()
    return refused.value.code


def test_a_start_makes_a_job_with_the_rules_pinned_and_queues_it(
    start: Callable[..., Any], queued: list[str], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        job = start()
    assert queued == [str(job.pk)]
    assert (job.pack_slug, job.pack_version, len(job.pack_digest)) == ("cn-claims", 1, 64)
    assert [event["kind"] for event in EventLog(job.pk).read()] == ["job.queued"]


def test_the_same_request_sent_twice_makes_one_job(start: Callable[..., Any]) -> None:
    assert start(request_id="once").pk == start(request_id="once").pk
    assert DraftJob.objects.count() == 1


def test_a_request_is_no_request_of_another_matter(
    start: Callable[..., Any], make_matter: Callable[..., Any], agent: Any
) -> None:
    job = start(request_id="once")
    other = make_matter()
    assert code_of(lambda: start(matter=other, request_id="once")) == "request_reused"
    refused = code_of(
        lambda: services.regenerate(
            user=agent, matter=other, claim_id="c0", instruction="", request_id="once"
        )
    )
    assert refused == "request_reused"
    assert list(DraftJob.objects.all()) == [job]


def test_the_request_of_another_team_s_user_is_unknown(
    start: Callable[..., Any], make_matter: Callable[..., Any], outsider: Any, other_team: Any
) -> None:
    job = start(request_id="once")
    own = make_matter(user=outsider, team=other_team)
    theirs = start(matter=own, user=outsider, request_id="once")
    assert theirs.pk != job.pk
    assert (theirs.document.matter_id, theirs.user) == (own.pk, outsider)


def test_a_document_has_one_active_job(start: Callable[..., Any]) -> None:
    start()
    assert code_of(start) == "job_active"


def test_without_a_disclosure_there_is_nothing_to_draft_from(
    start: Callable[..., Any], make_matter: Callable[..., Any]
) -> None:
    assert code_of(lambda: start(matter=make_matter(disclosure=""))) == "no_disclosure"


def test_an_unknown_pack_is_refused(matter: Any, agent: Any, rules_in_force: None) -> None:
    from tests.console.drafting.test_plan import params

    refusal = code_of(
        lambda: services.start_draft(
            user=agent, matter=matter, params=params(), request_id="r", pack_slug="nowhere"
        )
    )
    assert refusal == "pack_unknown"


def test_ten_jobs_may_wait_and_the_eleventh_is_refused_with_everything_else_untouched(
    start: Callable[..., Any], make_matter: Callable[..., Any]
) -> None:
    for _ in range(services.MAX_WAITING_DRAFTS_PER_USER):
        start(matter=make_matter())
    last = make_matter()
    assert code_of(lambda: start(matter=last, first_claim=OWN_CLAIM, count=3)) == "too_many_drafts"
    assert matters.claim_set(matters.claims_document(last.pk).pk) == []


def test_the_agents_own_first_claim_stands_in_the_document_before_the_job_begins(
    start: Callable[..., Any], matter: Any
) -> None:
    start(first_claim=OWN_CLAIM, count=3)
    (row,) = matters.claim_set(matters.claims_document(matter.pk).pk)
    assert (row["text"], row["origin"], row["state"]) == (OWN_CLAIM, "agent", "accepted")


def test_an_own_first_claim_does_not_overwrite_what_is_there(
    start: Callable[..., Any], matter: Any, agent: Any
) -> None:
    document = matters.claims_document(matter.pk)
    matter_services.apply_operation(
        document_id=document.pk,
        user=agent,
        base_revision=document.revision,
        op={"kind": "insert", "after_id": None, "text": "一种卷膜。"},
    )
    assert code_of(lambda: start(first_claim=OWN_CLAIM, count=3)) == "first_claim_refused"


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        (f"1. {OWN_CLAIM}", OWN_CLAIM),
        (f"权利要求书\n1、{OWN_CLAIM}\n", OWN_CLAIM),
        ("一种多层膜的制备方法，包括：\n1）提供基材层；\n2）涂布涂层。",) * 2,
    ],
    ids=["number", "heading", "numbered steps"],
)
def test_an_own_first_claim_is_taken_without_its_number(
    start: Callable[..., Any], matter: Any, given: str, stored: str
) -> None:
    start(first_claim=given, count=3)
    (row,) = matters.claim_set(matters.claims_document(matter.pk).pk)
    assert row["text"] == stored


@pytest.mark.parametrize("first", [f"1. {OWN_CLAIM}", OWN_CLAIM, ""])
def test_what_is_not_claim_1_alone_is_no_own_first_claim(
    start: Callable[..., Any], matter: Any, first: str
) -> None:
    given = f"{first}\n2. 根据权利要求1所述的多层膜，其特征在于，还包括保护层。"
    assert code_of(lambda: start(first_claim=given, count=3)) == "first_claim_refused"
    assert matters.claim_set(matters.claims_document(matter.pk).pk) == []


def test_one_claim_that_is_given_leaves_nothing_to_write(start: Callable[..., Any]) -> None:
    assert code_of(lambda: start(first_claim=OWN_CLAIM, count=1)) == "nothing_to_write"


def test_a_queued_job_is_stopped_at_once(start: Callable[..., Any], valkey: Any) -> None:
    job = start()
    services.stop(job=job)
    job.refresh_from_db()
    assert job.status == JobStatus.STOPPED
    assert [event["kind"] for event in EventLog(job.pk).read()] == ["job.queued", "job.stopped"]
    assert valkey.get(control_key(job.pk)) is None


def test_a_running_job_is_asked_to_stop(start: Callable[..., Any], valkey: Any) -> None:
    job = start()
    leases.acquire(job.pk, "worker")
    services.stop(job=job)
    job.refresh_from_db()
    assert job.status == JobStatus.RUNNING
    assert valkey.get(control_key(job.pk)) == b"stop"


def test_stopping_a_paused_job_takes_its_unfinished_claim_away(
    start: Callable[..., Any], matter: Any
) -> None:
    job = start()
    leases.acquire(job.pk, "worker")
    matter_services.begin_claim(document_id=job.document_id, after_id=None, job_id=job.pk)
    leases.leave(job.pk, "worker", JobStatus.PAUSED)
    services.stop(job=job)
    assert matters.claim_set(job.document_id) == []


def test_a_paused_job_goes_on(
    start: Callable[..., Any], queued: list[str], django_capture_on_commit_callbacks: Any
) -> None:
    job = start()
    leases.acquire(job.pk, "worker")
    leases.leave(job.pk, "worker", JobStatus.PAUSED)
    services.resume(job=job)
    assert (job.status, queued[-1:]) == (JobStatus.QUEUED, [str(job.pk)])


def test_an_ended_job_neither_pauses_nor_resumes(start: Callable[..., Any]) -> None:
    job = start()
    services.stop(job=job)
    assert code_of(lambda: services.pause(job=job)) == "job_not_active"
    assert code_of(lambda: services.resume(job=job)) == "job_not_active"
    services.stop(job=job)


def test_only_a_claim_that_is_there_can_be_written_anew(
    matter: Any, agent: Any, rules_in_force: None, valkey: Any
) -> None:
    refusal = code_of(
        lambda: services.regenerate(
            user=agent, matter=matter, claim_id="c0", instruction="", request_id="r"
        )
    )
    assert refusal == "claim_gone"


def test_a_job_is_found_in_its_own_document_only(
    start: Callable[..., Any], make_matter: Callable[..., Any]
) -> None:
    job = start()
    other = matters.claims_document(make_matter().pk)
    assert selectors.job_of(job.document_id, job.pk) == job
    assert code_of(lambda: selectors.job_of(other.pk, job.pk)) == "job_not_found"


def test_the_view_of_a_job(start: Callable[..., Any], make_matter: Callable[..., Any]) -> None:
    assert selectors.job_view(matters.claims_document(make_matter().pk).pk) is None
    job = start()
    view = selectors.job_view(job.document_id)
    assert view is not None
    assert (view["status"], view["done"], view["total"], view["last_seq"]) == ("queued", 0, 3, 1)
    assert view["queue_position"] == 1
    services.stop(job=job)
    view = selectors.job_view(job.document_id)
    assert view is not None
    assert (view["status"], view["queue_position"], view["error"]) == ("stopped", None, None)
