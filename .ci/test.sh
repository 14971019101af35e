#!/bin/sh
# The tests: first those of the database layer on PostgreSQL, then all of them on SQLite. Expects the
# environment's programs on PATH. Arguments go to the second run.
set -eu

python manage.py models build
echo "== The database layer on PostgreSQL"
CLAIMWRIGHT_TEST_DATABASE=postgresql pytest -q -m "not node and not browser"
echo "== Everything"
exec pytest "$@"
