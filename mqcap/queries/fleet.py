"""Findings of a day with their dates and tickets, read from the store, most urgent first."""

from __future__ import annotations

from datetime import date

from mqcap.presentation.fleet import Facts, FleetLine, fleet_lines
from mqcap.settings import Settings
from mqcap.store.crossings import crossings_below, read_crossings
from mqcap.store.database import Store
from mqcap.store.findings import findings_below, read_findings
from mqcap.store.tickets import read_tickets


def fleet_on(settings: Settings, engine: Store, day: date, subject: str = "") -> list[FleetLine]:
    """Return the findings of a day, most urgent first; empty when no rules were evaluated.

    With ``subject``, only those on it and below it.
    """
    if subject:
        findings = findings_below(engine, day, subject)
        crossings = crossings_below(engine, day, subject)
    else:
        findings, crossings = read_findings(engine, day), read_crossings(engine, day)
    facts = Facts(findings, crossings, read_tickets(engine, as_of=day))
    return fleet_lines(facts, settings.complete_estate(), settings.alerts)
