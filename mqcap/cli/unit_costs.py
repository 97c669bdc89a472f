"""Command ``unit-costs``: what one unit of work costs here, beside the figures of MP16."""

from __future__ import annotations

from typing import Annotated

import typer

from mqcap.cli.common import (
    DayOption,
    ResultFormat,
    configured_store,
    day_or_newest,
    print_json,
    print_table,
)
from mqcap.domain.errors import ConfigurationError

app = typer.Typer()


@app.command("unit-costs")
def unit_costs(
    subject: Annotated[
        str, typer.Argument(metavar="[SUBJECT]", help="PLEX1/CSQ1 and its parts; default: all.")
    ] = "",
    day: DayOption = None,
    form: Annotated[
        ResultFormat, typer.Option("--format", help="A table to read, or a list of objects.")
    ] = ResultFormat.text,
) -> None:
    """Print costs that are learnt from the site's own data, and whether they are used."""
    from mqcap.presentation.unit_cost_text import (  # noqa: PLC0415 - slow to import
        unit_cost_listing,
        unit_cost_object,
    )
    from mqcap.unit_costs.learnt import UnitCosts  # noqa: PLC0415 - as above

    settings, engine = configured_store()
    last = day_or_newest(settings, day)
    costs = UnitCosts(settings, engine, last, subject).below(subject)
    if subject and not costs:
        raise ConfigurationError(
            "no unit cost of such a subject",
            found=subject,
            expected="a queue manager, channel initiator or structure with measured days",
            remedy="mqcap unit-costs without a subject lists all.",
        )
    if form is ResultFormat.json:
        objects = [unit_cost_object(cost) for cost in costs]
        print_json(objects)
        return
    print_table(unit_cost_listing(costs, f"Unit costs learnt up to {last}"))
