"""Matters with disclosures and jobs, rules in force, and a keeper that queues nothing by itself."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.console.drafting.test_plan import params
from tests.console.drafting.writing_node import WritingNode

TITLE = "一种多层膜及其制备方法"
DISCLOSURE = (
    "技术方案\n一种多层膜，包括基材层和涂层，所述涂层设于所述基材层的表面。\n"
    "进一步，所述基材层的厚度为20μm。\n进一步，所述涂层为氧化硅涂层。\n"
    "进一步，还包括设于所述涂层上的保护层。\n"
    "所述多层膜的制备方法，包括以下步骤：提供基材层；在所述基材层上涂布涂层；在80℃下干燥。\n"
)


@pytest.fixture
def rules_in_force(etcd: Any) -> Iterator[None]:
    """The built-in pack, published in a real etcd."""
    from rules.compiler import compile_pack
    from rules.packs import load_builtin
    from rules.store.client import store

    store.cache_clear()
    store().publish_builtin(compile_pack(load_builtin("cn-claims")).document)
    yield
    store().close()
    store.cache_clear()


@pytest.fixture
def make_matter(agent: Any, team: Any) -> Callable[..., Any]:
    from console.matters import services

    def make(title: str = TITLE, disclosure: str = DISCLOSURE, **changes: Any) -> Any:
        user = changes.get("user", agent)
        matter = services.create_matter(
            user=user, team_id=changes.get("team", team).pk, title=title
        )
        if disclosure:
            services.store_disclosure(matter_id=matter.pk, user=user, text=disclosure)
        return matter

    return make


@pytest.fixture
def matter(make_matter: Callable[..., Any]) -> Any:
    return make_matter()


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The jobs that were handed to the queue; no worker takes them by itself."""
    from console.drafting import tasks

    jobs: list[str] = []
    monkeypatch.setattr(tasks.draft, "delay", jobs.append)
    return jobs


@pytest.fixture
def start_queued(matter: Any, agent: Any, rules_in_force: None, valkey: Any) -> Callable[..., Any]:
    """Starts a draft as the agent, and queues it; keyword arguments change its parameters."""
    from console.drafting import services

    numbers = iter(range(1_000))

    def begin(**changes: Any) -> Any:
        who = changes.pop("user", agent)
        where = changes.pop("matter", matter)
        request_id = changes.pop("request_id", f"request-{next(numbers)}")
        changes = {"count": 3, "categories": ["product"], **changes}
        return services.start_draft(
            user=who, matter=where, request_id=request_id, params=params(**changes)
        )

    return begin


@pytest.fixture
def start(start_queued: Callable[..., Any], queued: list[str]) -> Callable[..., Any]:
    """The same, but the queue only remembers the job."""
    return start_queued


@pytest.fixture
def node(settings: Any) -> Iterator[Callable[..., WritingNode]]:
    """Starts a scripted node and makes it the only one."""
    from console.drafting.nodes import node_pool

    running: list[WritingNode] = []

    def begin(texts: list[str], **changes: Any) -> WritingNode:
        one = WritingNode(texts, **changes)
        one.__enter__()
        running.append(one)
        settings.NODES = [one.url for one in running]
        node_pool.cache_clear()
        return one

    yield begin
    for one in running:
        if not one.stopped:
            one.__exit__()
    node_pool.cache_clear()


@pytest.fixture
def keeper() -> Any:
    """A keeper that remembers whom it called instead of queueing."""
    from console.drafting.keeper import Keeper
    from tests.console.drafting.in_thread import Recorder

    return Keeper(Recorder())
