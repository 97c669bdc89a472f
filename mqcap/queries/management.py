"""What management asks of a day: by sysplex, by team and month, and what moved in a month."""

from collections.abc import Container, Iterable, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from sqlalchemy import Engine

from mqcap.domain.finding import Severity
from mqcap.domain.metric import series_id
from mqcap.domain.plan import Plan, PlanCost, total_cost
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.queries.resources import resource_label, resource_path
from mqcap.queries.summaries import kept_summaries_on
from mqcap.settings import Settings
from mqcap.store.crossings import read_crossings
from mqcap.store.findings import finding_dates, read_finding_summaries
from mqcap.store.plans import read_plans

MONTH_DAYS: Final = 28
MOST_MOVERS: Final = 10
AHEAD_DAYS: Final = 548
"""18 months."""


class Money(NamedTuple):
    """Sum of the plans that have a price."""

    known: float | None
    """``None`` where no plan has one."""
    unpriced: int
    """Plans with a part that has no price."""


class SiteRows(NamedTuple):
    """What is to be decided of one sysplex or site."""

    name: str
    rows: Sequence[PlanSummary]
    cost: PlanCost
    money: Money


class TeamMonth(NamedTuple):
    """Changes of one team that begin in one month."""

    changes: int
    hours: float
    money: Money


class TeamPlans(NamedTuple):
    """Changes of one team."""

    months: dict[date, TeamMonth]
    total: TeamMonth


class Mover(NamedTuple):
    """A rule and subject with the share of its limit that is left, now and a month ago."""

    rule_id: str
    subject: str
    before: float
    now: float


class Named(NamedTuple):
    """A resource by path and name."""

    path: str
    name: str


class MonthAhead(NamedTuple):
    """What comes in one month."""

    passes: Sequence[Named]
    """Resources with nothing to decide yet whose limit is expected to be passed."""
    ends: Sequence[Named]
    """Resources whose plan is enough until then."""
    money: Money


class Management(NamedTuple):
    """One day for management."""

    sites: Sequence[SiteRows]
    teams: dict[str, TeamPlans]
    months: Sequence[date]
    ahead: dict[date, MonthAhead]
    """By first day of the month, from the next month on."""
    movers: Sequence[Mover]
    month_ago: date | None
    """The evaluated day that the day is compared with; ``None`` without one."""
    added: Sequence[Named]
    """Resources with something to act on or to watch that had nothing then."""
    gone: Sequence[Named]
    currency: str


def management(engine: Engine, day: date, settings: Settings) -> Management:
    """Return one day for management."""
    rows = kept_summaries_on(engine, day, settings)
    plans = {plan.resource: plan for plan in read_plans(engine, day)}
    sites: dict[str, list[PlanSummary]] = {}
    for row in rows:
        sites.setdefault(row.resource.sysplex, []).append(row)
    ago = max(finding_dates(engine, last=day - timedelta(days=MONTH_DAYS)), default=None)
    now_of = read_finding_summaries(engine, day)
    then_of = read_finding_summaries(engine, ago) if ago else {}
    now, then = (
        {
            Named(resource_path(series_id(*key)), resource_label(series_id(*key)))
            for key, change in found.items()
            if change.severity.is_urgent
        }
        for found in (now_of, then_of)
    )
    moved = [
        Mover(*key, then_of[key].headroom_ratio or 0.0, summary.headroom_ratio)
        for key, summary in now_of.items()
        if key in then_of
        and summary.headroom_ratio is not None
        and then_of[key].headroom_ratio is not None
        and summary.severity is not Severity.suggestion
    ]
    losing = sorted(
        (entry for entry in moved if entry.now < entry.before),
        key=lambda entry: entry.now - entry.before,
    )
    teams = _teams(plans.values())
    site_rows = []
    for name, of_site in sorted(sites.items()):
        own = [plans[row.resource] for row in of_site if row.resource in plans]
        cost = total_cost(plan.base.cost for plan in own)
        site_rows.append(SiteRows(name, of_site, cost, _sum(own)))
    return Management(
        sites=site_rows,
        teams=teams,
        months=sorted({month for of_team in teams.values() for month in of_team.months}),
        ahead=_ahead(engine, day, plans, {row.resource for row in rows}),
        movers=losing[:MOST_MOVERS],
        month_ago=ago,
        added=sorted(now - then) if ago else [],
        gone=sorted(then - now) if ago else [],
        currency=settings.plan.prices.currency,
    )


def _sum(every: Iterable[Plan]) -> Money:
    known = [plan.base.cost.money for plan in every if plan.changes]
    stated = [money for money in known if money is not None]
    return Money(sum(stated) if stated else None, len(known) - len(stated))


def _teams(plans: Iterable[Plan]) -> dict[str, TeamPlans]:
    found: dict[str, list[tuple[date, Plan]]] = {}
    for plan in plans:
        if plan.changes:
            month = max(plan.due_date, plan.site_date).replace(day=1)
            found.setdefault(plan.about.owner or "No owner", []).append((month, plan))
    return {
        team: TeamPlans(
            {
                month: _team_month([plan for at, plan in dated if at == month])
                for month in dict(dated)
            },
            _team_month([plan for _, plan in dated]),
        )
        for team, dated in sorted(found.items())
    }


def _team_month(plans: Sequence[Plan]) -> TeamMonth:
    return TeamMonth(len(plans), sum(plan.base.cost.work_hours for plan in plans), _sum(plans))


def _ahead(
    engine: Engine, day: date, plans: dict[str, Plan], decided: Container[str]
) -> dict[date, MonthAhead]:
    """Return what comes after what is to be decided now, by month, within ``AHEAD_DAYS``."""
    last = day + timedelta(days=AHEAD_DAYS)
    passes: dict[Named, date] = {}
    for crossing in read_crossings(engine, day):
        named = Named(resource_path(crossing.key), resource_label(crossing.key))
        at = crossing.expected_date
        if at is not None and at <= last and named.path not in decided:
            passes[named] = min(passes.get(named, at), at)
    ends = {
        Named(path, plan.about.label): plan.base.lasts_until
        for path, plan in plans.items()
        if plan.changes
        and plan.base.lasts_until is not None
        and day < plan.base.lasts_until <= last
    }
    months = sorted({at.replace(day=1) for at in (*passes.values(), *ends.values())})

    def within(dated: dict[Named, date], month: date) -> list[Named]:
        return sorted(named for named, at in dated.items() if at.replace(day=1) == month)

    return {
        month: MonthAhead(
            passes=within(passes, month),
            ends=within(ends, month),
            money=_sum(plans[named.path] for named in within(ends, month)),
        )
        for month in months
    }
