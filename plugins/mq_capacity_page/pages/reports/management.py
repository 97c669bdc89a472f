"""What management asks of a day: by sysplex, by team and month, and what moved in a month."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import date, timedelta
from typing import Final, NamedTuple

from mq_capacity_page.pages.whatif.view import rule_title
from mq_capacity_page.web.context import PageContext, View
from mqcap.domain.finding import Severity
from mqcap.domain.metric import series_id
from mqcap.domain.numbers import figure, percent
from mqcap.domain.plan import Plan, total_cost
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.queries.resources import resource_label, resource_name, resource_path
from mqcap.queries.summaries import kept_summaries_on
from mqcap.store.crossings import read_crossings
from mqcap.store.findings import finding_dates, read_finding_summaries
from mqcap.store.models import FindingSummary
from mqcap.store.plans import read_plans

MONTH_DAYS: Final = 28
MOST_MOVERS: Final = 10
AHEAD_DAYS: Final = 548
"""18 months."""
FIRST_ROWS: Final = 4
"""Rows of a sysplex (ours); the board has all."""
Summaries = dict[tuple[str, str], FindingSummary]
"""By rule and subject."""


class Named(NamedTuple):
    """A resource by path and name."""

    path: str
    name: str


def management_view(context: PageContext, day: date) -> View:
    """Return one day as printed for management; months by their first day."""
    engine, currency = context.engine, context.settings.plan.prices.currency
    rows = kept_summaries_on(engine, day, context.settings)
    plans = {plan.resource: plan for plan in read_plans(engine, day)}
    ago = max(finding_dates(engine, last=day - timedelta(days=MONTH_DAYS)), default=None)
    now_of = read_finding_summaries(engine, day)
    then_of = read_finding_summaries(engine, ago) if ago else {}
    now, then = (
        {_named(series_id(*key)) for key, of in found.items() if of.severity.is_urgent}
        for found in (now_of, then_of)
    )
    by_team = defaultdict[str, list[Plan]](list)
    for plan in plans.values():
        if plan.changes:
            by_team[plan.about.owner or "No owner"].append(plan)
    by_site = defaultdict[str, list[PlanSummary]](list)
    for row in rows:
        by_site[row.resource.sysplex].append(row)
    return View(
        sites=[
            View(
                name=name,
                rows=of_site,
                cost=total_cost(plan.base.cost for plan in own),
                money=money_words(own, currency),
            )
            for name, of_site in sorted(by_site.items())
            for own in [[plans[row.resource] for row in of_site if row.resource in plans]]
        ],
        teams={team: _by_month(own, currency) for team, own in sorted(by_team.items())},
        months=sorted({_begins(plan) for own in by_team.values() for plan in own}),
        ahead=_ahead(context, day, plans, {row.resource for row in rows}),
        movers=_movers(now_of, then_of),
        month_ago=ago,
        added=sorted(now - then) if ago else [],
        gone=sorted(then - now) if ago else [],
        currency=currency,
        first_rows=FIRST_ROWS,
    )


def _named(key: str) -> Named:
    return Named(resource_path(key), resource_label(key))


def _begins(plan: Plan) -> date:
    """Return the month in which the changes of a plan begin."""
    return max(plan.due_date, plan.site_date).replace(day=1)


def money_words(plans: Iterable[Plan], currency: str) -> str:
    """Return what plans cost; what has no price is counted beside it. Empty without prices."""
    prices = [plan.base.cost.money for plan in plans if plan.changes]
    known = [price for price in prices if price is not None]
    words = f"{figure(round(sum(known)))} {currency}" if known else ""
    unpriced = len(prices) - len(known)
    both = (words, f"{unpriced} without a price" if unpriced else "")
    return " and ".join(filter(None, both)) if currency else ""


def _by_month(plans: Collection[Plan], currency: str) -> dict[date | None, str]:
    """Return the changes that begin in each month, ``None`` for all: ``3 (12 h), 1,500 EUR``."""
    found: dict[date | None, str] = {}
    for month in (None, *{_begins(plan) for plan in plans}):
        own = [plan for plan in plans if month in {None, _begins(plan)}]
        hours = figure(round(sum(plan.base.cost.work_hours for plan in own)))
        words = (f"{len(own)} ({hours} h)", money_words(own, currency))
        found[month] = ", ".join(filter(None, words))
    return found


def _movers(now_of: Summaries, then_of: Summaries) -> list[View]:
    """Return what lost most of the share of its limit that was left, as shares that are used."""
    lost = {
        key: (then.headroom_ratio, now.headroom_ratio)
        for key, now in now_of.items()
        if (then := then_of.get(key)) is not None
        and now.headroom_ratio is not None
        and then.headroom_ratio is not None
        and now.headroom_ratio < then.headroom_ratio
        and now.severity is not Severity.suggestion
    }
    return [
        View(
            rule_id=rule_id,
            subject=subject,
            name=resource_name(series_id(rule_id, subject)),
            rule=rule_title(rule_id),
            then=percent(round(1 - then, 2)),
            now=percent(round(1 - now, 2)),
        )
        for (rule_id, subject), (then, now) in sorted(
            lost.items(), key=lambda entry: entry[1][1] - entry[1][0]
        )[:MOST_MOVERS]
    ]


def _ahead(
    context: PageContext, day: date, plans: dict[str, Plan], decided: Collection[str]
) -> dict[date, View]:
    """Return what comes after what is to be decided now, by month, within ``AHEAD_DAYS``."""
    last = day + timedelta(days=AHEAD_DAYS)
    passes: dict[Named, date] = {}
    for crossing in read_crossings(context.engine, day):
        named, at = _named(crossing.key), crossing.expected_date
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

    currency = context.settings.plan.prices.currency
    return {
        month: View(
            passes=within(passes, month),
            ends=within(ends, month),
            money=money_words((plans[named.path] for named in within(ends, month)), currency),
        )
        for month in months
    }
