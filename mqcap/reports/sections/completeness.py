"""Section of the records of the day that have not arrived."""

from typing import Final

from mqcap.completeness.days import feeds_as_of
from mqcap.domain.feed import FeedKind, data_findings
from mqcap.domain.numbers import counted
from mqcap.presentation.feed_text import data_words
from mqcap.reports.document import ReportKind, Section, Table, columns, count_cell, text_cell
from mqcap.reports.registry import ReportBasis, SectionEntry
from mqcap.store.observations import count_measured_series


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


SECTION: Final = SectionEntry(80, frozenset(ReportKind), completeness)
