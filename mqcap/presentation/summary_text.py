"""Rows of what is to be decided as plain text: the table, one resource in full, the counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from mqcap.domain.finding import Severity
from mqcap.domain.shown_text import wrapped
from mqcap.presentation.dates import short_day
from mqcap.presentation.labels import SEVERITY_LABELS
from mqcap.presentation.listing import GAP, Listing
from mqcap.presentation.plan_summary import PlanSummary, SummaryKind
from mqcap.presentation.summary_words import capital

HEADINGS: Final = ("", "resource", "now of limit", "change", "do by", "owner")
COLOURS: Final = {
    SEVERITY_LABELS[Severity.act]: "red",
    SEVERITY_LABELS[Severity.watch]: "yellow",
    SEVERITY_LABELS[Severity.unknown]: "cyan",
}
DETAIL_LINES: Final = 40
CHECKS_MAX: Final = 5
"""Sentences of what to check first that are printed (ours); the page has all."""
_INDENT: Final = "  "


def board(rows: Sequence[PlanSummary], title: str, caption: str = "") -> Listing:
    """Return the table of one line per resource."""
    return Listing(
        title=title,
        headings=HEADINGS,
        rows=tuple(map(cells, rows)),
        caption=caption,
        styles=COLOURS,
        name_count=1,
        cut=(1, 5),
    )


def cells(row: PlanSummary) -> tuple[str, ...]:
    """Return severity, resource, now of limit, change, due day and owner of a row."""
    return (
        SEVERITY_LABELS[row.severity],
        row.title,
        row.now_of_limit or row.problem,
        row.change,
        row.due,
        row.owner,
    )


class RowCount(NamedTuple):
    """A number of rows and what they are."""

    kind: str
    """``now``, ``coming``, ``losses``, ``tests``."""
    number: int
    words: str


def row_counts(rows: Sequence[PlanSummary]) -> list[RowCount]:
    """Return what every surface counts of the same rows; losses and tests only where some are.

    The first three are of production alone.
    """
    own = [row for row in rows if row.is_production]
    changes = [row for row in own if row.kind is not SummaryKind.loss]
    now = sum(row.is_over or row.kind is SummaryKind.incident for row in changes)
    losses, tests = len(own) - len(changes), len(rows) - len(own)
    further = (
        RowCount("losses", losses, f"{'loss' if losses == 1 else 'losses'} to prepare for"),
        RowCount("tests", tests, "of test systems"),
    )
    return [
        RowCount("now", now, "over a limit now"),
        RowCount("coming", len(changes) - now, "to plan"),
        *(each for each in further if each.number),
    ]


def count_words(rows: Sequence[PlanSummary]) -> str:
    """Return ``7 over a limit now, 12 to plan, 4 losses to prepare for, 1 of test systems.``."""
    return f"{', '.join(f'{each.number} {each.words}' for each in row_counts(rows))}."


def incident_lines(rows: Iterable[PlanSummary]) -> list[str]:
    """Return a line for each incident: the resource and what happened."""
    return [f"{row.title}: {row.problem}." for row in rows if row.kind is SummaryKind.incident]


def detail_lines(row: PlanSummary, width: int) -> list[str]:
    """Return one resource in at most ``DETAIL_LINES`` lines of that width."""
    lines = [
        line for text in _detail(row) for line in (wrapped(text, width, _INDENT) if text else [""])
    ]
    return lines[:DETAIL_LINES]


def _detail(row: PlanSummary) -> Iterator[str]:
    yield f"{row.title}: {SEVERITY_LABELS[row.severity].upper()}, {row.problem}"
    if row.story:
        yield capital(row.story)
    yield ""
    facts = {
        "Now": row.now_of_limit,
        "Limit passed": crossing_words(row),
        "Do by": _joined(row.due, row.owner),
        "Takes": row.cost,
        "Acknowledged": row.acknowledged,
    }
    yield from (f"{name:13} {text}" for name, text in facts.items() if text)
    yield ""
    yield from option_lines(row)
    if row.check_first:
        yield ""
        yield "Check first:"
        yield from (f"{_INDENT}{text}" for text in row.check_first[:CHECKS_MAX])


def option_lines(row: PlanSummary) -> list[str]:
    """Return two lines per way to do it: what it is and takes, then what for."""
    if not row.options:
        return [f"Change: {row.change}"]
    width = max(len(each.change) for each in row.options)
    lines = []
    for each in row.options:
        lines.append(GAP.join((f"{each.change:{width}}", _joined(each.cost, each.lasts))).rstrip())
        lines.append(f"{_INDENT}{': '.join(filter(None, (each.note, each.buys)))}")
    return lines


def crossing_words(row: PlanSummary) -> str:
    """Return ``now``, or the expected day with the range; empty where none is forecast."""
    if row.is_over:
        return "now"
    early, late = row.early_date, row.late_date
    span = f"from {short_day(early)}" if early else ""
    if early and late:
        span = f"{short_day(early)} to {short_day(late)}"
    if row.expected_date is None:
        return span
    return f"{short_day(row.expected_date)} ({span})" if span else short_day(row.expected_date)


def _joined(*parts: str) -> str:
    return ", ".join(filter(None, parts))
