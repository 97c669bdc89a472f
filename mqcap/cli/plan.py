"""Commands ``plan`` and ``lose``: what to change on a day, and what survivors of a loss carry."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer
import yaml

from mqcap.cli.common import DayOption, print_lines, print_status, print_table, print_text
from mqcap.cli.shared.formats import FormatOption, ListForm, print_objects
from mqcap.cli.site_store import evaluated_day
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.names.short_names import listed_names, near_names, near_or_all
from mqcap.domain.numbers import counted
from mqcap.domain.plan import Plan
from mqcap.files import write_text
from mqcap.judging.evaluate import facts_of_day
from mqcap.losses.carried.lose import parts_without_loss, reasons_without_loss
from mqcap.losses.model import with_plans
from mqcap.losses.text.sentences import NOTE, loss_lines
from mqcap.presentation.dates import short_day
from mqcap.presentation.listing import terminal
from mqcap.presentation.plan_objects import plan_object
from mqcap.presentation.plan_summary import COLUMNS, option_rows
from mqcap.presentation.summary_text import board, count_words, detail_lines
from mqcap.progress.shown import work
from mqcap.queries.summaries import plan_summaries_on
from mqcap.store.plans import read_losses, read_plans

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
    rows = [row for row in every if wanted in f"{row.resource} {row.title}".casefold()]
    if resource and not rows:
        raise ConfigurationError(
            "no plan of such a resource",
            found=resource,
            expected=near_or_all(resource, (row.resource for row in every))
            or f"no plan is due on {site_date}",
        )
    named = {row.resource for row in rows}
    plans = [
        plan
        for plan in read_plans(engine, site_date)
        if not resource or plan.resource in named or wanted in plan.resource.casefold()
    ]
    if scenario is not None:
        of_plans = f"the changes of {counted(len(plans), 'plan')}"
        document = {"title": f"Plans of {site_date}", "configuration": _scenario_parts(plans)}
        _write_scenario(scenario, document, of_plans)
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


def _scenario_parts(plans: Sequence[Plan]) -> list[dict[str, Any]]:
    """Return the changes of plans, each once. Raises ConfigurationError where they have none."""
    parts: list[dict[str, Any]] = []
    for change in (change for plan in plans for change in plan.tried(plan.base)):
        parts += [part for part in change.scenario_parts if part not in parts]
    if not parts:
        raise ConfigurationError(
            "no plan has a change that what-if can try",
            found=counted(len(plans), "plan"),
            expected="a plan with settings; mqcap plan lists them",
        )
    return parts


def _write_scenario(file: Path, document: dict[str, Any], words: str) -> None:
    write_text(file, yaml.safe_dump(document, sort_keys=False))
    print_status(f"{file}: {words}; mqcap whatif {file}")


NOTHING: Final = (
    "no coupling facility with a structure of MQ and no queue sharing group with two members is "
    "known"
)


@app.command()
def lose(
    part: Annotated[
        str, typer.Argument(metavar="[PART]", help="Part of a path, such as CF02 or PLEX1/CSQ2.")
    ] = "",
    day: DayOption = None,
    form: FormatOption = ListForm.table,
    scenario: Annotated[
        Path | None,
        typer.Option(
            "--scenario",
            help="Write the loss of one PART, with its changes and the plans that they are beside, "
            "as a what-if scenario to this file.",
        ),
    ] = None,
) -> None:
    """Print what survivors carry when a facility or member is lost."""
    settings, engine, site_date = evaluated_day(day)
    with work("read losses"):
        every = read_losses(engine, site_date)
    losses = [row for row in every if part.casefold() in row.lost.casefold()]
    if part and not losses:
        with work("read the day"):
            facts = facts_of_day(settings, engine, site_date)
            reasons = reasons_without_loss(facts, part)
            known = [row.lost for row in every]
            near = near_names(part, known if reasons else [*known, *parts_without_loss(facts)])
        raise ConfigurationError(
            f"no loss was evaluated of {'; '.join(reasons)}"
            if reasons
            else "no loss of such a part was evaluated",
            found="" if reasons else part,
            expected=" or ".join(near) or listed_names(known) or f"nothing on {site_date}",
        )
    if scenario is not None:
        if len(losses) != 1:
            raise ConfigurationError(
                "a scenario is of one loss",
                found=f"{len(losses)} losses",
                expected="one of " + ", ".join(row.lost for row in every),
            )
        changes = with_plans(losses[0], read_plans(engine, site_date))
        parts = [part for change in changes for part in change.scenario_parts]
        title = f"Loss of {losses[0].lost} with its changes, {site_date}"
        document = {"title": title, "configuration": parts, "lose": str(losses[0].lost)}
        _write_scenario(scenario, document, title)
    if form.is_for_programs:
        print_objects(form, losses)
    elif not losses:
        print_status(f"Nothing can be lost on {site_date}: {NOTHING}.")
    else:
        print_lines("\n\n".join("\n  ".join(loss_lines(loss)) for loss in losses))
        print_lines(f"\n{NOTE}")
