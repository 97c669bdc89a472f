"""Series: one series with its chart and forecast, or the list of all series."""

from __future__ import annotations

from typing import Final

from mq_capacity_page.pages.discovery import NavigationEntry

NAVIGATION: Final = NavigationEntry("series", "Series", "series", order=20)
