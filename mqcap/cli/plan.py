"""Commands ``plan`` and ``lose``, and what work costs here and by another transport."""

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any, Final

import typer
import yaml

from mqcap.cli.common import DayOption, print_lines, print_status, print_table, print_text
from mqcap.cli.shared.formats import FormatOption, ListForm, print_objects
from mqcap.cli.site_store import configured_store, day_or_newest, evaluated_day
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.names.short_names import listed_names, near_names, near_or_all
from mqcap.domain.numbers import counted
from mqcap.domain.plan import Plan
from mqcap.files import write_text
from mqcap.judging.evaluate import facts_of_day
from mqcap.losses.carried.lose import parts_without_loss, reasons_without_loss
from mqcap.losses.model import with_plans
from mqcap.losses.text.sentences import NOTE, loss_lines
from mqcap.presentation.cost_text import (
    NO_CHANNELS,
    candidate_listing,
    move_listing,
    move_object,
    unit_cost_listing,
    unit_cost_object,
)
from mqcap.presentation.dates import short_day
from mqcap.presentation.listing import terminal
from mqcap.presentation.plan_summary import COLUMNS, option_rows, plan_object
from mqcap.presentation.summary_text import board, count_words, detail_lines
from mqcap.progress.shown import work
from mqcap.queries.summaries import plan_summaries_on
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.observations import require_observed
from mqcap.store.plans import read_losses, read_plans
from mqcap.store.series import subject_meant
from mqcap.transports.moves import channel_moves
from mqcap.unit_costs.learning_data import LearningData
from mqcap.unit_costs.learnt import UnitCosts

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


@app.command("unit-costs")
def unit_costs(
    subject: Annotated[
        str, typer.Argument(metavar="[SUBJECT]", help="PLEX1/CSQ1 and its parts; default: all.")
    ] = "",
    day: DayOption = None,
    form: FormatOption = ListForm.table,
) -> None:
    """Print costs that are learnt from the site's own data."""
    settings, engine, last, subject = _asked(subject, day)
    with work("unit costs"):
        costs = UnitCosts(settings, engine, last, subject).below(subject)
    if not costs and day is not None:
        require_observed(engine, last)
    if subject and not costs:
        raise ConfigurationError(
            "no unit cost of such a subject",
            found=subject,
            expected="a queue manager, channel initiator or structure with measured days, or a "
            "distributed queue manager with puts and log; hosts, queues and z/TPF have none",
            remedy="mqcap unit-costs without a subject lists all.",
        )
    if form.is_for_programs:
        print_objects(form, map(unit_cost_object, costs))
        return
    print_table(unit_cost_listing(costs, f"Unit costs learnt up to {last}"))


@app.command()
def transports(
    subject: Annotated[
        str, typer.Argument(metavar="[SYSPLEX]", help="PLEX1, or PLEX1/CSQ1; default: all.")
    ] = "",
    day: DayOption = None,
    form: FormatOption = ListForm.table,
) -> None:
    """Print which channels could use SMC, IGQ or shared queues."""
    settings, engine, last, subject = _asked(subject, day)
    data = LearningData(settings, engine, last)
    with work("transports of channels"):
        moves = channel_moves(data, subject)
    if not moves and day is not None:
        require_observed(engine, last)
    if subject and not moves:
        every = {move.traffic.sysplex for move in channel_moves(data)}
        raise ConfigurationError(
            f"{subject} has no channel between two queue managers of one sysplex with measured "
            "messages",
            found=f"such channels of {', '.join(sorted(every))}" if every else "none anywhere",
            remedy="Where two queue managers of a sysplex have channels to each other, START "
            "TRACE(ACCTG) CLASS(4) and STATCHL above OFF show them.",
        )
    if form.is_for_programs:
        print_objects(form, map(move_object, moves))
        return
    if not moves:
        print_status(NO_CHANNELS)
        return
    days = settings.transports.days
    print_table(move_listing(moves, f"Channels by transport, {days} days up to {last}"))
    print_table(candidate_listing(moves))


def _asked(subject: str, day: datetime | None) -> tuple[Settings, Store, date, str]:
    settings, engine = configured_store()
    last = day_or_newest(settings, day)
    return settings, engine, last, subject_meant(engine, subject) if subject else ""
