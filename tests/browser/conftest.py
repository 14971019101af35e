"""A real Chromium before the real web process, on the test's database and Valkey.

Playwright's synchronous interface runs an event loop in this thread, and Django then refuses the
database here unless told otherwise, which the fixture `chromium` does while that loop runs. Steps
that also send through the channel layer go to a thread of their own: `apart`.
"""

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connections
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.support.children import ASYNC_UNSAFE
from tests.support.ports import free_ports
from tests.support.services import ServerProcess

# Nothing is timed here: a busy machine may take its time.
expect.set_options(timeout=30_000)

SAVED = re.compile(r"已保存 \d\d:\d\d")  # the state line after the page's own save
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


def apart(work: Callable[[], Any]) -> Any:
    """The result of `work` from a thread without an event loop."""

    def run() -> Any:
        try:
            return work()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


@pytest.fixture(scope="session")
def chromium(django_db_setup: None) -> Iterator[Browser]:
    """The database is set up before the event loop runs, and taken down after it."""
    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    assert path, "Chromium is missing: install the package chromium."
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv(ASYNC_UNSAFE, "1")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


class WebProcess(ServerProcess):
    """uvicorn with the console; it can be killed and started again at the same address."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@pytest.fixture(scope="session")
def web_process(
    django_db_setup: None, valkey_server: ServerProcess, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WebProcess]:
    port = free_ports(1)[0]
    command = [sys.executable, "-m", "uvicorn", "--port", str(port), "--log-level", "warning"]
    process = WebProcess(
        [*command, "console.asgi:application"],
        port=port,
        folder=tmp_path_factory.mktemp("web"),
        changes={"PYTHONPATH": str(settings.BASE_DIR)},
    )
    process.start()
    yield process
    process.stop()


@pytest.fixture
def site(web_process: WebProcess, transactional_db: None, valkey: Any) -> str:
    """The address of the console, with an empty database and an empty Valkey."""
    return web_process.url


class Desk:
    """One person's browser, signed in. `open` gives a new tab; both tabs share the session.

    A script error or a breach of the content policy in any tab fails the test.
    """

    def __init__(self, context: BrowserContext, site: str) -> None:
        self.context = context
        self.site = site
        self.complaints: list[str] = []

    def open(self, path: str = "/") -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda message: self._hear(message.text))
        page.goto(self.site + path)
        return page

    def workspace(self, matter: Any) -> Page:
        page = self.open(f"/matters/{matter.pk}/")
        page.wait_for_selector("#workspace:not([data-loading])")
        page.wait_for_selector("#connection[data-tone=ok]")
        return page

    def _hear(self, text: str) -> None:
        if "Content Security Policy" in text or "Refused to" in text:
            self.complaints.append(text)


@pytest.fixture
def desk_of(chromium: Browser, site: str) -> Iterator[Callable[..., Desk]]:
    """desk_of(user, width=1440, height=900, **context options) → Desk; user None: not signed in."""
    desks: list[Desk] = []

    def make(user: Any = None, *, width: int = 1440, height: int = 900, **options: Any) -> Desk:
        settings_of_context = {"locale": "zh-CN", "accept_downloads": True, **options}
        context = chromium.new_context(
            viewport={"width": width, "height": height}, **settings_of_context
        )
        context.set_default_timeout(30_000)
        if user is not None:
            client = Client()
            client.force_login(user)
            cookie = client.cookies[settings.SESSION_COOKIE_NAME]
            context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": site}])
        desk = Desk(context, site)
        desks.append(desk)
        return desk

    yield make
    for desk in desks:
        desk.context.close()
    assert [complaint for desk in desks for complaint in desk.complaints] == []


CLAIMS = (
    "一种散热装置，其特征在于，包括底座和设置在所述底座上的翅片。",
    "根据权利要求1所述的散热装置，其特征在于，所述翅片为铝制翅片。",
    "根据权利要求2所述的散热装置，其特征在于，所述翅片的厚度为0.5mm至1mm。",
    "根据权利要求1所述的散热装置，其特征在于，所述底座设有通孔。",
)


@pytest.fixture
def matter(agent: Any, team: Any, site: str) -> Any:
    """A matter with a disclosure and no claims."""
    from console.matters import services

    def make() -> Any:
        made = services.create_matter(
            user=agent, team_id=team.pk, title="一种散热装置", reference="CW-2026-001"
        )
        services.store_disclosure(
            matter_id=made.pk,
            user=agent,
            text="技术领域\n本发明涉及散热装置。\n具体实施方式\n底座上设有翅片，翅片由铝制成。",
            source_name="交底书.docx",
        )
        return made

    return apart(make)


def begin(document_id: Any, job_id: str) -> Any:
    from console.matters import selectors, services

    rows = selectors.claim_set(document_id)
    after = rows[-1]["id"] if rows else None
    return services.begin_claim(document_id=document_id, after_id=after, job_id=job_id)


@pytest.fixture
def drafted(matter: Any) -> Any:
    """The matter with four claims as a draft leaves them: proposed, none decided."""
    from console.matters import selectors, services

    def fill() -> None:
        document_id = selectors.claims_document(matter.pk).pk
        for number, text in enumerate(CLAIMS):
            job_id = f"00000000-0000-0000-0000-00000000000{number}"
            begun = begin(document_id, job_id)
            services.fill_claim(
                document_id=document_id,
                claim_id=begun.claim_id,
                text=text,
                numbering=begun.numbering,
                job_id=job_id,
            )

    apart(fill)
    return matter


def texts_of(matter: Any) -> list[str]:
    """The claims in the database now."""
    from console.matters import selectors

    def read() -> list[str]:
        return [row["text"] for row in selectors.claim_set(selectors.claims_document(matter.pk).pk)]

    return apart(read)  # type: ignore[no-any-return]


def states_of(matter: Any) -> list[str]:
    from console.matters import selectors

    def read() -> list[str]:
        return [
            row["state"] for row in selectors.claim_set(selectors.claims_document(matter.pk).pk)
        ]

    return apart(read)  # type: ignore[no-any-return]


@pytest.fixture
def screenshots(request: pytest.FixtureRequest) -> Path:
    """Where a test leaves what it saw: CLAIMWRIGHT_SCREENSHOTS, else its temporary folder."""
    chosen = os.environ.get("CLAIMWRIGHT_SCREENSHOTS")
    folder = Path(chosen) if chosen else request.getfixturevalue("tmp_path")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
