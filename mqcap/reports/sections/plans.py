"""Sections of plans: what to decide, every option, what it takes, what it assumes."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import Final

from mqcap.domain.numbers import percent
from mqcap.domain.plan import Plan, PlanCost, PlanVariant, total_cost
from mqcap.notifications.sparklines import spark
from mqcap.presentation.plan_summary import COLUMNS, PlanSummary, option_rows
from mqcap.presentation.summary_text import crossing_words
from mqcap.queries.courses import Weeks, weeks_of_rows
from mqcap.reports.document import (
    Cell,
    Column,
    Course,
    ReportKind,
    Section,
    Table,
    columns,
    count_cell,
    day_cell,
    severity_cell,
    text_cell,
)
from mqcap.reports.make import ReportBasis, SectionEntry
from mqcap.settings import Settings

_PARTS: Final = {
    "cylinders": "Cylinders",
    "peak_cylinders": "Peak cylinders",
    "real_storage_mib": "Real storage, MiB",
    "above_bar_mib": "Virtual, MiB",
    "cf_storage_mib": "CF storage, MiB",
    "engines": "CF engines",
    "file_system_mib": "Disk, MiB",
    "chinit_restarts": "Chinit restarts",
    "queue_manager_restarts": "Restarts",
    "ipls": "IPLs",
    "work_hours": "Hours",
    "money": "Money",
}
"""Parts of a cost and their headings."""


def totals_by_month(plans: Sequence[Plan]) -> Table:
    """Return what the plans take by the month of their due day, and the sums of classes."""
    table = _totals("By month", "Due in", plans, lambda plan: plan.due_date.replace(day=1))
    parts = _parts_of(plans)
    own = [plan for plan in plans if plan.about.is_production]
    most = [plan.with_recommended for plan in own]
    sums = [
        _sums("Production", own, parts),
        _sum("Production", most, parts, "with what is recommended"),
    ]
    if len(own) < len(plans):
        sums.append(_sums("All, with other systems", plans, parts))
    return table.model_copy(update={"rows": (*table.rows, *sums)}) if plans else table


def totals_by_owner(plans: Sequence[Plan]) -> Table:
    """Return what the plans take by owner."""
    return _totals(
        "By owner", "Owner", plans, lambda plan: plan.about.owner or "no owner configured"
    )


def _totals(
    name: str, heading: str, plans: Sequence[Plan], key: Callable[[Plan], date | str]
) -> Table:
    parts = _parts_of(plans)
    groups = defaultdict[date | str, list[Plan]](list)
    for plan in sorted(plans, key=lambda plan: str(key(plan))):
        groups[key(plan)].append(plan)
    rows = [
        _sums(group if isinstance(group, str) else f"{group:%B %Y}", members, parts)
        for group, members in groups.items()
    ]
    return Table(
        name=name,
        columns=(
            Column(heading=heading, width=2.2),
            Column(heading="Plans", width=0.6, right=True),
            *(Column(heading=_PARTS[part], right=True) for part in parts),
        ),
        rows=tuple(rows),
        blank="No change is to be requested.",
    )


def _sum(
    name: str, variants: Sequence[PlanVariant], parts: Sequence[str], note: str = ""
) -> tuple[Cell, ...]:
    cost = total_cost(variant.cost for variant in variants)
    sums = (getattr(cost, part) for part in parts)
    nothing = Cell(text="", value=0.0, number_format="0")
    amounts = (count_cell(amount) if amount else nothing for amount in sums)
    return text_cell(name, note), count_cell(len(variants)), *amounts


def _sums(name: str, plans: Sequence[Plan], parts: Sequence[str]) -> tuple[Cell, ...]:
    return _sum(name, [plan.base for plan in plans], parts)


def _parts_of(plans: Iterable[Plan]) -> list[str]:
    """Return the parts that some tier has; the peak only where it differs from the difference."""
    every = [tier.cost for plan in plans for tier in (plan.base, plan.with_recommended)]
    has_peak = any(cost.replaced_cylinders for cost in every)
    return [
        part
        for part in _PARTS
        if any(getattr(cost, part) for cost in every) and (has_peak or part != "peak_cylinders")
    ]


def plan_totals(basis: ReportBasis) -> Section:
    """Return what the plans take, as sums of the plans that follow; losses are not in them."""
    changed = [plan for plan in basis.plans if plan.changes]
    return Section(
        heading="What it takes", tables=(totals_by_month(changed), totals_by_owner(changed))
    )


PLAN_TOTALS: Final = SectionEntry(2, frozenset({ReportKind.monthly}), plan_totals)


PRINTED_ROWS: Final = 24
"""Resources on paper; the workbook has all (ours)."""


def decisions(basis: ReportBasis) -> Section:
    """Return a row per resource with its course, and the courses for the workbook."""
    weeks = weeks_of_rows(basis.engine, basis.day, basis.rows)
    return Section(
        heading="What to decide",
        tables=(
            Table(
                name="Decisions",
                columns=columns(
                    "Severity 0.85, Resource 2.7, Now of limit 1.35, 180 days around 1.4, "
                    "Limit passed 1.75, Change 2.9, Begin by 1, Owner 1.5"
                ),
                rows=tuple(
                    _decision(row, basis.day, weeks.get(row.resource)) for row in basis.rows
                ),
                blank="No change is to be requested: nothing is at Act or Watch.",
                printed_rows=PRINTED_ROWS,
            ),
        ),
        courses=tuple(
            Course(
                name=row.title,
                unit=found.unit,
                measured=found.measured,
                expected=found.expected,
                limit=found.limit,
            )
            for row in basis.rows
            if (found := weeks.get(row.resource)) is not None
        ),
    )


def _decision(row: PlanSummary, day: date, weeks: Weeks | None) -> tuple[Cell, ...]:
    expected, _, span = crossing_words(row).partition(" (")
    name = row.title if row.is_production else f"{row.title} (not production)"
    return (
        severity_cell(row.severity),
        text_cell(name, row.problem),
        text_cell(row.now_of_limit),
        Cell(text="", png=spark(weeks, day) if weeks else b""),
        text_cell(expected, span.rstrip(")")),
        text_cell(row.change, ", ".join(filter(None, (row.cost, row.lasts)))),
        text_cell(row.due) if row.is_due_at_once else day_cell(row.due_date),
        text_cell(row.owner, row.acknowledged),
    )


DECISIONS: Final = SectionEntry(5, frozenset(ReportKind), decisions)


def options(basis: ReportBasis) -> Section:
    """Return every option of every resource with its cost in parts."""
    costs = set(PlanCost.model_fields)
    rows = list(option_rows(basis.rows))
    used = [name for name in COLUMNS if name not in costs or any(row[name] for row in rows)]
    return Section(
        heading="Options",
        tables=(
            Table(
                name="Options",
                columns=tuple(Column(heading=name.replace("_", " ")) for name in used),
                rows=tuple(tuple(_plain(row[name]) for name in used) for row in rows),
                blank="No change is to be requested.",
            ),
        ),
        is_detail=True,
    )


def _plain(value: object) -> Cell:
    if isinstance(value, date):
        return day_cell(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Cell(text=f"{value:g}", value=float(value), number_format="General")
    return Cell(text="" if value is None else str(value))


OPTIONS: Final = SectionEntry(6, frozenset(ReportKind), options)


def assumptions(basis: ReportBasis) -> Section:
    """Return the assumptions in sentences, each with its "none" where nothing is configured."""
    forecast, alerts = basis.settings.forecast, basis.settings.alerts
    leads = (f"{rule} {days} days" for rule, days in sorted(alerts.lead_time_days.items()))
    freezes = [
        f"Freeze {freeze.name or 'of changes'}: {freeze.first} to {freeze.last}."
        for freeze in alerts.change_freezes
        if freeze.last >= basis.day
    ]
    planned = list(_planned(basis.settings, basis.day))
    refused = sum(forecast.refusal is not None for forecast in basis.forecasts.values())
    removed = sum(forecast.removed_count for forecast in basis.forecasts.values())
    return Section(
        is_detail=True,
        heading="Assumptions",
        sentences=(
            f"Lead times: {', '.join(leads) or 'none stated'}.",
            *(freezes or ["No change freeze is stated."]),
            *(planned or ["No change is planned in the estate."]),
            (
                f"Forecasts reach {forecast.horizon_days} days; the nominal coverage of their "
                f"prediction interval is {percent(forecast.interval_width)}."
            ),
            (
                f"{len(basis.forecasts)} forecasts, {refused} refused; {removed} days were left "
                "out as outliers or artefacts."
            ),
        ),
    )


def _planned(settings: Settings, day: date) -> Iterator[str]:
    """Yield the changes that the estate plans for days after the day."""
    for plex in settings.complete_estate().sysplexes:
        for qmgr in plex.qmgrs:
            for change in qmgr.planned:
                if change.first_day > day:
                    values = (f"{key} = {value}" for key, value in change.values().items())
                    note = f" ({change.note})" if change.note else ""
                    yield (
                        f"Planned: {plex.sysplex}/{qmgr.name} from {change.first_day}: "
                        f"{', '.join(values)}{note}."
                    )


ASSUMPTIONS: Final = SectionEntry(50, frozenset({ReportKind.monthly}), assumptions)
