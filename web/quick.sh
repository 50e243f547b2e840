#!/usr/bin/env bash
# The quick build of make run: the uncompressed page in web/.cache/page, and bin/seam, which
# serves it. Steps run in parallel; each prints a line at its end.
#
#   web/quick.sh LDFLAGS
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
log=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$log"' EXIT
SECONDS=0

# step NAME COMMAND… runs the command and prints one line at its end, with the command's
# output if it failed.
step() {
  local name=$1 out
  shift
  out=$(mktemp "$log/XXXXXX")
  if "$@" >"$out" 2>&1; then
    printf '  %3d s  %s\n' "$SECONDS" "$name"
  else
    printf '  %3d s  %s: failed\n' "$SECONDS" "$name"
    cat "$out"
    return 1
  fi
}

echo "Building the page and bin/seam; the first time takes some minutes."
step "libraries of the page" make --no-print-directory web/node_modules/.made &
libraries=$!
step "builder" "$go" build -trimpath -o bin/web-build ./web/build
step "widget and token ranks" bin/web-build --widget
step "program bin/seam" "$go" build -trimpath -ldflags "$1" -o bin/seam ./proxy &
seam=$!
wait "$libraries"
step "page" bin/web-build --dev --out web/.cache/page
wait "$seam"
