#!/bin/sh
# Prints the Chromium to test with: $CHROMIUM, or the first on PATH.
if [ -n "$CHROMIUM" ]; then
  echo "$CHROMIUM"
  exit 0
fi
for name in chromium chromium-browser google-chrome; do
  command -v "$name" && exit 0
done
echo "no Chromium found: install one or set CHROMIUM" >&2
exit 1
