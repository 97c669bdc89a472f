"""Command ``scorecard``: what happened, what was due, and how dates of each limit have done."""

from datetime import timedelta
from typing import Annotated

import typer

from mqcap.cli.common import DayOption, print_json, print_lines, print_status
from mqcap.cli.shared.formats import FormatOption, ListForm, print_objects
from mqcap.cli.site_store import configured_store, day_or_newest
from mqcap.domain.console.ledger import LimitRecord
from mqcap.judging.ledger import correction_lines, read_ledger, read_limit_records
from mqcap.presentation.ledger_text import ledger_lines, record_lines
from mqcap.progress.shown import work
from mqcap.store.crossings import find_site_correction
from mqcap.store.observations import require_observed

app = typer.Typer()


@app.command()
def scorecard(
    day: DayOption = None,
    days: Annotated[
        int, typer.Option("--days", min=1, max=3_660, help="How many days to look back.")
    ] = 90,
    form: FormatOption = ListForm.table,
) -> None:
    """Print what happened, and whether it was forecast.

    As JSON it is one object with events, due forecasts, limits and correction; CSV has the limits.
    """
    settings, engine = configured_store()
    last = day_or_newest(settings, day)
    first = last - timedelta(days=days)
    with work("events and forecasts"):
        ledger = read_ledger(settings, engine, first, last)
        records = read_limit_records(engine, ledger, first, last)
    if day is not None and not (ledger.events or ledger.forecasts or records):
        require_observed(engine, last)
    limits = [record.model_dump(mode="json") for record in records]
    correction = find_site_correction(engine, last)
    if form is ListForm.json:
        events = [one.model_dump(mode="json") | {"foreseen": one.foreseen} for one in ledger.events]
        document = {
            "first": str(first),
            "day": str(last),
            "events": events,
            "forecasts": [one.model_dump(mode="json") for one in ledger.forecasts],
            "limits": limits,
            "site_correction": correction.model_dump(mode="json") if correction else None,
        }
        print_json(document)
        return
    if form is ListForm.csv:
        print_objects(form, limits, list(LimitRecord.model_fields))
        return
    lines = [*ledger_lines(ledger), *record_lines(records)]
    if lines := [*lines, *correction_lines(settings, engine, last)]:
        print_lines("\n".join(lines))
    else:
        print_status(f"From {first} to {last} nothing happened, was due, or can be scored yet.")
