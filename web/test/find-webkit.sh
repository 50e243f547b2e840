#!/usr/bin/env bash
# Prints the path of WebKitGTK's driver for the tests if their other programs are installed
# too. With --install, installs missing ones from the system's packages.
set -u

packages="webkit2gtk-driver gir1.2-webkit2-4.1 python3-gi xvfb"

there() {
  command -v Xvfb >/dev/null || return 1
  /usr/bin/python3 -c 'import gi; gi.require_version("WebKit2", "4.1")' 2>/dev/null || return 1
  command -v WebKitWebDriver
}

from_packages() {
  [ "${1:-}" = --install ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  echo "installing WebKitGTK from the system's packages" >&2
  # shellcheck disable=SC2086 # a list of words
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages; } >&2 2>&1 || return 1
  there
}

there || from_packages "$@" || {
  echo "no WebKitGTK: apt-get install $packages" >&2
  exit 1
}
