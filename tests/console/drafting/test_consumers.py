import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.models import Session

from console.drafting import consumers, leases, services
from console.drafting.eventlog import EventLog, controls
from console.drafting.models import DraftJob
from console.matters import selectors as matters
from console.matters import services as matter_services
from tests.console.drafting.jobs import CLAIMS
from tests.support.websocket import Socket

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

START = {"type": "draft.start", "request_id": "r1", "params": {"count": 3}}


@asynccontextmanager
async def tab(client: Any, matter_id: object) -> AsyncIterator[Socket]:
    """A browser tab of the matter."""
    socket = Socket(client, f"/ws/matters/{matter_id}/")
    assert await socket.connect()
    yield socket
    await socket.disconnect()


def own_claim(matter: Any, user: Any) -> Any:
    """A claim that the agent wrote."""
    document = matters.claims_document(matter.pk)
    result = matter_services.apply_operation(
        document_id=document.pk,
        user=user,
        base_revision=document.revision,
        op={"kind": "insert", "after_id": None, "text": CLAIMS[0]},
    )
    return result.claims[0]


async def test_a_tab_is_told_the_state_and_then_every_event(
    start: Callable[..., Any], agent_client: Any, matter: Any
) -> None:
    job = await sync_to_async(start)()
    log = EventLog(job.pk, "w")
    async with tab(agent_client, matter.pk) as page:
        await page.say({"type": "hello", "job": None, "after": 0})
        welcome = await page.hear()
        assert (welcome["type"], welcome["job"]["id"]) == ("welcome", str(job.pk))
        await sync_to_async(log.append_next)("job.started", worker="w", plan=[])
        await sync_to_async(log.append_next)(
            "claim.delta", claim_id="c1", text="一种膜。", ids=[7, 8], given=1, ended=True
        )
        events = await page.events(3)
    assert [event["seq"] for event in events] == [1, 2, 3]
    assert events[2]["text"] == "一种膜。"
    # What a takeover needs stays on the server.
    kept = {"ids", "given", "ended", "plan", "worker", "numbering"}
    assert not kept & {key for one in events for key in one}


async def test_a_tab_that_comes_back_gets_what_it_missed_and_nothing_twice(
    start: Callable[..., Any], agent_client: Any, matter: Any
) -> None:
    job = await sync_to_async(start)()
    log = EventLog(job.pk, "w")
    for _ in range(4):
        await sync_to_async(log.append_next)("job.moved", reason="worker")
    async with tab(agent_client, matter.pk) as page:
        await page.say({"type": "hello", "job": str(job.pk), "after": 3})
        assert [event["seq"] for event in await page.events(2)] == [4, 5]
        await sync_to_async(log.append_next)("job.moved", reason="worker")
        assert [event["seq"] for event in await page.events(1)] == [6]


async def test_the_end_of_a_job_can_be_read_after_it_has_ended(
    start: Callable[..., Any], agent_client: Any, matter: Any
) -> None:
    job = await sync_to_async(start)()
    await sync_to_async(services.stop)(job=job)
    async with tab(agent_client, matter.pk) as page:
        await page.say({"type": "hello", "job": str(job.pk), "after": 1})
        assert [event["kind"] for event in await page.events(1)] == ["job.stopped"]


async def test_a_start_over_the_socket_makes_a_job_and_shows_it_in_every_tab(
    start: Callable[..., Any], agent_client: Any, member_client: Any, matter: Any
) -> None:
    async with tab(agent_client, matter.pk) as page, tab(member_client, matter.pk) as other:
        await page.say(START)
        view = await page.hear("job.view")
        assert (view["job"]["status"], view["job"]["total"]) == ("queued", 3)
        assert (await other.hear("job.view"))["job"]["id"] == view["job"]["id"]
        assert (await other.events(1))[0]["kind"] == "job.queued"
        await other.say({"type": "draft.stop", "job": view["job"]["id"]})
        await page.hear("job.events")
        assert (await page.events(1))[0]["kind"] == "job.stopped"


async def test_pause_and_resume_reach_the_job(
    start: Callable[..., Any], agent_client: Any, matter: Any
) -> None:
    job = await sync_to_async(start)()
    await sync_to_async(leases.acquire)(job.pk, "w")
    async with tab(agent_client, matter.pk) as page:
        await page.say({"type": "draft.pause", "job": str(job.pk)})
        await page.say({"type": "ping"})
        await page.hear("pong")
        assert await sync_to_async(controls)([str(job.pk)]) == ["pause"]
        await page.say({"type": "draft.resume", "job": str(job.pk)})
        await page.say({"type": "ping"})
        await page.hear("pong")
        assert await sync_to_async(controls)([str(job.pk)]) == [""]


async def test_a_draft_that_rests_comes_back_with_its_events_after_a_claim_was_written_anew(
    start: Callable[..., Any], agent_client: Any, agent: Any, matter: Any
) -> None:
    job = await sync_to_async(start)()
    claim = await sync_to_async(own_claim)(matter, agent)
    await sync_to_async(leases.acquire)(job.pk, "w")
    await sync_to_async(EventLog(job.pk, "w").append_next)("job.paused")
    await sync_to_async(leases.leave)(job.pk, "w", "paused")
    async with tab(agent_client, matter.pk) as page:
        await page.say({"type": "hello", "job": None, "after": 0})
        assert (await page.hear("welcome"))["job"]["id"] == str(job.pk)
        assert [event["kind"] for event in await page.events(2)] == ["job.queued", "job.paused"]
        await page.say(
            {
                "type": "draft.regenerate",
                "request_id": "r2",
                "claim_id": claim["id"],
                "instruction": "",
            }
        )
        anew = (await page.hear("job.view"))["job"]
        assert (anew["status"], anew["id"] != str(job.pk)) == ("queued", True)
        await page.say({"type": "draft.stop", "job": anew["id"]})
        while (back := (await page.hear("job.view"))["job"])["id"] != str(job.pk):
            pass
        assert back["status"] == "paused"
        while (told := await page.hear("job.events"))["job"] != str(job.pk):
            pass
        assert [event["seq"] for event in told["events"]] == [1, 2]


async def test_a_refused_request_is_answered_with_its_code(
    start: Callable[..., Any], agent_client: Any, make_matter: Callable[..., Any]
) -> None:
    empty = await sync_to_async(make_matter)(disclosure="")
    async with tab(agent_client, empty.pk) as page:
        await page.say(START)
        error = await page.hear()
        assert (error["type"], error["code"], error["request_id"]) == (
            "error",
            "no_disclosure",
            "r1",
        )
        await page.say(
            {
                "type": "draft.regenerate",
                "request_id": "r2",
                "claim_id": "c0",
                "instruction": "",
            }
        )
        assert (await page.hear())["code"] == "claim_gone"


async def test_an_outsider_gets_not_found_and_nothing_else(
    outsider_client: Any, operator_client: Any, matter: Any, valkey: Any
) -> None:
    for client in (outsider_client, operator_client):
        async with tab(client, matter.pk) as page:
            assert await page.closed() == 4404
    async with tab(outsider_client, "no-such-matter") as page:
        assert await page.closed() == 4404


async def test_without_a_login_the_socket_closes_with_its_code(matter: Any, client: Any) -> None:
    async with tab(client, matter.pk) as page:
        assert await page.closed() == 4401


async def test_another_sites_page_cannot_connect(agent_client: Any, matter: Any) -> None:
    path = f"/ws/matters/{matter.pk}/"
    assert not await Socket(agent_client, path, origin="https://elsewhere.example").connect()


async def test_ids_of_another_team_answer_as_ids_that_do_not_exist(
    start: Callable[..., Any],
    agent: Any,
    outsider_client: Any,
    make_matter: Any,
    matter: Any,
    outsider: Any,
    other_team: Any,
) -> None:
    job = await sync_to_async(start)()
    await sync_to_async(leases.acquire)(job.pk, "w")
    claim = (await sync_to_async(own_claim)(matter, agent))["id"]
    own = await sync_to_async(make_matter)(user=outsider, team=other_team)
    await sync_to_async(own_claim)(own, outsider)

    async def answer(page: Socket, message: dict[str, Any]) -> dict[str, Any]:
        await page.say(message)
        heard = await page.hear()
        # Nothing else follows: what comes next is the answer to the next message.
        await page.say({"type": "ping"})
        assert (await page.hear())["type"] == "pong"
        return heard

    def messages(job_id: str, claim_id: str) -> list[dict[str, Any]]:
        regenerate = {"type": "draft.regenerate", "request_id": "r", "instruction": ""}
        return [
            {"type": "hello", "job": job_id, "after": 0},
            {"type": "draft.stop", "job": job_id},
            {"type": "draft.pause", "job": job_id},
            {"type": "draft.resume", "job": job_id},
            {**regenerate, "claim_id": claim_id},
        ]

    async with tab(outsider_client, own.pk) as page:
        foreign = [await answer(page, one) for one in messages(str(job.pk), claim)]
        absent = [await answer(page, one) for one in messages(str(uuid.uuid4()), "c0123456789")]
    assert foreign == absent
    assert [one["code"] for one in foreign] == ["job_not_found"] * 4 + ["claim_gone"]
    await sync_to_async(job.refresh_from_db)()
    assert job.status == "running"
    assert await sync_to_async(controls)([str(job.pk)]) == [""]
    assert await DraftJob.objects.acount() == 1


async def test_a_start_with_a_request_id_of_another_team_makes_a_job_of_ones_own(
    start: Callable[..., Any],
    outsider_client: Any,
    make_matter: Any,
    outsider: Any,
    other_team: Any,
) -> None:
    job = await sync_to_async(start)(request_id="r1")
    own = await sync_to_async(make_matter)(user=outsider, team=other_team)
    async with tab(outsider_client, own.pk) as page:
        await page.say(START)
        view = await page.hear("job.view")
    assert view["job"]["id"] != str(job.pk)


async def test_when_the_login_expires_the_socket_closes_and_sends_nothing_more(
    start: Callable[..., Any], agent_client: Any, matter: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "RECHECK_SECONDS", 0.1)
    job = await sync_to_async(start)()
    async with tab(agent_client, matter.pk) as page:
        await page.say({"type": "hello", "job": None, "after": 0})
        await page.events(1)
        await sync_to_async(Session.objects.all().delete)()
        assert await page.closed() == 4401
        await sync_to_async(EventLog(job.pk, "w").append_next)("job.moved", reason="worker")
        assert await page.receive_nothing(timeout=0.3)


async def test_leaving_the_team_ends_the_connection_at_the_next_message(
    agent_client: Any, agent: Any, matter: Any, valkey: Any
) -> None:
    async with tab(agent_client, matter.pk) as page:
        await sync_to_async(agent.teams.clear)()
        await page.say({"type": "hello", "job": None, "after": 0})
        assert await page.closed() == 4404


async def test_junk_is_answered_with_errors_and_then_the_door(
    agent_client: Any, matter: Any, valkey: Any
) -> None:
    async with tab(agent_client, matter.pk) as page:
        await page.say("<script>alert(1)</script>")
        assert (await page.hear())["code"] == "not_json"
        await page.say_bytes(b"\x00\xff" * 50)
        assert (await page.hear())["code"] == "not_json"
        await page.say({"type": "rm -rf"})
        assert (await page.hear())["code"] == "unknown_type"
        await page.say("x" * 1_000_000)
        assert (await page.hear())["code"] == "frame_too_large"
        await page.say({"type": "hello", "after": "now"})
        assert (await page.hear())["code"] == "bad_field"
        assert await page.closed() == 4400


async def test_a_flood_of_messages_ends_the_connection(
    agent_client: Any, matter: Any, valkey: Any
) -> None:
    async with tab(agent_client, matter.pk) as page:
        for _ in range(consumers.MAX_MESSAGES + 5):
            await page.say({"type": "ping"})
        assert await page.closed() == 4429


async def test_one_tab_that_sends_junk_does_not_disturb_another(
    start: Callable[..., Any], agent_client: Any, member_client: Any, matter: Any
) -> None:
    job = await sync_to_async(start)()
    async with tab(agent_client, matter.pk) as bad, tab(member_client, matter.pk) as good:
        await good.say({"type": "hello", "job": None, "after": 0})
        for _ in range(5):
            await bad.say("junk")
        assert await bad.closed() == 4400
        await sync_to_async(EventLog(job.pk, "w").append_next)("job.moved", reason="worker")
        assert [event["seq"] for event in await good.events(2)] == [1, 2]


async def test_an_edit_elsewhere_is_announced(
    agent_client: Any, agent: Any, matter: Any, valkey: Any
) -> None:
    async with tab(agent_client, matter.pk) as page:
        await page.say({"type": "hello", "job": None, "after": 0})
        welcome = await page.hear("welcome")
        document = await sync_to_async(matters.claims_document)(matter.pk)
        await sync_to_async(matter_services.apply_operation)(
            document_id=document.pk,
            user=agent,
            base_revision=document.revision,
            op={"kind": "insert", "after_id": None, "text": "一种膜。"},
        )
        changed = await page.hear("document.changed")
        assert changed["revision"] > welcome["document_revision"]


async def test_ten_starts_at_once_make_one_job_and_nine_clear_answers(
    start: Callable[..., Any], agent_client: Any, matter: Any
) -> None:
    async with tab(agent_client, matter.pk) as page:
        for number in range(10):
            await page.say({**START, "request_id": f"r{number}"})
        codes = [(await page.hear("error"))["code"] for _ in range(9)]
    assert codes == ["job_active"] * 9
    assert await DraftJob.objects.acount() == 1


async def test_a_tab_that_does_not_read_does_not_hold_up_the_job(
    start: Callable[..., Any], agent_client: Any, member_client: Any, matter: Any
) -> None:
    job = await sync_to_async(start)()
    log = EventLog(job.pk, "w")
    async with tab(agent_client, matter.pk) as idle, tab(member_client, matter.pk) as reader:
        await idle.say({"type": "hello", "job": None, "after": 0})
        await reader.say({"type": "hello", "job": None, "after": 0})
        await asyncio.sleep(0)
        for _ in range(50):
            await sync_to_async(log.append_next)(
                "claim.delta", claim_id="c1", text="长" * 200, ids=[]
            )
        events = await reader.events(51)
        assert [event["seq"] for event in events] == list(range(1, 52))
        assert [event["seq"] for event in await idle.events(51)] == list(range(1, 52))
