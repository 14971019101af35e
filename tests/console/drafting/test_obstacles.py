"""What a job waits for, and what it says where it cannot go on: nodes, rules, long texts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from console.drafting import delivery, material, services
from console.drafting.disclosure import Sentence, read_sentences
from console.drafting.keeper import Keeper
from console.drafting.models import JobStatus
from console.drafting.nodes import NodePool
from console.drafting.pump import pump
from console.drafting.rulesets import RuleSet, rule_set
from console.drafting.runner import run_job
from inference.cluster.nodes import State
from rules.store.client import StoreError
from tests.console.drafting.conftest import DISCLOSURE
from tests.console.drafting.in_thread import InThread
from tests.console.drafting.jobs import (
    CLAIMS,
    LONG,
    events,
    texts,
)
from tests.console.drafting.known_nodes import Known
from tests.support.waiting import until

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

DEVICE = (Path(__file__).parent / "data" / "sealing_test_device.txt").read_text("utf-8")
BOOK = (DISCLOSURE + DEVICE * 60)[:200_000]


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
