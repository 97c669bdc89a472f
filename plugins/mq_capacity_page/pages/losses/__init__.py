"""Page of the losses of coupling facilities and members, as matrices lost by survivor."""

from __future__ import annotations

from typing import Final

from mq_capacity_page.pages.discovery import NavigationEntry

NAVIGATION: Final = NavigationEntry("losses", "Losses", "losses", order=25, of_sysplexes=True)
