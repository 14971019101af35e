import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from console.drafting import delivery, leases, material, selectors, services
from console.drafting.claimwork import ClaimWork
from console.drafting.disclosure import Sentence, read_sentences
from console.drafting.errors import DraftingError
from console.drafting.eventlog import EventLog, FencedError
from console.drafting.keeper import Keeper
from console.drafting.models import DraftJob, JobStatus
from console.drafting.nodes import NodePool
from console.drafting.pump import pump
from console.drafting.rulesets import RuleSet, rule_set
from console.drafting.runner import run_job
from console.matters import selectors as matters
from console.matters import services as matter_services
from inference.cluster.nodes import State
from rules.store.client import StoreError
from tests.console.drafting.conftest import DISCLOSURE
from tests.console.drafting.jobs import (
    CLAIMS,
    LONG,
    LOOP,
    delivered,
    events,
    has_text,
    kinds,
    texts,
)
from tests.console.drafting.known_nodes import Known
from tests.console.drafting.test_leases import lapse
from tests.support.waiting import until

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


DEVICE = (Path(__file__).parent / "data" / "sealing_test_device.txt").read_text("utf-8")
BOOK = (DISCLOSURE + DEVICE * 60)[:200_000]


class Recorder:
    def __init__(self) -> None:
        self.jobs: list[str] = []

    def __call__(self, job_id: str, *, again: bool = False) -> None:
        self.jobs.append(job_id)


@pytest.fixture
def keeper() -> Keeper:
    return Keeper(Recorder())


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


def test_a_job_writes_its_claims_one_after_the_other(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    written = node(CLAIMS)
    job = start()
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert (job.status, texts(job)) == (JobStatus.COMPLETED, CLAIMS)
    assert kinds(job) == [
        "job.queued",
        "job.started",
        *["claim.started", "claim.delta", "claim.completed"] * 3,
        "job.completed",
    ]
    assert [event["seq"] for event in events(job)] == list(range(1, len(events(job)) + 1))
    assert list(delivered(job).values()) == CLAIMS
    assert job.tokens["delivered"] == sum(map(len, CLAIMS))
    assert job.progress == {"done": 3, "failed": 0, "index": 3, "total": 3}
    # The prompts of dependents begin alike up to their notes: the node's prefix cache stays warm.
    before_note, _ = written.prompts[1].split("要点：")
    assert written.prompts[2].startswith(before_note)
    # Claim 1 is written from the core alone, so that something is left for its dependents.
    assert "进一步" not in written.prompts[0]
    assert "要点：" not in written.prompts[0]


def test_each_dependent_gets_another_note_from_the_disclosure(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    node(CLAIMS)
    job = start()
    run_job(str(job.pk), keeper)
    hints = [one["hint"] for one in events(job) if one["kind"] == "claim.started"]
    assert hints[0] == ""
    assert len({*hints}) == 3
    assert all(hint in "".join(hints) for hint in ("基材层的厚度为20μm",))


def test_stop_closes_the_stream_at_once_and_keeps_what_is_finished(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    slow = node([CLAIMS[0], LONG], pauses={LONG: 0.2})
    job = start()
    with InThread(job, keeper):
        until(lambda: len(slow.requests) == 2)
        services.stop(job=job)
        # A second on a machine that does nothing else, which test_real_node.py asserts.
        assert slow.closed_by_reader.wait(5.0)
    job.refresh_from_db()
    assert job.status == JobStatus.STOPPED
    assert texts(job) == CLAIMS[:1]
    assert kinds(job)[-1] == "job.stopped"


def test_a_loop_is_discarded_and_the_claim_begun_anew_with_its_first_words_given(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    written = node([CLAIMS[0], LOOP, *CLAIMS[1:]])
    job = start()
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert texts(job) == CLAIMS
    retry = next(one for one in events(job) if one["kind"] == "claim.retry")
    assert (retry["reason"], retry["attempt"]) == ("loop", 1)
    assert 40 < job.tokens["discarded"]["loop"] < len(LOOP)
    # The second attempt keeps the note and is given the words up to what it is about.
    notes = [one["hint"] for one in events(job) if one["kind"] == "claim.started"]
    assert notes[1] == notes[2] == "基材层的厚度为20μm"
    assert written.resumed == ["根据权利要求1所述的多层膜，其特征在于，所述基材层"]
    assert job.tokens["given"] == len(written.resumed[0])


def test_a_claim_that_cannot_be_completed_is_reported_and_not_stored(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    head = "根据权利要求1所述的多层膜，其特征在于，"
    endless = [head + "所述基材层的厚度为20μm，且", head + "所述涂层为氧化硅涂层，且"]
    written = node([CLAIMS[0], *endless, CLAIMS[2].replace("或2", "")])
    job = start()
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert texts(job) == [CLAIMS[0], CLAIMS[2].replace("或2", "")]
    assert [body["temperature"] for body in written.requests[1:5]] == [0.0, 0.0, 0.0, 0.9]
    failed = next(one for one in events(job) if one["kind"] == "claim.failed")
    assert failed["reason"] == "too_long"
    assert (job.status, job.progress["failed"]) == (JobStatus.COMPLETED, 1)


def test_a_text_that_breaks_an_enforced_rule_is_written_again(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    node([CLAIMS[0], "根据权利要求7所述的多层膜，其特征在于，还包括胶层。", *CLAIMS[1:]])
    job = start()
    run_job(str(job.pk), keeper)
    assert [one["reason"] for one in events(job) if one["kind"] == "claim.retry"] == ["violation"]
    assert texts(job) == CLAIMS


def test_a_stream_that_breaks_goes_on_at_the_next_node_token_for_token(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    first, second = node(CLAIMS, break_after=12), node(CLAIMS, break_after=12)
    job = start()
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert texts(job) == CLAIMS
    assert list(delivered(job).values()) == CLAIMS
    assert CLAIMS[0][:12] in first.resumed + second.resumed
    assert "stream_broken" in [one["reason"] for one in events(job) if one["kind"] == "job.moved"]
    assert job.tokens["replayed"] >= 12
    assert job.tokens["delivered"] == sum(map(len, CLAIMS))


def test_a_paused_claim_goes_on_in_the_middle_when_the_job_is_resumed(
    start: Callable[..., Any], node: Any, keeper: Keeper, queued: list[str]
) -> None:
    slow = node(CLAIMS, pauses={CLAIMS[0]: 0.2})
    job = start()
    with InThread(job, keeper):
        until(has_text(job, 5))
        services.pause(job=job)
    job.refresh_from_db()
    assert job.status == JobStatus.PAUSED
    assert slow.closed_by_reader.is_set()
    slow.pauses.clear()
    services.resume(job=job)
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert (job.status, texts(job)) == (JobStatus.COMPLETED, CLAIMS)
    assert list(delivered(job).values()) == CLAIMS
    assert slow.resumed
    assert "job.resumed" in kinds(job)


def test_a_pause_after_each_claim_lets_the_worker_go(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    node(CLAIMS)
    job = start(pause_after_each=True)
    for done in (1, 2):
        run_job(str(job.pk), keeper)
        job.refresh_from_db()
        assert (job.status, len(texts(job))) == (JobStatus.PAUSED, done)
        services.resume(job=job)
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert (job.status, texts(job)) == (JobStatus.COMPLETED, CLAIMS)


def test_a_worker_that_goes_down_hands_the_claim_over_in_the_middle(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    slow = node(CLAIMS, pauses={CLAIMS[0]: 0.2})
    job = start()
    with InThread(job, keeper):
        until(has_text(job, 5))
        keeper.drain()
    assert keeper.dispatch.jobs == [str(job.pk)]
    run_job(str(job.pk), keeper)
    slow.pauses.clear()
    run_job(str(job.pk), Keeper(Recorder()))
    job.refresh_from_db()
    assert (job.status, texts(job)) == (JobStatus.COMPLETED, CLAIMS)
    assert list(delivered(job).values()) == CLAIMS
    assert {"kind": "job.moved", "reason": "worker"}.items() <= next(
        one for one in events(job) if one["kind"] == "job.moved"
    ).items()


def test_a_worker_that_lost_its_job_changes_nothing_more(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    slow = node([*CLAIMS, *CLAIMS], pauses={CLAIMS[0]: 0.2})
    job = start()
    with InThread(job, keeper):
        until(has_text(job, 5))
        # Another worker has taken the job over, and has written to the log.
        lapse(job)
        leases.acquire(job.pk, "other")
        EventLog(job.pk, "other").append_next("job.moved", reason="worker")
    job.refresh_from_db()
    assert (job.status, job.lease_owner) == (JobStatus.RUNNING, "other")
    assert kinds(job)[-1] == "job.moved"
    slow.pauses.clear()
    lapse(job)
    run_job(str(job.pk), Keeper(Recorder()))
    assert texts(job) == CLAIMS
    assert list(delivered(job).values()) == CLAIMS


def test_a_claim_that_has_said_its_note_ends_there_and_whoever_takes_over_leaves_it_so(
    start: Callable[..., Any],
    node: Any,
    keeper: Keeper,
    make_matter: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    longer = CLAIMS[1].rstrip("。") + "，所述涂层为氧化硅涂层，还包括胶层。"
    written = node([CLAIMS[0], longer, CLAIMS[2]])
    # So little that each dependent claim must leave the rest to the next one.
    scarce = "".join(line for line in DISCLOSURE.splitlines(True) if "方法" not in line)
    job = start(matter=make_matter(disclosure=scarce.replace("进一步，所述涂层为氧化硅涂层。", "")))
    fill = ClaimWork._fill

    def lost_at_the_second(work: ClaimWork, begun: Any, attempt: Any) -> str:
        if begun.number == 2:
            work.writer.flush()
            raise FencedError("the worker is lost before it can say that the claim is finished")
        return fill(work, begun, attempt)

    monkeypatch.setattr(ClaimWork, "_fill", lost_at_the_second)
    run_job(str(job.pk), keeper)
    last = events(job)[-1]
    assert (last["kind"], last["ended"], last["text"][-1]) == ("claim.delta", True, "。")
    # The token of the comma was delivered, and would be gone on from.
    assert "".join(map(chr, last["ids"])).endswith("，")

    monkeypatch.setattr(ClaimWork, "_fill", fill)
    lapse(job)
    run_job(str(job.pk), Keeper(Recorder()))
    job.refresh_from_db()
    assert (job.status, texts(job)) == (JobStatus.COMPLETED, CLAIMS)
    assert list(delivered(job).values()) == CLAIMS
    assert len(written.requests) == 3
    assert job.tokens["delivered"] == sum(map(len, CLAIMS))


def test_what_was_given_is_not_counted_as_written_by_the_worker_that_takes_over(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    given = "根据权利要求1所述的多层膜，其特征在于，所述基材层"
    slow = node([CLAIMS[0], LOOP, *CLAIMS[1:]], pauses={CLAIMS[1]: 0.3})
    job = start()
    with InThread(job, keeper):
        until(lambda: slow.resumed)
        until(lambda: len([*delivered(job).values()][-1]) > len(given) + 2)
        keeper.drain()
    slow.pauses.clear()
    run_job(str(job.pk), Keeper(Recorder()))
    job.refresh_from_db()
    assert texts(job) == CLAIMS
    assert [text.startswith(given) for text in slow.resumed] == [True, True]
    assert job.tokens["given"] == len(given)
    assert job.tokens["replayed"] == len(slow.resumed[1]) - len(given)
    assert job.tokens["delivered"] == sum(map(len, CLAIMS)) - len(given)


def test_a_claim_filled_by_a_worker_that_died_before_it_could_say_so_is_not_written_twice(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    written = node(CLAIMS[1:])
    job = start()
    leases.acquire(job.pk, "dead")
    log = EventLog(job.pk, "dead")
    plan = [{"kind": "independent", "category": "product", "subject": "多层膜"}]
    plan += [{"kind": "dependent", "category": "product", "subject": "多层膜"}] * 2
    log.append_next("job.started", worker="dead", plan=plan)
    begun = matter_services.begin_claim(document_id=job.document_id, after_id=None, job_id=job.pk)
    log.append_next(
        "claim.started",
        claim_id=begun.claim_id,
        number=1,
        attempt=1,
        hint="",
        index=0,
        numbering=begun.numbering,
    )
    log.append_next("claim.delta", claim_id=begun.claim_id, text=CLAIMS[0], ids=[1, 2])
    matter_services.fill_claim(
        document_id=job.document_id,
        claim_id=begun.claim_id,
        text=CLAIMS[0],
        numbering=begun.numbering,
        job_id=job.pk,
    )
    lapse(job)
    run_job(str(job.pk), keeper)
    assert texts(job) == CLAIMS
    assert len(written.requests) == 2
    assert kinds(job).count("claim.completed") == 3


def test_a_claim_that_the_agent_removes_while_it_is_written_is_passed_over(
    start: Callable[..., Any], node: Any, keeper: Keeper, agent: Any
) -> None:
    slow = node([CLAIMS[0], LONG, CLAIMS[1]], pauses={LONG: 0.2})
    job = start()
    with InThread(job, keeper):
        until(lambda: len(slow.requests) == 2)
        row = matters.claim_set(job.document_id)[1]
        matter_services.apply_operation(
            document_id=job.document_id,
            user=agent,
            base_revision=matters.claims_document(job.document.matter_id).revision,
            op={"kind": "remove", "claim_id": row["id"]},
        )
        slow.pauses.clear()
    assert texts(job) == CLAIMS[:2]
    failed = [one for one in events(job) if one["kind"] == "claim.failed"]
    assert [(one["reason"], one["number"]) for one in failed] == [("removed", 2)]


def test_without_any_node_the_job_says_so_and_gives_up_with_its_claims_kept(
    start: Callable[..., Any], node: Any, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "NO_NODE_SECONDS", 2.0)
    only = node([CLAIMS[0], LONG], pauses={LONG: 0.2})
    job = start()
    with InThread(job, keeper):
        until(lambda: len(only.requests) == 2)
        only.__exit__()
    job.refresh_from_db()
    assert (job.status, job.error_code) == (JobStatus.FAILED, "no_node")
    assert texts(job) == CLAIMS[:1]
    assert "node_unreachable" in [
        one["reason"] for one in events(job) if one["kind"] == "job.moved"
    ]


@pytest.mark.parametrize(
    ("known", "reason"), [([], "waiting_for_node"), (["starting"], "node_loading")]
)
def test_who_waits_for_a_node_is_told_whether_one_is_loading_its_model(
    start: Callable[..., Any],
    keeper: Keeper,
    monkeypatch: pytest.MonkeyPatch,
    known: list[State],
    reason: str,
) -> None:
    monkeypatch.setattr(delivery, "NO_NODE_SECONDS", 0.5)
    pool = NodePool(Known(known))
    monkeypatch.setattr("console.drafting.runner.node_pool", lambda: pool)
    job = start()
    with InThread(job, keeper):
        until(lambda: any(one["kind"] == "job.failed" for one in events(job)))
    moved = [one["reason"] for one in events(job) if one["kind"] == "job.moved"]
    assert moved == [reason]


def test_rules_that_cannot_be_read_for_a_moment_are_waited_for(
    start: Callable[..., Any], node: Any, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = [StoreError("rules_unavailable", "etcd is away")] * 2

    def away_at_first(*pinned: Any) -> RuleSet:
        if refusals:
            raise refusals.pop()
        return rule_set(*pinned)

    monkeypatch.setattr("console.drafting.runner.rule_set", away_at_first)
    node(CLAIMS)
    job = start()
    with InThread(job, keeper):
        pass
    job.refresh_from_db()
    assert (job.status, refusals) == (JobStatus.COMPLETED, [])
    assert texts(job) == CLAIMS


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


def test_a_log_that_was_lost_does_not_lose_the_job(
    start: Callable[..., Any], node: Any, keeper: Keeper, valkey: Any
) -> None:
    node(CLAIMS)
    job = start(pause_after_each=True)
    run_job(str(job.pk), keeper)
    before = EventLog(job.pk).last_seq()
    valkey.flushall()
    DraftJob.objects.filter(pk=job.pk).update(
        status=JobStatus.QUEUED, params={**job.params, "pause_after_each": False}
    )
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert (job.status, texts(job)) == (JobStatus.COMPLETED, CLAIMS)
    assert events(job)[0]["seq"] > before


def test_a_job_that_failed_inside_says_so_and_frees_its_document(
    start: Callable[..., Any], node: Any, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    node(CLAIMS)
    job = start()

    def broken(*_: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr("console.drafting.runner.plan_claims", broken)
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert (job.status, job.error_code) == (JobStatus.FAILED, "internal_error")
    assert kinds(job)[-1] == "job.failed"


@pytest.mark.parametrize(
    ("language", "words"), [("zh-hans", "既有产品又有方法"), ("en", "a method")]
)
def test_a_subject_that_the_rules_refuse_is_told_to_the_agent_in_their_own_words(
    start: Callable[..., Any], node: Any, keeper: Keeper, language: str, words: str
) -> None:
    node(CLAIMS)
    job = start(product_subject="多层膜及其制备方法")
    with translation.override(language):
        run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert (job.status, job.error_code) == (JobStatus.FAILED, "claim_refused")
    assert words in job.error_message


def test_a_disclosure_of_200_000_characters_is_read_once_and_drafted_from(
    start: Callable[..., Any],
    node: Any,
    keeper: Keeper,
    make_matter: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    node(CLAIMS)
    reads: list[int] = []

    def counted(disclosure: str) -> list[Sentence]:
        reads.append(len(disclosure))
        return read_sentences(disclosure)

    monkeypatch.setattr(material, "read_sentences", counted)
    job = start(matter=make_matter(disclosure=BOOK))
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert (job.status, texts(job)) == (JobStatus.COMPLETED, CLAIMS)
    assert reads == [len(BOOK)]


def test_a_stop_is_heeded_while_a_long_disclosure_is_read(
    start: Callable[..., Any],
    node: Any,
    keeper: Keeper,
    make_matter: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = node(CLAIMS)
    job = start(matter=make_matter(disclosure=BOOK))

    later: list[str] = []

    def stopped_meanwhile(disclosure: str) -> list[Sentence]:
        services.stop(job=job)
        pump().round()
        return read_sentences(disclosure)

    monkeypatch.setattr(material, "read_sentences", stopped_meanwhile)
    monkeypatch.setattr(material, "narrower", later.append)
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert job.status == JobStatus.STOPPED
    assert (later, written.requests) == ([], [])


def test_the_next_waiting_job_of_the_user_is_called_when_one_ends(
    start: Callable[..., Any],
    node: Any,
    keeper: Keeper,
    make_matter: Callable[..., Any],
    settings: Any,
) -> None:
    settings.MAX_RUNNING_DRAFTS_PER_USER = 1
    node(CLAIMS)
    job = start()
    waiting = start(matter=make_matter())
    run_job(str(job.pk), keeper)
    assert keeper.dispatch.jobs == [str(waiting.pk)]


def test_without_an_independent_claim_its_dependents_are_not_tried(
    start: Callable[..., Any], node: Any, keeper: Keeper
) -> None:
    written = node([LOOP] * 4)
    job = start()
    run_job(str(job.pk), keeper)
    job.refresh_from_db()
    assert (job.status, job.error_code) == (JobStatus.FAILED, "nothing_written")
    assert len(written.requests) == 4
    assert texts(job) == []
    # Each of them is reported, with the number that it would have had.
    failed = [one for one in events(job) if one["kind"] == "claim.failed"]
    assert [(one["number"], one["reason"]) for one in failed] == [
        (1, "loop"),
        (2, "no_independent"),
        (3, "no_independent"),
    ]
    assert "没有可供引用的独立权利要求" in failed[1]["message"]
    assert job.progress["failed"] == 3


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
