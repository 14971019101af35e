"""The WebSocket of a matter: what the agent asks for goes to services, the event log comes back.

Every message is checked against the database: the login, the role, the team. A connection that only
listens is checked every RECHECK_SECONDS, before anything more is sent to it.
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, cast

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.utils.translation import gettext as _

from console.accounts.models import User
from console.drafting import selectors, services
from console.drafting.access import LoginExpired, NotVisible, visible_matter
from console.drafting.errors import DraftingError
from console.drafting.events import ENDINGS, for_browser
from console.drafting.protocol import (
    CLOSE_FLOOD,
    CLOSE_JUNK,
    CLOSE_LOGIN_EXPIRED,
    CLOSE_NOT_FOUND,
    ClientMessage,
    DraftControl,
    DraftRegenerate,
    DraftStart,
    Hello,
    Ping,
    ProtocolError,
    read_message,
)
from console.drafting.tailer import tailer
from console.matters import selectors as matters
from console.matters.models import Document, Matter
from console.matters.notify import document_group
from rules.store.client import StoreError

log = logging.getLogger(__name__)

RECHECK_SECONDS = 10.0
# A person, even one who clicks fast, stays far below.
MAX_MESSAGES = 60
PER_SECONDS = 10.0
MAX_JUNK = 5


class DraftingConsumer(AsyncJsonWebsocketConsumer):  # type: ignore[misc]
    """One browser tab. `hello` begins the flow of events; requests are answered by events too."""

    async def connect(self) -> None:
        self.matter_id: str = self.scope["url_route"]["kwargs"]["matter_id"]
        self._followed: dict[str, asyncio.Task[None]] = {}
        self._shown = ""
        self._arrivals: list[float] = []
        self._junk = 0
        self._checked = 0.0
        self._group = ""
        # Accepted first: a refusal before that reaches the browser without its code.
        await self.accept()
        try:
            self.user, self.matter = await self._look()
        except (LoginExpired, NotVisible) as refusal:
            await self._turn_away(refusal)
            return
        self.document: Document = await database_sync_to_async(matters.claims_document)(
            self.matter.pk
        )
        self._group = document_group(self.document.pk)
        await self.channel_layer.group_add(self._group, self.channel_name)
        self._watch = asyncio.create_task(self._keep_checking())

    async def disconnect(self, code: int) -> None:
        tasks = [*self._followed.values(), *([self._watch] if self._group else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._group:
            await self.channel_layer.group_discard(self._group, self.channel_name)

    # --- from the browser ---------------------------------------------------------------------

    async def receive(
        self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any
    ) -> None:
        if not self._group:
            return
        if self._is_flood():
            await self.close(CLOSE_FLOOD)
            return
        request_id = ""
        try:
            if text_data is None:
                raise ProtocolError("not_json", _("只接受文本消息。"))
            message = read_message(text_data)
            request_id = cast(dict[str, str], message).get("request_id", "")
            await self._check()
            await self._answer(message)
        except (LoginExpired, NotVisible) as refusal:
            await self._turn_away(refusal)
        except ProtocolError as error:
            await self._error(error.code, error.message, error.request_id)
            self._junk += 1
            if self._junk >= MAX_JUNK:
                await self.close(CLOSE_JUNK)
        except (DraftingError, StoreError) as error:
            await self._error(error.code, str(error), request_id)
        except Exception as error:
            log.error("message of matter %s failed: %s", self.matter_id, type(error).__name__)
            await self._error("internal_error", _("处理请求时出现内部错误，请重试。"), request_id)

    async def _answer(self, message: ClientMessage) -> None:
        answers: dict[str, Callable[[Any], Awaitable[None]]] = {
            "hello": self._hello,
            "draft.start": self._start,
            "draft.stop": self._control,
            "draft.pause": self._control,
            "draft.resume": self._control,
            "draft.regenerate": self._regenerate,
            "ping": self._pong,
        }
        await answers[message["type"]](message)

    async def _hello(self, message: Hello) -> None:
        if message["job"]:
            await database_sync_to_async(selectors.job_of)(self.document.pk, message["job"])
        revision, job = await database_sync_to_async(self._present_state)()
        await self.send_json({"type": "welcome", "document_revision": revision, "job": job})
        self._shown = job["id"] if job else ""
        if message["job"]:
            self._follow(message["job"], message["after"])
        if job and job["status"] in ("queued", "running", "paused"):
            self._follow(job["id"], message["after"] if message["job"] in (None, job["id"]) else 0)

    async def _start(self, message: DraftStart) -> None:
        await database_sync_to_async(services.start_draft)(
            user=self.user,
            matter=self.matter,
            params=message["params"],
            request_id=message["request_id"],
        )
        await self._show_job()

    async def _regenerate(self, message: DraftRegenerate) -> None:
        await database_sync_to_async(services.regenerate)(
            user=self.user,
            matter=self.matter,
            claim_id=message["claim_id"],
            instruction=message["instruction"],
            request_id=message["request_id"],
        )
        await self._show_job()

    async def _control(self, message: DraftControl) -> None:
        job = await database_sync_to_async(selectors.job_of)(self.document.pk, message["job"])
        step = {
            "draft.stop": services.stop,
            "draft.pause": services.pause,
            "draft.resume": services.resume,
        }[message["type"]]
        await database_sync_to_async(step)(job=job)

    async def _pong(self, message: Ping) -> None:
        await self.send_json({"type": "pong"})

    # --- to the browser -----------------------------------------------------------------------

    async def document_changed(self, message: dict[str, Any]) -> None:
        """From the channel layer: the document has a new revision."""
        await self.send_json({"type": "document.changed", "revision": message["revision"]})

    async def job_changed(self, message: dict[str, Any]) -> None:
        """From the channel layer: some job of this document appeared or changed its state."""
        await self._show_job()

    async def _show_job(self) -> None:
        """The document's present job. When it was another one before, the page has forgotten it: a
        draft that rested while one of its claims was written anew is told from its first event."""
        view = await database_sync_to_async(selectors.job_view)(self.document.pk)
        if view is None:
            return
        again, self._shown = view["id"] != self._shown, view["id"]
        await self.send_json({"type": "job.view", "job": view})
        if view["status"] in ("queued", "running", "paused"):
            self._follow(view["id"], 0, again=again)

    def _follow(self, job_id: str, after: int, *, again: bool = False) -> None:
        """Sends the job's events after number `after`; unless `again`, not if they are being sent
        already."""
        task = self._followed.get(job_id)
        if task is not None and not task.done():
            if not again:
                return
            task.cancel()
        self._followed[job_id] = asyncio.create_task(self._send_events(job_id, after))

    async def _send_events(self, job_id: str, after: int) -> None:
        try:
            async with tailer().follow(job_id, after) as subscription:
                while True:
                    events = await subscription.next()
                    await self._send_checked(job_id, events)
                    if events[-1]["kind"] in ENDINGS:
                        return
        except (LoginExpired, NotVisible) as refusal:
            await self._turn_away(refusal)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            # A browser that went away in the middle of a send; the next one asks again.
            log.info("events of job %s not sent: %s", job_id, type(error).__name__)

    async def _send_checked(self, job_id: str, events: list[Any]) -> None:
        if time.monotonic() - self._checked > RECHECK_SECONDS:
            await self._check()
        await self.send_json(
            {"type": "job.events", "job": job_id, "events": [for_browser(one) for one in events]}
        )

    async def _error(self, code: str, message: str, request_id: str = "") -> None:
        frame = {"type": "error", "code": code, "message": message}
        await self.send_json({**frame, "request_id": request_id} if request_id else frame)

    # --- who listens ----------------------------------------------------------------------------

    async def _look(self) -> tuple[User, Matter]:
        found: tuple[User, Matter] = await database_sync_to_async(visible_matter)(
            self.scope["session"].session_key, self.matter_id
        )
        self._checked = time.monotonic()
        return found

    async def _check(self) -> None:
        self.user, self.matter = await self._look()

    async def _keep_checking(self) -> None:
        while True:
            await asyncio.sleep(RECHECK_SECONDS)
            try:
                await self._check()
            except (LoginExpired, NotVisible) as refusal:
                await self._turn_away(refusal)
                return

    async def _turn_away(self, refusal: LoginExpired | NotVisible) -> None:
        expired = isinstance(refusal, LoginExpired)
        for task in self._followed.values():
            if task is not asyncio.current_task():
                task.cancel()
        await self.close(CLOSE_LOGIN_EXPIRED if expired else CLOSE_NOT_FOUND)

    def _is_flood(self) -> bool:
        now = time.monotonic()
        self._arrivals = [at for at in self._arrivals if now - at < PER_SECONDS]
        self._arrivals.append(now)
        return len(self._arrivals) > MAX_MESSAGES

    def _present_state(self) -> tuple[int, Any]:
        document = matters.claims_document(self.matter.pk)
        return document.revision, selectors.job_view(document.pk)

    @classmethod
    async def encode_json(cls, content: Any) -> str:
        # Chinese as it is: half the bytes of the escaped form.
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
