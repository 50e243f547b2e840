#!/usr/bin/env bash
# Prints the path of a Redis for the tests of shared budgets: one that is named or on
# PATH, else one from the system's packages, which it installs where it may. Without
# one it prints nothing, and those tests are skipped.
set -u

on_path() {
  local name
  for name in "${REDIS_SERVER:-}" redis-server valkey-server; do
    if [ -n "$name" ] && command -v "$name"; then return 0; fi
  done
  return 1
}

from_packages() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  echo "installing Redis from the system's packages" >&2
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends redis-server; } >&2 2>&1 || return 1
  command -v redis-server
}

on_path || from_packages ||
  echo "no Redis: the tests of shared budgets are skipped. Install one (for example: apt-get install redis-server), or name it: REDIS_SERVER=/path/to/redis-server make test" >&2
