"""Resources: everything that is watched, by owner."""

from __future__ import annotations

from typing import Final

from mq_capacity_page.pages.discovery import NavigationEntry

NAVIGATION: Final = NavigationEntry("resources", "Resources", "resources", order=20)
