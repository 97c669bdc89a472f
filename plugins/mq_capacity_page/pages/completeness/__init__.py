"""Completeness: records expected and received."""

from __future__ import annotations

from typing import Final

from mq_capacity_page.pages.discovery import NavigationEntry

NAVIGATION: Final = NavigationEntry("completeness", "Completeness", "completeness", order=80)
