"""Tables of a day for a terminal: a line per resource to decide on, a line per finding."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Final

from mqcap.domain.feed import data_findings
from mqcap.domain.finding import Severity
from mqcap.domain.metric import UNKNOWN_SYSPLEX
from mqcap.domain.numbers import counted
from mqcap.losses.text.as_plan import one_of_each_loss
from mqcap.presentation.dates import short_day
from mqcap.presentation.display_units import use_zones_of
from mqcap.presentation.feed_text import data_heading, feed_lines
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.listing import Listing
from mqcap.presentation.summary_text import (
    COLOURS,
    board,
    checks_words,
    count_words,
    incident_lines,
)
from mqcap.queries.fleet import fleet_on
from mqcap.queries.summaries import plan_summaries_on
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.feeds import read_feeds
from mqcap.store.findings import read_finding_summaries
from mqcap.store.plans import read_losses

ROWS_MAX: Final = 36
"""Resources that ``mqcap report`` lists; ``mqcap plan`` lists all (ours)."""
DATA_MAX: Final = 6
"""Lines of feeds that are listed; the page lists all (ours)."""
NO_ALL_CLEAR: Final = "Checks that need these records are not in order until they arrive."
_SHOWN: Final = frozenset({Severity.act, Severity.watch, Severity.unknown})


def table(settings: Settings, engine: Store, day: date) -> Listing:
    """Return a line per resource to decide on, most urgent first, with the counts of the day."""
    use_zones_of(settings)
    rows = plan_summaries_on(engine, day, settings)
    left = len(rows) - ROWS_MAX
    checks = Counter(summary.severity for summary in read_finding_summaries(engine, day).values())
    in_order = checks[Severity.ok] + checks[Severity.suggestion]
    sentences = [
        *incident_lines(rows),
        *([f"and {left} more: mqcap plan"] if left > 0 else []),
        checks_words(in_order, checks[Severity.unknown], "mqcap findings --severity unknown"),
    ]
    if any(row.resource.is_part_of(UNKNOWN_SYSPLEX) for row in rows):
        sentences.append(
            f"{UNKNOWN_SYSPLEX}: no record and no setting names this sysplex; list the SMF ids of "
            "its systems under estate, smfids (mqcap estate discover)."
        )
    title = f"{settings.site.name}, {short_day(day)}: {count_words(rows)}"
    return board(rows[:ROWS_MAX], title, "\n".join(sentences))


def data_lines(engine: Store, day: date) -> list[str]:
    """Return feeds that lack records and sources that differ; empty when all has arrived."""
    findings = data_findings(read_feeds(engine, day))
    if not findings:
        return []
    lines = feed_lines(findings)
    left = len(lines) - DATA_MAX
    return [
        f"{data_heading(findings)}, {short_day(day)}:",
        *lines[:DATA_MAX],
        *([f"and {left} more on the page Data"] if left > 0 else []),
        *([NO_ALL_CLEAR] if any(feed.is_incomplete for feed in findings) else []),
    ]


def findings_table(lines: Sequence[FleetLine], title: str) -> Listing:
    """Return one row per finding, without changes."""
    return Listing(
        title=title,
        headings=("severity", "subject", "rule", "observed", "limit", "date"),
        rows=tuple(
            (
                line.finding.severity.value,
                line.finding.subject,
                line.rule_words,
                line.observed.full,
                line.limit.full,
                str(line.when),
            )
            for line in lines
        ),
        caption=f"{counted(len(lines), 'finding')}.",
        styles={words.lower(): colour for words, colour in COLOURS.items()},
        name_count=2,
    )


def shown_lines(settings: Settings, engine: Store, day: date) -> list[FleetLine]:
    """Return the findings at Act, Watch and Unknown, one of each loss, most urgent first."""
    losses = read_losses(engine, day)
    lines = one_of_each_loss(fleet_on(settings, engine, day), losses)
    return [line for line in lines if line.finding.severity in _SHOWN]
