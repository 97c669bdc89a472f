"""Board: one row for each resource to decide on."""

from __future__ import annotations

from typing import Final

from mq_capacity_page.pages.discovery import NavigationEntry

NAVIGATION: Final = NavigationEntry("board", "Board", "./", order=10)
