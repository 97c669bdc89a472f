"""The two palettes of the charts, matching the page's own light and dark colours."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple


class Theme(StrEnum):
    """The colour scheme of the reader's screen."""

    light = "light"
    dark = "dark"


class Palette(NamedTuple):
    """Colours of one theme; contrast of lines on the background is at least 3 to 1."""

    ground: str
    text: str
    grid: str
    peak: str
    p95: str
    weekly: str
    forecast: str
    interval: str
    limit: str
    crossing: str
    cutoff: str


PART_COLOURS: Final = {
    Theme.light: (
        "#1f5fa8", "#b45309", "#2e7d32", "#8e24aa", "#c2185b", "#00796b", "#6d4c41", "#546e7a",
    ),
    Theme.dark: (
        "#7ab3f0", "#f0a94b", "#81c784", "#ce93d8", "#f48fb1", "#4dd0e1", "#bcaaa4", "#b0bec5",
    ),
}  # fmt: skip
"""Colours of parts in the order of their size; contrast on the background at least 3 to 1."""
PALETTES: Final = {
    Theme.light: Palette(
        ground="#ffffff",
        text="#3b4252",
        grid="#e3e7ee",
        peak="#1f5fa8",
        p95="#7c93b2",
        weekly="#5b8fc7",
        forecast="#b45309",
        interval="rgba(217,119,6,0.18)",
        limit="#b42318",
        crossing="rgba(180,35,24,0.10)",
        cutoff="#8a93a3",
    ),
    Theme.dark: Palette(
        ground="#11151c",
        text="#c6cedb",
        grid="#2c3442",
        peak="#7ab3f0",
        p95="#6f86a5",
        weekly="#5b8fc7",
        forecast="#f0a94b",
        interval="rgba(240,169,75,0.20)",
        limit="#ff8577",
        crossing="rgba(255,133,119,0.13)",
        cutoff="#7d8798",
    ),
}
