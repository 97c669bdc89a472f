"""What-if: a scenario and what it changes."""

from __future__ import annotations

from typing import Final

from mq_capacity_page.pages.discovery import NavigationEntry

NAVIGATION: Final = NavigationEntry("whatif", "What-if", "whatif", order=30)
