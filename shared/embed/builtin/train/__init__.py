"""Trains Seam's built-in static embedding model; see README.md beside this file."""
