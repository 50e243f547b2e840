#!/usr/bin/env bash
# Runs every fuzz target for the given time each (default 10s):  shared/fuzz.sh 30s
set -eu
cd "$(dirname "$0")/.."
for file in $(grep -rl --include='*_test.go' '^func Fuzz' shared proxy); do
  for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file"); do
    echo "$file $target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "${1:-10s}" -fuzzminimizetime 10x "./$(dirname "$file")"
  done
done
