"""Sections of what a report rests on: past forecasts, and records that have not arrived."""

from datetime import timedelta
from typing import Final

from mqcap.completeness.days import feeds_as_of
from mqcap.domain.feed import FeedKind, data_findings
from mqcap.domain.numbers import counted, percent, probability
from mqcap.judging.ledger import evaluated_later, read_ledger, read_limit_records
from mqcap.presentation import labels
from mqcap.presentation.feed_text import data_words
from mqcap.presentation.ledger_text import basis_label, ledger_lines, record_lines
from mqcap.presentation.quantities import quantity
from mqcap.reports.document import (
    ReportKind,
    Section,
    Table,
    cell_of,
    columns,
    count_cell,
    percent_cell,
    text_cell,
)
from mqcap.reports.make import ReportBasis, SectionEntry
from mqcap.store.observations import count_measured_series
from mqcap.store.scores import class_scores, computed_scores, made_later, reliability

QUARTER: Final = timedelta(days=91)
SCORED_WITHIN: Final = timedelta(days=7)
"""Delay after which the weekly run has scored a stated probability; a shorter one would make the
section depend on the day on which the report is made."""


def accuracy(basis: ReportBasis) -> Section:
    """Return error and coverage by metric, and stated against observed frequencies."""
    first = basis.day - QUARTER
    later = evaluated_later(basis.engine, first, basis.day)
    live = made_later(computed_scores(first, basis.day), later, are=False)
    scores = class_scores(basis.engine, live)
    table = Table(
        name="Accuracy",
        columns=columns(
            "Forecast of 2, Days scored right, Coverage right, Nominal coverage right, "
            "Error (sMAPE) right"
        ),
        rows=tuple(
            (
                text_cell(labels.metric_label(score.metric), str(score.statistic)),
                count_cell(score.scored_days),
                percent_cell(score.coverage_ratio),
                percent_cell(score.interval_width),
                cell_of(quantity(score.smape_pct, "%")),
            )
            for score in scores
        ),
        blank="Nothing is scored yet: no forecast is older than its first measured day.",
    )
    ledger = read_ledger(basis.settings, basis.engine, first, basis.day)
    scored_day = basis.day - SCORED_WITHIN
    records = read_limit_records(basis.engine, ledger, first, scored_day)
    stated = tuple(
        f"{basis_label(bin_.basis)}within {bin_.horizon_days} days: "
        f"stated probability {probability(bin_.stated)}, "
        f"observed frequency {percent(bin_.came)} of {bin_.count}."
        for bin_ in reliability(basis.engine, first, scored_day)
    )
    return Section(
        is_detail=True,
        heading="How good past forecasts were (last quarter)",
        tables=(table,),
        sentences=(*ledger_lines(ledger), *record_lines(records), *stated),
    )


ACCURACY: Final = SectionEntry(70, frozenset({ReportKind.weekly, ReportKind.monthly}), accuracy)


def completeness(basis: ReportBasis) -> Section:
    """Return the incomplete feeds, as known at the end of the day."""
    feeds = feeds_as_of(basis.settings, basis.engine, basis.day, basis.day)
    measured = count_measured_series(basis.engine, basis.day)
    series = f"{measured} series were measured on this day."
    if not feeds:
        return Section(
            heading="Data", sentences=("Completeness was not assessed for this day.", series)
        )
    table = Table(
        name="Data",
        columns=columns("Feed 1.2, State 0.8, Received 0.8 right, What is known 3"),
        rows=tuple(
            (
                text_cell(feed.system or feed.subject, feed.kind.replace("_", " ")),
                text_cell(feed.state.replace("_", " ")),
                count_cell(feed.received_count),
                text_cell(feed.summary, feed.remedy),
            )
            for feed in feeds
            if feed.is_data_finding
        ),
        blank="Everything that was expected about this day has arrived.",
    )
    expected = [feed for feed in feeds if feed.kind is not FeedKind.comparison]
    words = data_words(data_findings(feeds)) or "none incomplete"
    counts = f"{counted(len(expected), 'feed')}; {words}."
    is_detail = basis.kind is ReportKind.monthly
    return Section(heading="Data", sentences=(counts, series), tables=(table,), is_detail=is_detail)


COMPLETENESS: Final = SectionEntry(80, frozenset(ReportKind), completeness)
