"""One day for management, as printed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from mq_capacity_page.pages.whatif.view import rule_title
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.numbers import figure, percent
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.presentation.summary_text import count_words
from mqcap.presentation.summary_words import short_cost
from mqcap.queries.management import Money, Mover, Named, TeamMonth, management
from mqcap.queries.resources import resource_name

FIRST_ROWS: Final = 4
"""Rows of a sysplex (ours); the board has all."""


class SiteCard(ViewModel):
    """One sysplex or site."""

    name: str
    counts: str
    rows: Sequence[tuple[PlanSummary, float]]
    """The most urgent ones, with the share of their limit in per cent."""
    further: int
    takes: str
    money: str


class TeamRow(ViewModel):
    """Changes of a team by month, in words."""

    team: str
    cells: Sequence[str]
    total: str


class AheadRow(ViewModel):
    """What comes in one month, as printed."""

    month: date
    passes: Sequence[Named]
    ends: Sequence[Named]
    money: str


class MoverRow(ViewModel):
    """A limit that came nearer."""

    name: str
    rule: str
    address: dict[str, str]
    before: str
    now: str


class ManagementView(ViewModel):
    """One day for management."""

    sites: Sequence[SiteCard]
    has_prices: bool
    months: Sequence[date]
    teams: Sequence[TeamRow]
    ahead: Sequence[AheadRow]
    movers: Sequence[MoverRow]
    month_ago: date | None
    added: Sequence[Named]
    gone: Sequence[Named]


def management_view(context: PageContext, day: date) -> ManagementView:
    """Return one day as printed for management."""
    found = management(context.engine, day, context.settings)
    return ManagementView(
        sites=[
            SiteCard(
                name=site.name,
                counts=count_words(site.rows),
                rows=[
                    (row, 100 * min(1.0, max(0.0, row.used_ratio or 0.0)))
                    for row in site.rows[:FIRST_ROWS]
                ],
                further=max(0, len(site.rows) - FIRST_ROWS),
                takes=short_cost(site.cost),
                money=_money(site.money, found.currency),
            )
            for site in found.sites
        ],
        has_prices=bool(found.currency),
        months=found.months,
        teams=[
            TeamRow(
                team=team,
                cells=[_cell(of_team.get(month), found.currency) for month in found.months],
                total=_cell(_sum(list(of_team.values())), found.currency),
            )
            for team, of_team in found.teams.items()
        ],
        ahead=[
            AheadRow(
                month=month,
                passes=each.passes,
                ends=each.ends,
                money=_money(each.money, found.currency) if each.ends else "",
            )
            for month, each in found.ahead.items()
        ],
        movers=[_mover(each) for each in found.movers],
        month_ago=found.month_ago,
        added=found.added,
        gone=found.gone,
    )


def _sum(every: Sequence[TeamMonth]) -> TeamMonth:
    known = [each.money.known for each in every if each.money.known is not None]
    money = Money(sum(known) if known else None, sum(each.money.unpriced for each in every))
    return TeamMonth(sum(each.changes for each in every), sum(each.hours for each in every), money)


def _cell(of: TeamMonth | None, currency: str) -> str:
    if of is None:
        return ""
    money = _money(of.money, currency)
    return ", ".join(filter(None, (f"{of.changes} in {figure(round(of.hours))} h", money)))


def _money(money: Money, currency: str) -> str:
    """Return a sum of money; what has no price is counted beside it. Empty without a currency."""
    if not currency:
        return ""
    known = "" if money.known is None else f"{figure(round(money.known))} {currency}"
    unpriced = f"{money.unpriced} without a price" if money.unpriced else ""
    return " and ".join(filter(None, (known, unpriced)))


def _mover(each: Mover) -> MoverRow:
    return MoverRow(
        name=resource_name(f"{each.rule_id}/{each.subject}"),
        rule=rule_title(each.rule_id),
        address={"rule": each.rule_id, "subject": each.subject},
        before=percent(round(1 - each.before, 2)),
        now=percent(round(1 - each.now, 2)),
    )
