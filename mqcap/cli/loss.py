"""Command ``lose``: what the survivors carry when a facility or a member is lost."""

from pathlib import Path
from typing import Annotated, Final

import typer
import yaml

from mqcap.cli.common import DayOption, print_lines, print_status
from mqcap.cli.shared.formats import FormatOption, ListForm, print_objects
from mqcap.cli.site_store import evaluated_day
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.names.short_names import listed_names, near_names
from mqcap.judging.evaluate import facts_of_day
from mqcap.losses.carried.why_none import parts_without_loss, reasons_without_loss
from mqcap.losses.model import with_plans
from mqcap.losses.text.sentences import NOTE, loss_lines
from mqcap.progress.shown import work
from mqcap.store.plans import read_losses, read_plans

NOTHING: Final = (
    "no coupling facility with a structure of MQ and no queue sharing group with two members is "
    "known"
)

app = typer.Typer()


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
    losses = [each for each in every if part.casefold() in each.lost.casefold()]
    if part and not losses:
        with work("read the day"):
            facts = facts_of_day(settings, engine, site_date)
            reasons = reasons_without_loss(facts, part)
            known = [each.lost for each in every]
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
                expected="one of " + ", ".join(each.lost for each in every),
            )
        changes = with_plans(losses[0], read_plans(engine, site_date))
        parts = [part for change in changes for part in change.scenario_parts]
        title = f"Loss of {losses[0].lost} with its changes, {site_date}"
        document = {"title": title, "configuration": parts, "lose": str(losses[0].lost)}
        scenario.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
        print_status(f"{scenario}: {title}; mqcap whatif {scenario}")
    if form.is_for_programs:
        print_objects(form, losses)
    elif not losses:
        print_status(f"Nothing can be lost on {site_date}: {NOTHING}.")
    else:
        print_lines("\n\n".join("\n  ".join(loss_lines(each)) for each in losses))
        print_lines(f"\n{NOTE}")
