"""The table of what is, and what will be, over its limit, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from rich import box
from rich.table import Table

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Finding, Severity
from mqcap.presentation.terminal import plain
from mqcap.store.database import Store
from mqcap.store.findings import read_findings
from mqcap.store.fleet import fleet
from mqcap.store.models import FleetRow

UNKNOWN_SYSPLEX: Final = "UNKNOWN"
"""What records are filed under whose system belongs to no sysplex we know of."""
SUGGESTED_MAX: Final = 5
"""Suggestions named below the table."""
COLOUR = {Severity.act: "red", Severity.watch: "yellow", Severity.unknown: "cyan"}


def table(engine: Store, day: date, zone: str) -> Table:
    """One row per finding that is not in order: figures, dates, rule and recommended change.

    Suggestions stand below the table: nothing of theirs is over a limit.
    """
    by_key = {(finding.rule_id, finding.subject): finding for finding in read_findings(engine, day)}
    known = fleet(engine, day)
    rows = [row for row in known if row.severity in COLOUR]
    suggested = [row for row in known if row.severity is Severity.suggestion]
    result = Table(
        title=plain(f"Over the limit now, or soon: {day.isoformat()} ({zone})"),
        caption=plain(_caption(len(known) - len(rows) - len(suggested), suggested, rows)),
        box=box.SIMPLE_HEAD,
        title_justify="left",
        caption_justify="left",
    )
    for heading in ("", "subject", "rule", "now", "limit", "passes the limit", "change"):
        result.add_column(heading, overflow="fold")
    for row in rows:
        finding = by_key[row.rule_id, row.subject]
        result.add_row(
            f"[{COLOUR[row.severity]}]{row.severity}[/]",
            plain(row.subject),
            row.rule_id,
            plain(_figure(row.observed, row.unit)),
            plain(_figure(row.limit_value, row.unit)),
            plain(dates(row)),
            plain(_change(finding)),
        )
    return result


def dates(row: FleetRow) -> str:
    """The crossing in words: since when, the date range, or why there is none."""
    if row.crossing_state is CrossingState.breached:
        return f"over since {row.breached_since}"
    if row.crossing_state is CrossingState.will_cross:
        expected = row.expected_date or f"not within {row.reach}"
        latest = row.latest_date or f"not within {row.reach}"
        return f"{row.earliest_date} / {expected} / {latest}"
    if row.crossing_state is CrossingState.not_within_horizon:
        return f"not within {row.reach}"
    return row.reason or ("over" if row.breach else "")


def _caption(ok_count: int, suggested: Sequence[FleetRow], rows: Iterable[FleetRow]) -> str:
    words = f"{ok_count} further checks are in order."
    if suggested:
        named = ", ".join(f"{row.rule_id} {row.subject}" for row in suggested[:SUGGESTED_MAX])
        more = len(suggested) - SUGGESTED_MAX
        words += (
            f"\nSuggestions, nothing breaks (mqcap explain RULE SUBJECT says more): {named}"
            f"{f' and {more} more' if more > 0 else ''}."
        )
    if any(row.sysplex == UNKNOWN_SYSPLEX for row in rows):
        words += (
            f"\n{UNKNOWN_SYSPLEX} stands for a sysplex that no record names: list the SMF ids of "
            "its systems under estate, smfids (`mqcap estate discover` writes a first version)."
        )
    return words


def _figure(value: float | None, unit: str) -> str:
    return "" if value is None else f"{value:,.4g} {unit}"


def _change(finding: Finding) -> str:
    if finding.missing:
        return "; ".join(finding.missing)
    lines = [
        f"{change.action} {change.typed}".strip().rstrip(".") + "." for change in finding.changes
    ]
    return " ".join(lines[:2]) or finding.advice
