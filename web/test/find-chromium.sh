#!/usr/bin/env bash
# Prints the path of a Chromium for the browser tests: $CHROMIUM if set, otherwise the
# headless shell, or any other. The headless shell draws no window and takes a fifth less
# time. If permitted, installs one from the system's packages. With --whole, prints a full
# Chromium, which can install apps and block storage.
set -u

named() {
  [ -n "${CHROMIUM:-}" ] && ! [[ "$1" == --whole && "$CHROMIUM" == *shell ]] && command -v "$CHROMIUM"
}

shell() {
  [ "$1" != --whole ] && { on_path chromium-headless-shell || from_packages chromium-headless-shell; }
}

on_path() {
  local name
  for name in "$@"; do
    if command -v "$name"; then return 0; fi
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
  echo "installing $1 from the system's packages" >&2
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1"; } >&2 2>&1 || return 1
  command -v "$1"
}

whole() {
  on_path chromium chromium-browser google-chrome google-chrome-stable || (playwrights) || from_packages chromium
}

named "${1:-}" || shell "${1:-}" || whole || {
  echo "no Chromium: install one (for example: apt-get install chromium), or name it: CHROMIUM=/path/to/chromium make test" >&2
  exit 1
}
