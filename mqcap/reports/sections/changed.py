"""Section of what changed since an earlier day."""

from datetime import date, timedelta
from functools import partial
from typing import Final

from mqcap.presentation import dates
from mqcap.queries.date_changes import why_moved
from mqcap.reports.day_over_day import changes, reasoned
from mqcap.reports.document import ReportKind, Section
from mqcap.reports.registry import ReportBasis, SectionEntry
from mqcap.reports.tables import differences_table
from mqcap.store.findings import next_findings_date, previous_findings_date, read_finding_summaries

BACK: Final = {ReportKind.weekly: timedelta(days=7), ReportKind.monthly: timedelta(days=28)}
"""How far back a report compares."""
PRINTED_ROWS: Final = 8
"""Changes on paper; the workbook has all (ours)."""


def changed(basis: ReportBasis) -> Section:
    """Return what is worse or better than on the day compared with."""
    before = compared_date(basis)
    if before is None:
        text = "No earlier day was evaluated, so there is nothing to compare with."
        return Section(heading="What changed", sentences=(text,))
    summaries = read_finding_summaries(basis.engine, before)
    differences = changes(basis.lines, summaries, basis.settings.alerts.worse_by_days)
    every = differences_table(reasoned(differences, partial(why_moved, basis.engine, before)))
    table = every.model_copy(update={"printed_rows": PRINTED_ROWS})
    return Section(heading=f"What changed since {dates.day_words(before)}", tables=(table,))


def compared_date(basis: ReportBasis) -> date | None:
    """Return the evaluated day that a report compares with; ``None`` without an earlier one.

    That is the day before for the daily report. For the others it is the last day a week, or four
    weeks, ago or earlier, else the first one within them.
    """
    if basis.kind is ReportKind.daily:
        return previous_findings_date(basis.engine, basis.day)
    then = basis.day - BACK[basis.kind]
    earlier = previous_findings_date(basis.engine, then + timedelta(days=1))
    if earlier is not None:
        return earlier
    first = next_findings_date(basis.engine, then)
    return first if first is not None and first < basis.day else None


SECTION: Final = SectionEntry(20, frozenset(ReportKind), changed)
