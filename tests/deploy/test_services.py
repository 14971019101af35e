"""The examples of a proxy and of systemd units give the console what it needs."""

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import get_commands

from console.operations.supervisor import programs

ROOT = Path(__file__).resolve().parents[2]
UNITS = ROOT / "deploy" / "systemd"
PROXY = (ROOT / "deploy" / "nginx.conf.example").read_text("utf-8")
MEBIBYTE = 1024 * 1024
PYTHON = "/opt/claimwright/.venv/bin/python"


def commands(unit: str) -> list[list[str]]:
    text = (UNITS / f"claimwright-{unit}.service").read_text("utf-8")
    return [shlex.split(line) for line in re.findall(r"^ExecStart=(.+)$", text, re.MULTILINE)]


def supervised(start: Callable[[], Any]) -> list[str]:
    """What the one-machine supervisor starts, after the interpreter's own options."""
    _, unbuffered, *rest = start().argv
    assert unbuffered == "-u"
    return list(rest)


@pytest.mark.parametrize("unit", ["web", "worker"])
def test_a_unit_starts_what_the_supervisor_starts(unit: str) -> None:
    ((interpreter, *arguments),) = commands(unit)
    assert interpreter == PYTHON
    assert arguments == supervised(getattr(programs, f"_{unit}"))


def test_the_worker_serves_every_queue() -> None:
    ((*_, queues, _, _, _, _),) = commands("worker")
    routes = {route["queue"] for route in settings.CELERY_TASK_ROUTES.values()}
    assert set(queues.split(",")) == routes | {settings.CELERY_TASK_DEFAULT_QUEUE}


def test_nothing_drafts_before_database_and_rules_are_prepared() -> None:
    assert [arguments[1:3] for arguments in commands("prepare")] == [
        ["manage.py", "check"],
        ["manage.py", "prepare"],
    ]
    assert {"check", "prepare"} <= set(get_commands())
    for unit in ("web", "worker"):
        text = (UNITS / f"claimwright-{unit}.service").read_text("utf-8")
        assert "\nRequires=claimwright-prepare.service\nAfter=claimwright-prepare.service\n" in text


def test_the_node_takes_the_unit_s_options() -> None:
    ((_, *arguments),) = commands("node")
    outcome = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert "There is no model in /var/lib/claimwright/models/" in outcome.stderr


def test_the_proxy_lets_in_what_the_console_judges_itself() -> None:
    size = re.search(r"client_max_body_size (\d+)m;", PROXY)
    assert size
    assert int(size[1]) * MEBIBYTE > settings.MAX_BODY_BYTES
    assert int(size[1]) > 50, "a file of 50 MB is told by the console that it is too large"


@pytest.mark.parametrize(
    "line",
    [
        "proxy_http_version 1.1;",
        "proxy_set_header Host $host;",
        "proxy_set_header X-Forwarded-Proto $scheme;",
        "proxy_set_header Upgrade $http_upgrade;",
        "proxy_set_header Connection $connection_upgrade;",
    ],
)
def test_the_proxy_passes_on_what_websockets_and_secure_cookies_need(line: str) -> None:
    assert f"        {line}\n" in PROXY


def test_the_proxy_s_port_is_the_web_unit_s() -> None:
    ((*_, port, _, _, _, _, _, _),) = commands("web")
    assert f"server 127.0.0.1:{port};" in PROXY
