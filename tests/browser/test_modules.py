"""The pure modules of the page (tests/browser/modules), run where they live: in a browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route

ROOT = Path(__file__).parents[2]
MODULES = sorted((Path(__file__).parent / "modules").glob("*.test.js"))
TYPES = {".js": "text/javascript", ".json": "application/json"}

PAGE = """<!doctype html><script type="importmap">{"imports": {
  "node:test": "/tests/browser/modules/in_browser/test.js",
  "node:assert/strict": "/tests/browser/modules/in_browser/assert.js"}}</script>"""


@pytest.mark.browser
@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name.removesuffix(".test.js"))
def test_module(chromium: Browser, path: Path) -> None:
    page = chromium.new_page()

    def answer(route: Route) -> None:
        wanted = route.request.url.removeprefix("http://modules.test")
        if wanted == "/":
            route.fulfill(body=PAGE, content_type="text/html")
        else:
            file = ROOT / wanted.lstrip("/")
            route.fulfill(body=file.read_text("utf-8"), content_type=TYPES[file.suffix])

    page.route("http://modules.test/**", answer)
    page.goto("http://modules.test/")
    results = page.evaluate(
        """async (address) => {
          await import(address);
          return (await import("node:test")).results();
        }""",
        f"/{path.relative_to(ROOT)}",
    )
    page.close()
    assert results, f"{path.name} has no tests"
    assert [result for result in results if result["error"]] == []
