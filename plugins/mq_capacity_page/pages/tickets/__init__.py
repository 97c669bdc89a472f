"""Tickets by state."""

from __future__ import annotations

from typing import Final

from mq_capacity_page.pages.discovery import NavigationEntry

NAVIGATION: Final = NavigationEntry("tickets", "Tickets", "tickets", order=40, keeps_day=False)
