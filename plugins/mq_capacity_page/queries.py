"""Queries of the store that several pages share."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from mq_capacity_page.web.context import PageContext
from mqcap.domain.plan import Plan
from mqcap.presentation import labels
from mqcap.presentation.fleet import FleetLine, fleet_on
from mqcap.store.models import Observation, SeriesFacts
from mqcap.store.observations import read_observations
from mqcap.store.plans import read_plans
from mqcap.store.series import read_series, series_as_of

HISTORY_DAYS: Final = 3 * 366
"""Observations drawn of a series (ours)."""


def fleet_lines_on(context: PageContext, day: date, subject: str = "") -> list[FleetLine]:
    """Return the findings of a day, most urgent first; with ``subject``, those on and below it."""
    return fleet_on(context.settings, context.engine, day, subject)


def plan_of_resource(context: PageContext, resource: str, day: date) -> Plan | None:
    """Return the plan of a resource on a day; ``None`` when there is none."""
    plans = read_plans(context.engine, day)
    return next((plan for plan in plans if plan.resource == resource), None)


def search_series(
    context: PageContext, part: str, day: date | None = None
) -> tuple[list[SeriesFacts], int]:
    """Return the series whose id or label contains ``part``, by subject, and the count of all.

    With a day, only series that were known on it.
    """
    every = read_series(context.engine)
    if day is not None:
        every = series_as_of(context.engine, every, day)
    every = sorted(every, key=lambda facts: (facts.subject, facts.metric))
    wanted = part.strip().casefold()
    matches = [
        facts
        for facts in every
        if wanted in f"{facts.series_id} {labels.metric_label(facts.metric)}".casefold()
    ]
    return matches, len(every)


def history(context: PageContext, series_id: str, day: date) -> list[Observation]:
    """Return the measured days of a series up to ``day``, oldest first."""
    first = day - timedelta(days=HISTORY_DAYS)
    return read_observations(context.engine, series_id, first, day)
