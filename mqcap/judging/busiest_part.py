"""Name of the part that a finding about the busiest of several is about."""

from __future__ import annotations

from typing import Final

from mqcap.domain.finding import Finding
from mqcap.domain.input_source import MeasuredDaySource
from mqcap.lake.location import open_lake
from mqcap.lake.parts import largest_part

NAMED: Final = {"private_queue_messages_per_s": "queue"}
"""Metrics that are about the busiest of several, and what these are."""


def with_busiest_part(finding: Finding, lake: str) -> Finding:
    """Return the finding with the name of the busiest part on the day of its figure.

    Unchanged for figures that are not about the busiest of several, and where its records did not
    leave a name (an older release, or past their retention).
    """
    for value in finding.inputs:
        origin = value.origin
        if not isinstance(origin, MeasuredDaySource) or origin.metric not in NAMED:
            continue
        name = largest_part(open_lake(lake), origin.metric, origin.subject, origin.site_date)
        if name is not None:
            statement = (finding.statement or finding.summary).rstrip(".")
            return finding.with_statement(f"{statement}; the {NAMED[origin.metric]} is {name}.")
    return finding
