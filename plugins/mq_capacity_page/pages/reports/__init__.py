"""Reports: files to take along, management, emails, tickets, accuracy of forecasts."""

from __future__ import annotations

from typing import Final

from mq_capacity_page.pages.discovery import NavigationEntry

NAVIGATION: Final = NavigationEntry("reports", "Reports", "reports", order=40)
