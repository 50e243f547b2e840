"""Trains Seam's built-in static embedding model; see README.md in this directory."""
