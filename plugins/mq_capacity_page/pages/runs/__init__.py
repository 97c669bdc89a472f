"""Runs of our DAGs."""

from __future__ import annotations

from typing import Final

from mq_capacity_page.pages.discovery import NavigationEntry

NAVIGATION: Final = NavigationEntry("runs", "Runs", "runs", order=100, keeps_day=False)
