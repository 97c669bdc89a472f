"""Rows of what is to be decided as plain text: the table, one resource in full, the counts."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from mqcap.domain.finding import Severity
from mqcap.domain.numbers import counted
from mqcap.domain.shown_text import wrapped
from mqcap.presentation.dates import short_day
from mqcap.presentation.labels import SEVERITY_LABELS, as_sentence
from mqcap.presentation.listing import Listing
from mqcap.presentation.plan_summary import NOW, PlanSummary, SummaryKind

HEADINGS: Final = ("", "resource", "now of limit", "change", "do by", "owner")
COLOURS: Final = {
    SEVERITY_LABELS[Severity.act]: "red",
    SEVERITY_LABELS[Severity.watch]: "yellow",
    SEVERITY_LABELS[Severity.unknown]: "cyan",
}
DETAIL_LINES: Final = 40
OPTIONS_MAX: Final = 6
CHECKS_MAX: Final = 4
"""Options, and sentences of what to check first, that are printed (ours); the page has all."""
_INDENT: Final = "  "


def board(rows: Sequence[PlanSummary], title: str, caption: str = "") -> Listing:
    """Return the table of one line per resource."""
    return Listing(title, HEADINGS, tuple(map(cells, rows)), caption, COLOURS, cut=(1, 5))


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
        *(count for count in further if count.number),
    ]


def count_words(rows: Sequence[PlanSummary]) -> str:
    """Return ``7 over a limit now, 12 to plan, 4 losses to prepare for, 1 of test systems.``."""
    return f"{', '.join(f'{count.number} {count.words}' for count in row_counts(rows))}."


def checks_words(in_order: int, not_made: int, hint: str = "") -> str:
    """Return ``252 checks in order, 3 not made.``; ``hint`` says where those are listed."""
    others = f", {not_made} not made{f' ({hint})' if hint else ''}" if not_made else ""
    return f"{counted(in_order, 'check')} in order{others}."


def incident_lines(rows: Iterable[PlanSummary]) -> list[str]:
    """Return a line for each incident: the resource and what happened."""
    return [f"{row.title}: {row.problem}." for row in rows if row.kind is SummaryKind.incident]


def to_do(row: PlanSummary) -> str:
    """Return the change and its day: ``16 x CYL(5825) by 11 Dec 2026``."""
    when = row.due if row.due in {"", NOW} else f"by {row.due}"
    return f"{row.change} {when}".strip()


def row_lines(row: PlanSummary, also: Sequence[str] = ()) -> list[str]:
    """Return figure and limit, what to do by when, ``also``, the options, what to check first."""
    now = f"now {row.now_of_limit}" if row.now_of_limit else ""
    passed = crossing_words(row)
    facts = _joined("; ", now, f"limit passed {passed}" if passed else "", row.acknowledged)
    owner = f" ({row.owner})" if row.owner else ""
    do = f"Do: {to_do(row)}{owner}" if row.change else ""
    lines = [f"{as_sentence(sentence)}." for sentence in (facts, do, *also) if sentence]
    options = (
        f"{option.change}: {_joined('; ', option.cost, option.lasts, option.note, option.buys)}"
        for option in row.options[:OPTIONS_MAX]
    )
    for heading, listed in (("Options", options), ("Check first", row.check_first[:CHECKS_MAX])):
        if under := [f"- {line}" for line in listed]:
            lines += ["", f"{heading}:", *under]
    return lines


def detail_lines(row: PlanSummary, width: int) -> list[str]:
    """Return one resource in at most ``DETAIL_LINES`` lines of that width."""
    head = f"{row.title}: {SEVERITY_LABELS[row.severity].upper()}, {row.problem}"
    lines = [head, *([as_sentence(row.story)] if row.story else []), *row_lines(row)]
    return [part for line in lines for part in wrapped(line, width, _INDENT)][:DETAIL_LINES]


def crossing_words(row: PlanSummary) -> str:
    """Return ``now``, or the expected day with the range; empty where none is forecast."""
    if row.is_over:
        return "now"
    early, expected, late = (
        short_day(day) if day else "" for day in (row.early_date, row.expected_date, row.late_date)
    )
    span = f"from {early}" if early else ""
    if early and late:
        span = f"{early} to {late}"
    return f"{expected} ({span})" if expected and span else expected or span


def _joined(between: str, *parts: str) -> str:
    return between.join(filter(None, parts))
