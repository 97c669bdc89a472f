"""Rows of the store for programs of the site: daily observations, findings with their dates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from sqlalchemy import Engine, select

from mqcap.domain.units import SECONDS_PER_HOUR
from mqcap.store.crossings import read_crossings
from mqcap.store.fetch import fetch_rows
from mqcap.store.findings import read_findings
from mqcap.store.tables import ObservationRow, SeriesRow

OBSERVATION_COLUMNS: Final = (
    "metric", "subject", "site_date", "mean", "peak", "p95", "covered_seconds", "unit",
)  # fmt: skip
FINDING_COLUMNS: Final = (
    "rule", "subject", "severity", "observed", "limit", "unit", "superseded_by", "crossing_state",
    "crossing_earliest", "crossing_expected", "crossing_latest",
)  # fmt: skip
ExportedRow = Mapping[str, Any]


def exported_observations(engine: Engine) -> Iterator[ExportedRow]:
    """Yield every measured day of every series, by metric, subject and day.

    Keys are OBSERVATION_COLUMNS; a day is one of the zone of the subject's sysplex or site.
    """
    day, facts = ObservationRow, SeriesRow
    statement = (
        select(
            facts.metric,
            facts.subject,
            day.site_date,
            day.mean,
            day.peak,
            day.p95,
            day.covered_hours,
            facts.unit,
        )
        .join(facts, facts.series_id == day.series_id)
        .order_by(facts.metric, facts.subject, day.site_date)
    )
    for row in fetch_rows(engine, statement):
        covered_seconds = round(row["covered_hours"] * SECONDS_PER_HOUR, 6)
        yield {**row, "covered_seconds": covered_seconds}


def exported_findings(engine: Engine, site_date: date) -> Iterator[ExportedRow]:
    """Yield the findings of a day, by rule and subject, with the dates of their crossings.

    Keys are FINDING_COLUMNS. A limit that is already passed has the first day in breach as all
    three dates; a date that is not known, or after the horizon, is ``None``.
    """
    crossings = {(item.rule_id, item.subject): item for item in read_crossings(engine, site_date)}
    findings = sorted(
        read_findings(engine, site_date), key=lambda item: (item.rule_id, item.subject)
    )
    for finding in findings:
        crossing = crossings.get((finding.rule_id, finding.subject))
        since = crossing.breached_since if crossing else None
        yield {
            "rule": finding.rule_id,
            "subject": finding.subject,
            "severity": str(finding.severity),
            "observed": finding.observed,
            "limit": finding.limit_value,
            "unit": finding.unit,
            "superseded_by": finding.superseded_by,
            "crossing_state": str(crossing.state) if crossing else None,
            "crossing_earliest": since or (crossing.earliest_date if crossing else None),
            "crossing_expected": since or (crossing.expected_date if crossing else None),
            "crossing_latest": since or (crossing.latest_date if crossing else None),
        }
