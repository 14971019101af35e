"""Fixtures that every part of the tests shares: people with their teams, and real servers.

The people follow one pattern, so that an access test is one line: `agent` owns things, `member` is
in the same team, `outsider` is an agent of another team; `rule_author` and `operator` have the
other two roles and no team. Each has a signed-in client named `<who>_client`.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import hypothesis
import pytest
import redis as redis_client
from django.conf import settings
from django.contrib.auth.models import Group
from django.test import Client

from tests.settings import ON_POSTGRESQL
from tests.support import services
from tests.support.node import live_log, live_node, own_nodes_last
from tests.support.waiting import until

__all__ = ["live_log", "live_node"]

PASSWORD = "right-horse-battery"  # every test user's


# On a busy machine everything is slow; that is no finding.
hypothesis.settings.register_profile("claimwright", deadline=None)
hypothesis.settings.load_profile("claimwright")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # Playwright leaves an event loop running in this thread, in which no asynchronous test can run.
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
    own_nodes_last(items)
    if ON_POSTGRESQL:
        # The second run is about the database: what does not touch it has run already.
        others = [item for item in items if not uses_database(item)]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if uses_database(item)]


def uses_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    marked = item.get_closest_marker("django_db") is not None
    return marked or bool(fixtures & {"db", "transactional_db", "django_db_setup"})


@pytest.fixture(scope="session")
def valkey_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[services.ServerProcess]:
    """Valkey at settings.REDIS_URL. Prefer `valkey`, which is empty for each test."""
    port = urlsplit(settings.REDIS_URL).port
    assert port is not None
    server = services.valkey_server(tmp_path_factory.mktemp("valkey"), port)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def valkey(valkey_server: services.ServerProcess) -> Iterator["redis_client.Redis"]:
    """An empty Valkey and its client. Broker, channel layer and event log use the same server."""
    client = redis_client.Redis.from_url(settings.REDIS_URL)
    client.flushall()
    yield client
    client.close()


@pytest.fixture(scope="session")
def etcd_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[services.ServerProcess]:
    """etcd at settings.ETCD_ENDPOINTS. Prefer `etcd`, which is empty for each test."""
    server = services.etcd_server(
        tmp_path_factory.mktemp("etcd"), int(settings.ETCD_ENDPOINTS[0].rpartition(":")[2])
    )
    server.start()
    yield server
    server.stop()


def _emptied(connection: Any) -> bool:
    from inference.etcd import EtcdError

    try:
        for entry in connection.list("/claimwright/").entries:
            connection.delete(entry.key)
    except EtcdError:
        return False
    return True


@pytest.fixture
def etcd(etcd_server: services.ServerProcess) -> Iterator[Any]:
    """An empty etcd and an inference.etcd.Etcd connected to it."""
    from inference.etcd import EtcdSettings, connect
    from rules.store.client import store

    connection = connect(EtcdSettings(endpoints=tuple(settings.ETCD_ENDPOINTS)))
    # On a busy machine the server may take longer than one call may.
    until(lambda: _emptied(connection))
    store.cache_clear()
    shutil.rmtree(settings.DATA_DIR / "rules", ignore_errors=True)
    yield connection
    connection.close()


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> Iterator[None]:
    """With CLAIMWRIGHT_TEST_DATABASE=postgresql: a PostgreSQL server before the test database."""
    if not ON_POSTGRESQL:
        yield
        return
    server = services.PostgreSQL(int(settings.DATABASES["default"]["PORT"]))
    server.start()
    yield
    server.stop()


@pytest.fixture
def data_folder(tmp_path: Path, settings: Any) -> Path:
    """An empty settings.DATA_DIR for this test only."""
    settings.DATA_DIR = tmp_path
    return tmp_path


def make_user(username: str, *, role: str, team: Any = None) -> Any:
    from console.accounts.models import Membership, User

    user = User.objects.create_user(username, password=PASSWORD, display_name=username.title())
    user.groups.add(Group.objects.get_or_create(name=role)[0])
    if team is not None:
        Membership.objects.create(user=user, team=team)
    return user


@pytest.fixture
def team(db: None) -> Any:
    from console.accounts.models import Team

    return Team.objects.create(name="第一部")


@pytest.fixture
def other_team(db: None) -> Any:
    from console.accounts.models import Team

    return Team.objects.create(name="第二部")


@pytest.fixture
def agent(team: Any) -> Any:
    return make_user("agent", role="agent", team=team)


@pytest.fixture
def member(team: Any) -> Any:
    return make_user("member", role="agent", team=team)


@pytest.fixture
def outsider(other_team: Any) -> Any:
    return make_user("outsider", role="agent", team=other_team)


@pytest.fixture
def rule_author(db: None) -> Any:
    return make_user("author", role="rule_author")


@pytest.fixture
def operator(db: None) -> Any:
    return make_user("operator", role="operator")


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def agent_client(agent: Any) -> Client:
    return signed_in(agent)


@pytest.fixture
def member_client(member: Any) -> Client:
    return signed_in(member)


@pytest.fixture
def outsider_client(outsider: Any) -> Client:
    return signed_in(outsider)


@pytest.fixture
def rule_author_client(rule_author: Any) -> Client:
    return signed_in(rule_author)


@pytest.fixture
def operator_client(operator: Any) -> Client:
    return signed_in(operator)
