"""Data: the source files."""

from __future__ import annotations

from typing import Final

from mq_capacity_page.pages.discovery import NavigationEntry

NAVIGATION: Final = NavigationEntry("data", "Data", "data", order=90, keeps_day=False)
