"""Command ``plan``: what to change on a day, a line per resource, or one resource in full."""

from pathlib import Path
from typing import Annotated, Any

import typer
import yaml

from mqcap.cli.common import DayOption, print_status, print_table, print_text
from mqcap.cli.shared.formats import FormatOption, ListForm, print_objects
from mqcap.cli.site_store import evaluated_day
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.names.short_names import near_or_all
from mqcap.presentation.dates import short_day
from mqcap.presentation.listing import terminal
from mqcap.presentation.plan_objects import plan_object
from mqcap.presentation.plan_summary import COLUMNS, option_rows
from mqcap.presentation.summary_text import board, count_words, detail_lines
from mqcap.progress.shown import work
from mqcap.queries.summaries import plan_summaries_on
from mqcap.store.plans import read_plans

app = typer.Typer()


@app.command()
def plan(
    resource: Annotated[
        str,
        typer.Argument(
            metavar="[RESOURCE]", help="Part of a name or path: CSQ1, 'CSQ1 active logs'."
        ),
    ] = "",
    day: DayOption = None,
    form: FormatOption = ListForm.table,
    scenario: Annotated[
        Path | None,
        typer.Option(
            "--scenario",
            help="Write all changes, with those of other plans that they count, as one what-if "
            "scenario to this file.",
        ),
    ] = None,
) -> None:
    """Print what to change, by when, a line per resource.

    With a resource it prints all of it.

    As JSON it has the objects of the REST API (api/plans), as CSV a row for each option.
    """
    settings, engine, site_date = evaluated_day(day)
    with work("read plans"):
        every = plan_summaries_on(engine, site_date, settings)
    wanted = resource.casefold()
    rows = [each for each in every if wanted in f"{each.resource} {each.title}".casefold()]
    if resource and not rows:
        raise ConfigurationError(
            "no plan of such a resource",
            found=resource,
            expected=near_or_all(resource, (each.resource for each in every))
            or f"no plan is due on {site_date}",
        )
    named = {row.resource for row in rows}
    plans = [
        each
        for each in read_plans(engine, site_date)
        if not resource or each.resource in named or wanted in each.resource.casefold()
    ]
    if scenario is not None:
        parts: list[dict[str, Any]] = []
        for change in (each for plan in plans for each in plan.tried(plan.base)):
            parts += [part for part in change.scenario_parts if part not in parts]
        document = {"title": f"Plans of {site_date}", "configuration": parts}
        scenario.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
        print_status(f"{scenario}: the changes of {len(plans)} plans; mqcap whatif {scenario}")
    if form is ListForm.json:
        print_objects(form, map(plan_object, plans))
    elif form is ListForm.csv:
        print_objects(form, option_rows(rows), COLUMNS)
    elif not rows:
        print_status(f"No plan is due on {site_date}: nothing that is checked needs one.")
    elif len(rows) == 1 and resource:
        print_text("\n".join(detail_lines(rows[0], terminal().width)))
        print_status(f"In full: mqcap explain {rows[0].rule_id} {rows[0].subject}")
    else:
        print_table(board(rows, f"{short_day(site_date)}: {count_words(rows)}"))
        print_status(f"One in full: mqcap plan {rows[0].resource}")
