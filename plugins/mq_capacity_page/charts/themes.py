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
    forecast: str
    interval: str
    limit: str
    crossing: str
    cutoff: str


PALETTES: Final = {
    Theme.light: Palette(
        ground="#ffffff",
        text="#3b4252",
        grid="#e3e7ee",
        peak="#1f5fa8",
        p95="#7c93b2",
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
        forecast="#f0a94b",
        interval="rgba(240,169,75,0.20)",
        limit="#ff8577",
        crossing="rgba(255,133,119,0.13)",
        cutoff="#7d8798",
    ),
}
