"""Numbers as a reader wants them in a sentence."""

from __future__ import annotations

import math


def figure(value: float) -> str:
    """Four significant digits below 100, one decimal up to 10,000, whole above; with commas."""
    if not math.isfinite(value):
        return "more than can be said"
    if value == int(value):
        return f"{int(value):,}"
    if abs(value) < 100:
        return f"{value:.4g}"
    return f"{value:,.1f}" if abs(value) < 10_000 else f"{value:,.0f}"


def duration(seconds: float) -> str:
    """Seconds, minutes or hours with at most one decimal, whichever reads best."""
    if seconds < 120:
        return f"{_tenths(seconds)} s"
    if seconds < 7_200:
        return f"{_tenths(seconds / 60)} min"
    return f"{_tenths(seconds / 3_600)} h"


def counted(number: int, noun: str) -> str:
    """A number with its noun in the right number: ``1 log``, ``12 logs``."""
    return f"{figure(number)} {noun}" if number == 1 else f"{figure(number)} {noun}s"


def _tenths(value: float) -> str:
    return f"{value:,.1f}".removesuffix(".0")
