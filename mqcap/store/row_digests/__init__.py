"""Digests of rows, by which a step tells whether anything has changed since its last run."""
