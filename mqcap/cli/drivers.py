"""Command ``drivers``: what business drivers do in the forecasts of a day."""

from __future__ import annotations

from typing import Annotated

import typer

from mqcap.cli.common import (
    DayOption,
    ResultFormat,
    configured_store,
    day_or_newest,
    print_json,
    print_status,
    print_text,
)

app = typer.Typer()


@app.command()
def drivers(
    day: DayOption = None,
    form: Annotated[
        ResultFormat, typer.Option("--format", help="Lines to read, or an object.")
    ] = ResultFormat.text,
) -> None:
    """Print the driver of each series that has one: elasticity, gain, plan; and what is wrong."""
    from mqcap.steps.drivers import driver_courses  # noqa: PLC0415 - slow to import
    from mqcap.store.forecasts import read_forecasts  # noqa: PLC0415 - as above
    from mqcap.store.observations import require_observed  # noqa: PLC0415 - as above

    settings, engine = configured_store()
    last = day_or_newest(settings, day)
    made = read_forecasts(engine, last)
    if not made and day is not None:
        require_observed(engine, last)
    _, problems = driver_courses(settings.drivers, {each.series_id for each in made}, last)
    driven = [
        (f"{each.series_id}, {each.statistic}", each.driver)
        for each in made
        if each.driver is not None
    ]
    if form is ResultFormat.json:
        series = [{"series": name} | effect.model_dump(mode="json") for name, effect in driven]
        document = {"day": str(last), "series": series, "problems": problems}
        print_json(document)
        return
    if driven:
        print_text("\n".join(f"{name}: {effect.text}." for name, effect in driven))
    else:
        print_status(f"No forecast of {last} has a driver (section drivers of the settings).")
    for problem in problems:
        print_status(f"{problem}.")
