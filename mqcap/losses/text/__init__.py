"""Losses in words, for every surface."""
