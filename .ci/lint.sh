#!/bin/sh
# Every check that runs no test; all of them run, also after one has failed. Expects the
# environment's programs on PATH.
set -eu
failed=""

step() {
    echo "== $*"
    "$@" || failed="$failed
    $*"
}

step ruff format --check --quiet .
step ruff check --quiet .
step mypy --no-error-summary rules inference console
step lint-imports --no-cache
step djlint --check --quiet templates
step djlint --lint --quiet templates

# A data folder of their own: the checks must not touch the developer's.
CLAIMWRIGHT_DATA=$(mktemp -d)
export CLAIMWRIGHT_DATA
trap 'rm -rf "$CLAIMWRIGHT_DATA"' EXIT
step python manage.py makemigrations --check --dry-run
step python manage.py check --fail-level WARNING

# As configured in production; tests/deploy checks the example of an environment in the same way.
step env CLAIMWRIGHT_HTTPS=1 \
    CLAIMWRIGHT_HOSTS=claimwright.example \
    CLAIMWRIGHT_ORIGINS=https://claimwright.example \
    DATABASE_URL=postgresql://claimwright:secret@db.example/claimwright \
    CLAIMWRIGHT_REDIS_URL=rediss://:secret@valkey.example:6379/0 \
    CLAIMWRIGHT_ETCD=https://etcd.example:2379 \
    CLAIMWRIGHT_ETCD_USER=claimwright \
    CLAIMWRIGHT_ETCD_PASSWORD=secret \
    python manage.py check --deploy --fail-level WARNING

if [ -n "$failed" ]; then
    echo "These checks failed:$failed" >&2
    exit 1
fi
