#!/usr/bin/env bash
# Prints the path of a Firefox for the tests, from a variable or PATH. With --install,
# installs one from the system's packages if there is none.
set -u

there() {
  local name
  for name in "${FIREFOX:-}" firefox-esr firefox; do
    if [ -n "$name" ] && command -v "$name"; then return 0; fi
  done
  return 1
}

from_packages() {
  [ "${1:-}" = --install ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  echo "installing Firefox from the system's packages" >&2
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends firefox-esr; } >&2 2>&1 || return 1
  there
}

there || from_packages "$@" || {
  echo "no Firefox: install one (for example: apt-get install firefox-esr), or name it: FIREFOX=/path/to/firefox" >&2
  exit 1
}
