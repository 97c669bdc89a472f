"""Section of what changed since an earlier day: findings that are worse, better or new."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Final, NamedTuple

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Severity
from mqcap.presentation import dates, labels
from mqcap.presentation.fleet import FleetLine
from mqcap.queries.date_changes import why_moved
from mqcap.reports.document import ReportKind, Section, Table, columns, text_cell
from mqcap.reports.registry import ReportBasis, SectionEntry
from mqcap.store.findings import next_findings_date, previous_findings_date, read_finding_summaries
from mqcap.store.models import FindingSummary

BACK: Final = {ReportKind.weekly: timedelta(days=7), ReportKind.monthly: timedelta(days=28)}
"""How far back a report compares."""
PRINTED_ROWS: Final = 8
"""Changes on paper; the workbook has all (ours)."""
IN_ORDER: Final = {Severity.ok, Severity.suggestion}
"""Severities between which a change is neither worse nor better."""


class DayChange(NamedTuple):
    """A finding that is worse or better than on the day compared with."""

    is_worse: bool
    line: FleetLine
    words: str
    is_dated: bool = False
    """True when the severity is the same and only the expected date moved."""


def changed(basis: ReportBasis) -> Section:
    """Return what is worse or better than on the day compared with."""
    before = compared_date(basis)
    if before is None:
        text = "No earlier day was evaluated, so there is nothing to compare with."
        return Section(heading="What changed", sentences=(text,))
    summaries = read_finding_summaries(basis.engine, before)
    differences = changes(basis.lines, summaries, basis.settings.alerts.worse_by_days)
    moved = (change.line for change in differences if change.is_dated)
    reasons = why_moved(basis.engine, before, moved)
    table = Table(
        name="Changed",
        columns=columns("Turn 0.6, Subject 1.2, Rule 2, What changed 2"),
        rows=tuple(
            (
                text_cell("▲ worse" if change.is_worse else "▽ better"),
                text_cell(change.line.finding.subject),
                text_cell(change.line.finding.title, change.line.finding.rule_id),
                text_cell(f"{change.words}: {next(reasons)}" if change.is_dated else change.words),
            )
            for change in differences
        ),
        blank="Nothing changed: every finding has the severity it had, and no date moved much.",
        printed_rows=PRINTED_ROWS,
    )
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


def changes(
    lines: Iterable[FleetLine], before: Mapping[tuple[str, str], FindingSummary], nearer_days: int
) -> list[DayChange]:
    """Return the changes in the order of the lines, the worse ones first.

    A severity that changed counts, so does an expected date that came nearer, or moved away, by
    ``nearer_days`` or more. A finding that the earlier day lacks counts when it is graded watch
    or act. What lost an input counts as a change to ``unknown``; that missing data arrived, and all
    is in order, is no news of capacity. Between ok and suggestion nothing counts, nor between two
    days whose figures have different units: the earlier one was evaluated by another release,
    which measured something else.
    """
    differences = (_change(line, before.get(line.key), nearer_days) for line in lines)
    counted = [change for change in differences if change is not None]
    return sorted(counted, key=lambda change: not change.is_worse)


def _change(line: FleetLine, before: FindingSummary | None, nearer_days: int) -> DayChange | None:
    now = line.finding.severity
    if before is None:
        words = f"new: {labels.SEVERITY_LABELS[now]}"
        counts = now.rank >= Severity.watch.rank
        return DayChange(True, line, words) if counts else None
    units = {line.finding.unit, before.unit} - {""}  # a finding without figures has none
    has_arrived = before.severity is Severity.unknown and now.rank < Severity.watch.rank
    if len(units) > 1 or {now, before.severity} == IN_ORDER or has_arrived:
        return None
    if now is not before.severity:
        words = f"{labels.SEVERITY_LABELS[before.severity]} → {labels.SEVERITY_LABELS[now]}"
        return DayChange(now.rank > before.severity.rank, line, words)
    return _moved(line, before.expected_date, nearer_days)


def _moved(line: FleetLine, before: date | None, nearer_days: int) -> DayChange | None:
    crossing = line.crossing
    now = crossing.expected_date if crossing else None
    if crossing is None or crossing.state is not CrossingState.will_cross:
        return None
    if now is None or before is None or abs((now - before).days) < nearer_days:
        return None
    days = (now - before).days
    moved = f"{abs(days)} days {'nearer' if days < 0 else 'later'}"
    return DayChange(days < 0, line, f"expected {dates.short_day(now)}, {moved}", is_dated=True)


SECTION: Final = SectionEntry(20, frozenset(ReportKind), changed)
