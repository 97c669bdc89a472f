"""Command ``plan``: the plan of each resource of a day."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
import yaml

from mqcap.cli.common import DayOption, print_lines, print_status
from mqcap.cli.shared.formats import FormatOption, ListForm, print_objects
from mqcap.cli.site_store import configured_store
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.names.short_names import near_or_all
from mqcap.notifications.acknowledged_resources import acknowledged_last, acknowledged_plans
from mqcap.presentation.count_text import plan_count_words
from mqcap.presentation.losses.plan import loss_blocks
from mqcap.presentation.plans.objects import plan_object
from mqcap.presentation.plans.text import acknowledged_text, plan_lines
from mqcap.progress.shown import work
from mqcap.store.findings import day_or_latest, require_findings
from mqcap.store.losses import read_losses
from mqcap.store.plans import read_plans

if TYPE_CHECKING:
    from mqcap.domain.plan import Plan

app = typer.Typer()


@app.command()
def plan(
    resource: Annotated[
        str,
        typer.Argument(
            metavar="[RESOURCE]", help="Part of a path, such as CSQ1 or PLEX1/CSQ1/active_log."
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
    """Print the plan of each resource whose limits break before the horizon, by urgency."""
    _, engine = configured_store()
    site_date = day_or_latest(engine, day)
    require_findings(engine, site_date)
    with work("read plans"):
        every = read_plans(engine, site_date)
        acknowledged = acknowledged_plans(engine, every, site_date)
    every = acknowledged_last(every, acknowledged)
    plans = [each for each in every if resource.casefold() in each.resource.casefold()]
    losses = loss_blocks(read_losses(engine, site_date), resource)
    if resource and not plans and not losses:
        raise ConfigurationError(
            "no plan of such a resource",
            found=resource,
            expected=near_or_all(resource, (each.resource for each in every))
            or f"no plan is due on {site_date}",
        )
    if scenario is not None:
        _write_scenario(scenario, plans, f"Plans of {site_date}")
        print_status(f"{scenario}: the changes of {len(plans)} plans; mqcap whatif {scenario}")
    if form.is_for_programs:
        print_objects(form, map(plan_object, plans))
    elif not plans and not losses:
        print_status(f"No plan is due on {site_date}: nothing that is checked needs one.")
    else:
        blocks = [
            [
                *plan_lines(each),
                *([acknowledged_text(found)] if (found := acknowledged.get(each.resource)) else []),
            ]
            for each in plans
        ]
        blocks += losses
        print_lines("\n\n".join("\n  ".join(lines) for lines in blocks))
        print_status(f"{plan_count_words(plans)}.")


def _write_scenario(file: Path, plans: list[Plan], title: str) -> None:
    every = (part for plan in plans for each in plan.tried(plan) for part in each.scenario_parts)
    parts: list[dict[str, Any]] = []
    for part in every:
        if part not in parts:
            parts.append(part)
    document = {"title": title, "configuration": parts}
    file.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
