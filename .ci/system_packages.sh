#!/bin/sh
# What the tests need from the system: Chromium, a PostgreSQL server, a Chinese font, openssl. Root gets what
# is missing by apt-get; anybody else is told.
set -eu
missing=""

command -v chromium >/dev/null || command -v chromium-browser >/dev/null ||
    command -v google-chrome >/dev/null || missing="$missing chromium"
command -v postgres >/dev/null || ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 ||
    missing="$missing postgresql"
{ command -v fc-list >/dev/null && [ -n "$(fc-list :lang=zh-cn 2>/dev/null)" ]; } ||
    missing="$missing fontconfig fonts-noto-cjk"
command -v openssl >/dev/null || missing="$missing openssl"

[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing for the tests:$missing"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    # shellcheck disable=SC2086 # a list of words
    apt-get install -qq -y --no-install-recommends $missing >/dev/null
else
    echo "The tests need from the system:$missing. Install them with the package manager." >&2
    exit 1
fi
