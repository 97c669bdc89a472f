"""Command ``drivers``: what business drivers do in the forecasts of a day."""

import typer

from mqcap.cli.common import DayOption, print_json, print_lines, print_status
from mqcap.cli.shared.formats import FormatOption, ListForm, print_objects
from mqcap.cli.site_store import configured_store, day_or_newest
from mqcap.domain.forecast import DriverEffect
from mqcap.progress.shown import work
from mqcap.steps.forecast import driver_courses
from mqcap.store.forecasts import read_forecasts
from mqcap.store.observations import require_observed

app = typer.Typer()


@app.command()
def drivers(
    day: DayOption = None,
    form: FormatOption = ListForm.table,
) -> None:
    """Print the driver of each series that has one.

    As JSON it is one object with the series and the problems; CSV has the series.
    """
    settings, engine = configured_store()
    last = day_or_newest(settings, day)
    with work("read forecasts"):
        made = read_forecasts(engine, last)
    if not made and day is not None:
        require_observed(engine, last)
    _, problems = driver_courses(settings.drivers, {each.series_id for each in made}, last)
    driven = [
        (f"{each.series_id}, {each.statistic}", each.driver)
        for each in made
        if each.driver is not None
    ]
    series = [{"series": name} | effect.model_dump(mode="json") for name, effect in driven]
    if form is ListForm.json:
        print_json({"day": str(last), "series": series, "problems": problems})
        return
    if form is ListForm.csv:
        print_objects(form, series, ["series", *DriverEffect.model_fields])
        return
    if driven:
        print_lines("\n".join(f"{name}: {effect.text}." for name, effect in driven))
    else:
        print_status(f"No forecast of {last} has a driver (section drivers of the settings).")
    for problem in problems:
        print_status(f"{problem}.")
