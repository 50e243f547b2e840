#!/usr/bin/env bash
# Prints the path of a Chromium for the browser tests: one that is named or on
# PATH, else Playwright's own, else one from the system's packages, which it
# installs where it may.
set -u

on_path() {
  local name
  for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
    if [ -n "$name" ] && command -v "$name"; then return 0; fi
  done
  return 1
}

playwrights() {
  cd "$(dirname "$0")/.." || return 1
  local path
  path=$(node -e 'console.log(require("playwright-core").chromium.executablePath())' 2>/dev/null) || return 1
  [ -x "$path" ] && echo "$path"
}

from_packages() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  echo "installing Chromium from the system's packages" >&2
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } >&2 2>&1 || return 1
  command -v chromium
}

on_path || (playwrights) || from_packages || {
  echo "no Chromium: install one (for example: apt-get install chromium), or name it: CHROMIUM=/path/to/chromium make test" >&2
  exit 1
}
