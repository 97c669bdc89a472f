"""Summary at the end of the local run: findings, newest email, tickets, page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from rich.console import Console

from devtools.local.airflow import LocalAirflow
from devtools.local.folders import LocalFolders
from mqcap.domain.ticket import TicketState
from mqcap.reports.terminal_data_findings import data_table
from mqcap.reports.terminal_table import table
from mqcap.settings import load_settings
from mqcap.store.database import open_store
from mqcap.store.tickets import read_tickets


def print_summary(
    console: Console, airflow: LocalAirflow, folders: LocalFolders, day: date
) -> None:
    """Print what is over its limit, now or by forecast, and where to find emails and tickets."""
    settings = load_settings()
    engine = open_store(settings.store.url.get_secret_value())
    try:
        shown = [table(settings, engine, day), data_table(engine, day)]
        state_counts = _count(ticket.state for ticket in read_tickets(engine))
    finally:
        engine.dispose()
    console.print(*filter(None, shown), sep="\n\n", crop=False)
    console.print(f"Email: {_newest_mail(folders.mail)}", soft_wrap=True)
    console.print(f"Tickets: {state_counts}; on the page {airflow.page_url}", soft_wrap=True)


def _count(states: Iterable[TicketState]) -> str:
    counted = Counter(str(state) for state in states)
    return ", ".join(f"{count} {state}" for state, count in sorted(counted.items())) or "none"


def _newest_mail(folder: Path) -> str:
    newest = max(folder.rglob("*.eml"), key=lambda file: file.stat().st_mtime, default=None)
    return f"none was due; the folder is {folder}" if newest is None else str(newest)
