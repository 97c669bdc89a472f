"""Figures with units in a sentence."""

from __future__ import annotations

from typing import Final

_SPANS: Final = {"h": "an hour", "s": "a second", "day": "a day"}


def figure(value: float | None) -> str:
    """Three significant digits below 100, one decimal up to 10,000, whole above; with commas."""
    if value is None:
        return "not known"
    if value == int(value):
        return f"{int(value):,}"
    if abs(value) < 100:
        return f"{value:.3g}"
    return f"{value:,.1f}" if abs(value) < 10_000 else f"{value:,.0f}"


def quantity(value: float | None, unit: str) -> str:
    """A figure with its unit; a percentage without a blank, a count by what it is counted over."""
    if value is None:
        return "not known"
    if unit == "%":
        return f"{figure(value)}%"
    counted, _, span = unit.partition("/")
    if counted == "count":
        unit = _SPANS.get(span, "")
    return f"{figure(value)} {unit}".strip()
