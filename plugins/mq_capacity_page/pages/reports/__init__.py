"""Daily, weekly and monthly reports."""

from __future__ import annotations

from typing import Final

from mq_capacity_page.pages.discovery import NavigationEntry

NAVIGATION: Final = NavigationEntry("reports", "Reports", "reports", order=60)
