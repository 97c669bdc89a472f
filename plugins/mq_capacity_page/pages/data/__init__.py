"""Data: feeds of a day, checks that wait for settings, files, runs."""

from __future__ import annotations

from typing import Final

from mq_capacity_page.pages.discovery import NavigationEntry

NAVIGATION: Final = NavigationEntry("data", "Data", "data", order=50)
