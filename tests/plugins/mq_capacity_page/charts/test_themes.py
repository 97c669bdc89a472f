"""Colours of the charts: those of the page, and lines that can be seen."""

from __future__ import annotations

import re

import pytest

from mq_capacity_page.charts.parts_figure import NAMED_MAX
from mq_capacity_page.charts.themes import PALETTES, PART_COLOURS, Theme
from mq_capacity_page.web.assets import STATIC

LINES = ("peak", "p95", "forecast", "limit", "cutoff")
LEAST_LINE_CONTRAST = 3.0
"""Of graphical objects on their background: WCAG 2.2, success criterion 1.4.11."""
LEAST_TEXT_CONTRAST = 4.5
"""Of text: WCAG 2.2, success criterion 1.4.3."""


def luminance(colour: str) -> float:
    """The relative luminance of a colour such as ``#1f5fa8`` as WCAG defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(item: str, other: str) -> float:
    low, high = sorted((luminance(item), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_black_on_white_has_the_highest_contrast() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_every_theme_has_a_palette() -> None:
    assert set(PALETTES) == set(Theme)


@pytest.mark.parametrize("theme", list(Theme))
@pytest.mark.parametrize("name", LINES)
def test_a_line_can_be_seen_on_its_background(theme: Theme, name: str) -> None:
    palette = PALETTES[theme]
    assert contrast(getattr(palette, name), palette.ground) >= LEAST_LINE_CONTRAST


@pytest.mark.parametrize("theme", list(Theme))
def test_text_can_be_read_on_its_background(theme: Theme) -> None:
    palette = PALETTES[theme]
    assert contrast(palette.text, palette.ground) >= LEAST_TEXT_CONTRAST


@pytest.mark.parametrize("theme", list(Theme))
def test_no_two_lines_have_the_same_colour(theme: Theme) -> None:
    colours = [getattr(PALETTES[theme], name) for name in LINES]
    assert len(set(colours)) == len(colours)


def test_the_background_is_that_of_the_page() -> None:
    css = (STATIC / "page.css").read_text("utf-8")
    match = re.search(r"--ground: light-dark\((#\w+), (#\w+)\);", css)
    assert match is not None
    assert match.groups() == (PALETTES[Theme.light].ground, PALETTES[Theme.dark].ground)


@pytest.mark.parametrize("theme", list(Theme))
def test_parts_are_distinct_from_the_background_and_from_each_other(theme: Theme) -> None:
    colours = PART_COLOURS[theme]
    assert len(set(colours)) == len(colours) == NAMED_MAX
    assert all(
        contrast(colour, PALETTES[theme].ground) >= LEAST_LINE_CONTRAST for colour in colours
    )
