"""The console's settings for a test run: own data folder, own ports, a database in a file.

The ports are chosen here, before anything reads the settings; the servers behind them are started
by the fixtures of tests/conftest.py when a test asks for them. Child processes inherit all of it
through the environment. CLAIMWRIGHT_TEST_DATABASE=postgresql runs the same tests on PostgreSQL.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from tests.support.ports import free_ports

ON_POSTGRESQL = os.environ.get("CLAIMWRIGHT_TEST_DATABASE") == "postgresql"

if "CLAIMWRIGHT_TEST_RUN" not in os.environ:
    folder = tempfile.mkdtemp(prefix="claimwright-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    valkey_port, etcd_port, postgresql_port = free_ports(3)
    os.environ.update(
        CLAIMWRIGHT_TEST_RUN=str(os.getpid()),
        CLAIMWRIGHT_DATA=folder,
        CLAIMWRIGHT_REDIS_URL=f"redis://127.0.0.1:{valkey_port}/0",
        CLAIMWRIGHT_ETCD=f"127.0.0.1:{etcd_port}",
        # What a child process of a test opens: the test database, never the developer's.
        DATABASE_URL=(
            f"postgresql://claimwright@127.0.0.1:{postgresql_port}/test_claimwright"
            if ON_POSTGRESQL
            else f"sqlite:///{folder}/test.sqlite3"
        ),
    )
    os.environ.pop("CLAIMWRIGHT_NODES", None)

from console.settings import *  # noqa: E402, F403
from console.settings import DATABASE_URL, DATABASES, STATIC_ROOT, STORAGES  # noqa: E402

if ON_POSTGRESQL:
    DATABASES["default"]["TEST"] = {"NAME": "test_claimwright"}
else:
    # In a file, not in memory: threads and child processes share it as they do in production.
    DATABASES["default"]["TEST"] = {"NAME": str(Path(DATABASE_URL.removeprefix("sqlite:///")))}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = True
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
