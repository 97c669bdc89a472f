"""One day for management, as printed."""

from datetime import date
from typing import Final

from mq_capacity_page.pages.whatif.view import rule_title
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.numbers import figure, percent
from mqcap.queries.management import Management, Money, Mover, TeamMonth, management
from mqcap.queries.resources import resource_name

FIRST_ROWS: Final = 4
"""Rows of a sysplex (ours); the board has all."""


class ManagementView(ViewModel):
    """One day for management."""

    found: Management
    first_rows: int = FIRST_ROWS

    def money(self, of: Money) -> str:
        """Return a sum of money; what has no price is counted beside it. Empty without prices."""
        currency = self.found.currency
        if not currency:
            return ""
        known = "" if of.known is None else f"{figure(round(of.known))} {currency}"
        unpriced = f"{of.unpriced} without a price" if of.unpriced else ""
        return " and ".join(filter(None, (known, unpriced)))

    def changes(self, of: TeamMonth | None) -> str:
        """Return the changes of a team in a month: ``3 (12 h), 1,500 EUR``."""
        if of is None:
            return ""
        words = (f"{of.changes} ({figure(round(of.hours))} h)", self.money(of.money))
        return ", ".join(filter(None, words))

    def moved(self, of: Mover) -> tuple[str, str, str, str]:
        """Return resource, rule, and the share of the limit that was and is used."""
        before, now = (percent(round(1 - ratio, 2)) for ratio in (of.before, of.now))
        return resource_name(f"{of.rule_id}/{of.subject}"), rule_title(of.rule_id), before, now


def management_view(context: PageContext, day: date) -> ManagementView:
    """Return one day as printed for management."""
    return ManagementView(found=management(context.engine, day, context.settings))
