"""Scorecard: accuracy of past forecasts."""

from __future__ import annotations

from typing import Final

from mq_capacity_page.pages.discovery import NavigationEntry

NAVIGATION: Final = NavigationEntry("scorecard", "Scorecard", "scorecard", order=70)
