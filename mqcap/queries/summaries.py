"""Summaries of a day, read from the store: what page, command line, mail and reports print."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from mqcap.presentation.plan_summary import PlanSummary
from mqcap.presentation.summary_rows import DayResults, SiteFacts, plan_summaries
from mqcap.presentation.summary_words import acknowledged_words
from mqcap.queries.acknowledged_resources import acknowledged_resources
from mqcap.settings import Settings
from mqcap.store.console_states import read_states
from mqcap.store.crossings import read_crossings
from mqcap.store.database import Store
from mqcap.store.findings import findings_about, urgent_findings
from mqcap.store.plans import read_losses, read_plans
from mqcap.store.step_runs import last_step_ended_at

KEPT_DAYS: Final = 2
"""Days that are kept in memory: the newest one and one that a reader looks at (ours)."""
_KEPT: Final[dict[tuple[Store, date], tuple[datetime, Sequence[PlanSummary]]]] = {}


def plan_summaries_on(engine: Store, day: date, settings: Settings) -> list[PlanSummary]:
    """Return a row for each resource to decide on, most urgent first, acknowledged ones last.

    ``settings`` name owners and classes of systems of what has no plan.
    """
    return _with_acknowledgements(engine, _rows(engine, day, settings), day)


def kept_summaries_on(engine: Store, day: date, settings: Settings) -> list[PlanSummary]:
    """Return the same for pages: kept in memory until a step ends, but for acknowledgements."""
    changed = last_step_ended_at(engine)
    if changed is None:
        return plan_summaries_on(engine, day, settings)
    ended, rows = _KEPT.get((engine, day), (None, ()))
    if ended != changed:
        rows = _rows(engine, day, settings)
        for oldest in list(_KEPT)[: 1 - KEPT_DAYS]:
            _KEPT.pop(oldest, None)
        _KEPT[engine, day] = changed, rows
    return _with_acknowledgements(engine, rows, day)


def _rows(engine: Store, day: date, settings: Settings) -> list[PlanSummary]:
    plans = read_plans(engine, day)
    subjects = {subject for plan in plans for _, subject in plan.judged}
    today = DayResults(
        day,
        findings=[*findings_about(engine, day, subjects), *urgent_findings(engine, day)],
        crossings=read_crossings(engine, day),
        plans=plans,
        losses=read_losses(engine, day),
        states=read_states(engine, day, day),
    )
    return plan_summaries(today, SiteFacts(settings.alerts, settings.complete_estate()))


def _with_acknowledgements(
    engine: Store, rows: Sequence[PlanSummary], day: date
) -> list[PlanSummary]:
    """Return rows with who acknowledged them; without an open problem that of the row's rule."""
    own: dict[str, tuple[str, ...]] = {row.resource: (row.key,) for row in rows}
    found = {
        path: acknowledged_words(answer)
        for path, answer in acknowledged_resources(engine, day, own).items()
    }
    noted = (
        row.model_copy(update={"acknowledged": found[row.resource]})
        if row.resource in found
        else row
        for row in rows
    )
    return sorted(noted, key=lambda row: bool(row.acknowledged))
