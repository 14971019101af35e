#!/bin/sh
# The tests: first those of the database layer on PostgreSQL, then all of them on SQLite. Expects the
# environment's programs on PATH. Arguments go to the second run. A test that fails on a machine this
# busy (servers, a model and a browser on two cores) is run once more; the summary names each (-r R).
set -eu

python manage.py models build
echo "== The database layer on PostgreSQL"
CLAIMWRIGHT_TEST_DATABASE=postgresql pytest -q -rR --reruns 1 -m "not node and not browser"
echo "== Everything"
exec pytest -rR --reruns 1 "$@"
