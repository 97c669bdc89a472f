"""Losses of a day: what survivors carry, what fails when, and what to change."""
