"""The board: rows of a day with their bar, line and time axis."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any, Final

from markupsafe import Markup
from pydantic import BaseModel

from mq_capacity_page.pages.discovery import NavigationEntry
from mq_capacity_page.web.context import PageContext, View
from mqcap.domain.feed import data_findings
from mqcap.domain.finding import Severity
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.presentation.summary_text import row_counts
from mqcap.queries.courses import Places, Weeks, weeks_of_rows
from mqcap.queries.summaries import KEPT_DAYS, kept_summaries_on
from mqcap.store.database import Store
from mqcap.store.feeds import read_feeds
from mqcap.store.findings import previous_findings_date, read_finding_summaries
from mqcap.store.plans import plan_resources
from mqcap.store.step_runs import last_step_ended_at

NAVIGATION: Final = NavigationEntry("board", "Board", "./", order=10)

WIDTH: Final = 250
"""Pixels."""
HEIGHT: Final = 30
AHEAD_DAYS: Final = 180
AHEAD: Final = timedelta(days=AHEAD_DAYS)
_MIDDLE: Final = 11
_LEAST_MONTH_PX: Final = 30
"""A month of which less is in view has no name (ours)."""


def axis_months(day: date) -> list[tuple[float, str]]:
    """Return place and name of each month that begins within the axis."""
    months = []
    first = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
    while (place := _place(first, day)) < WIDTH - _LEAST_MONTH_PX:
        months.append((place, f"{first:%b}"))
        first = (first + timedelta(days=32)).replace(day=1)
    return months


def axis_svg(row: PlanSummary, day: date, freezes: Iterable[tuple[date, date]]) -> Markup:
    """Return the axis of a row from ``day`` on.

    A dot is the expected day, the bar behind it the range of 80 %, a triangle the last day to
    begin, grey a change freeze.
    """
    parts = [
        f'<line class="grid" x1="{place:.0f}" x2="{place:.0f}" y1="0" y2="{HEIGHT}"/>'
        for place, _ in axis_months(day)
    ]
    for first, last in freezes:
        if last >= day:
            begin, end = _place(max(first, day), day), _place(last + timedelta(days=1), day)
            parts.append(
                f'<rect class="freeze" x="{begin:.0f}" width="{max(end - begin, 0):.0f}" y="0" '
                f'height="{HEIGHT}"/>'
            )
    if row.is_over:
        parts.append(f'<circle class="over" cx="5" cy="{_MIDDLE}" r="4"/>')
    elif row.early_date is not None:
        begin, end = _place(row.early_date, day), _place(row.late_date or date.max, day)
        parts.append(
            f'<rect class="range" x="{begin:.0f}" width="{max(end - begin, 4):.0f}" '
            f'y="{_MIDDLE - 3}" height="6" rx="3"/>'
        )
        if row.expected_date is not None and row.expected_date <= day + AHEAD:
            at = min(WIDTH - 5, _place(row.expected_date, day))
            parts.append(f'<circle class="expected" cx="{at:.0f}" cy="{_MIDDLE}" r="4"/>')
    if row.due_date is not None or row.is_due_at_once:
        at = min(WIDTH - 5, max(5, _place(row.due_date or day, day)))
        parts.append(f'<path class="due" d="M{at - 4:.0f},29 l4,-7 l4,7 z"/>')
    head = f'<svg class="axis" width="{WIDTH}" height="{HEIGHT}" aria-hidden="true">'
    return Markup("".join([head, *parts, "</svg>"]))  # noqa: S704 - numbers only


def _place(at: date, day: date) -> float:
    days = min((at - day).days, AHEAD_DAYS) if at < date.max else AHEAD_DAYS
    return WIDTH * days / AHEAD_DAYS


ROWS_PER_PAGE: Final = 40
"""Two screens and a half (ours)."""
PHONE_ROWS: Final = 12
"""Rows where they are cards, until all are asked for; the style sheet hides the others (ours)."""


class BoardFilters(BaseModel, frozen=True):
    """What a reader asks of the rows; empty passes everything."""

    team: str = ""
    site: str = ""
    severity: str = ""
    find: str = ""
    """Part of a title or path."""
    sort: str = ""
    """Key of ``SORTS``; anything else is the order of urgency."""
    start: int | None = None
    """Rows before the first one that is shown."""


SORTS: Final[dict[str, Callable[[PlanSummary], Any]]] = {
    "resource": lambda row: row.title.casefold(),
    "used": lambda row: -(row.used_ratio if row.used_ratio is not None else -1),
    "due": lambda row: (not row.is_due_at_once, row.due_date or date.max),
    "owner": lambda row: (not row.owner, row.owner.casefold()),
}


def board_view(context: PageContext, day: date, filters: BoardFilters) -> View:
    """Return a page of the rows of a day that pass the filters, and what is counted of all."""
    rows = kept_summaries_on(context.engine, day, context.settings)
    wanted = filters.find.strip().casefold()
    matches = [
        row
        for row in rows
        if filters.team in {"", row.owner}
        and filters.site in {"", row.resource.sysplex}
        and filters.severity in {"", row.severity.value}
        and wanted in f"{row.title} {row.resource} {row.owner}".casefold()
    ]
    if filters.sort in SORTS:
        matches.sort(key=SORTS[filters.sort])
    start = max(0, min(filters.start or 0, len(matches) - 1))
    shown = matches[start : start + ROWS_PER_PAGE]
    later = [row.due_date for row in matches if not _is_now(row, day) and row.due_date]
    return View(
        filters=filters,
        counts=_counts(context.engine, day, rows),
        begin_now=sum(_is_now(row, day) for row in matches),
        next_due=min(later, default=None),
        rows=board_rows(context, day, shown),
        total=len(matches),
        start=start,
        step=ROWS_PER_PAGE,
        every=len(rows),
        teams=sorted({row.owner for row in rows if row.owner}),
        sites=sorted({row.resource.sysplex for row in rows}),
        severities=(Severity.act, Severity.watch),
        months=axis_months(day),
        is_first=filters.start is None and len(matches) > PHONE_ROWS,
    )


def _counts(engine: Store, day: date, rows: Sequence[PlanSummary]) -> View:
    """Return what is counted: rows, checks, plans since the evaluated day before, feeds."""
    changed = last_step_ended_at(engine)
    checks = _checks(engine, day, changed) if changed else _checks_of(engine, day)
    before = previous_findings_date(engine, day)
    now = plan_resources(engine, day)
    earlier = plan_resources(engine, before) if before else now
    feeds = read_feeds(engine, day)
    return View(
        rows=row_counts(rows),
        in_order=checks[Severity.ok] + checks[Severity.suggestion],
        unknown=checks[Severity.unknown],
        added=len(now - earlier),
        gone=len(earlier - now),
        before=before,
        feeds=len(feeds),
        complete=len(feeds) - len(data_findings(feeds)),
    )


@lru_cache(maxsize=KEPT_DAYS)
def _checks(engine: Store, day: date, _changed: datetime) -> Counter[Severity]:
    return _checks_of(engine, day)


def _checks_of(engine: Store, day: date) -> Counter[Severity]:
    return Counter(summary.severity for summary in read_finding_summaries(engine, day).values())


def _is_now(row: PlanSummary, day: date) -> bool:
    return row.is_due_at_once or (row.due_date is not None and row.due_date <= day)


def board_rows(context: PageContext, day: date, rows: Sequence[PlanSummary]) -> list[View]:
    """Return rows with the pictures of their series and of their dates."""
    courses = weeks_of_rows(context.engine, day, rows)
    freezes = [(freeze.first, freeze.last) for freeze in context.settings.alerts.change_freezes]
    return [
        View(
            row=row, spark=_spark(courses.get(row.resource), day), axis=axis_svg(row, day, freezes)
        )
        for row in rows
    ]


def _spark(weeks: Weeks | None, day: date) -> Markup:
    if weeks is None:
        return Markup("")

    def line(kind: str, places: Places) -> str:
        points = " ".join(f"{190 * x:.0f},{30 - 29 * y:.1f}" for x, y in places)
        return f'<polyline class="{kind}" points="{points}"/>'

    measured, expected, limit = weeks.places(day)
    height = f"{30 - 29 * limit:.1f}"
    return Markup(  # noqa: S704 - numbers only
        '<svg class="spark" viewBox="0 0 190 31" preserveAspectRatio="none" aria-hidden="true">'
        f"{line('strong', measured)}{line('forecast', expected)}"
        f'<line class="limit" x1="0" x2="190" y1="{height}" y2="{height}"/></svg>'
    )
