"""Share of daily peaks inside their interval of 80 %, on the loads of the sample estate.

``python -m devtools.benchmarks.forecast.peaks [--seeds N]`` gives every load of the sample estate
the noise of other seeds, forecasts its daily peak by the daily run's engine as of the estate's last
day, and compares the next 180 days with the simulator's: by days ahead, and by growth.
Queue managers of sites have 120 days of history, as in the sample, others 400.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import timedelta
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
from pydantic import BaseModel

from devtools.benchmarks.forecast.groups import ESTATE_LAST
from devtools.simulator.spec import sample_spec
from devtools.simulator.timeline import clock_of, grid_of
from devtools.simulator.workload import Load, values
from forecasting import ForecastOptions, forecast_series
from forecasting.arrays import FloatArray

HISTORY_DAYS: Final = 400
SITE_DAYS: Final = 120
AHEAD_DAYS: Final = 180
UP_TO_DAYS: Final = (30, 90, 180)
GROWTHS: Final = (-1.0, 0.1, 0.3, np.inf)
"""Ends of the classes of growth, as ratios a year (ours)."""


class EstateLoad(NamedTuple):
    """A load of the sample estate; its path is the key of its noise."""

    path: str
    load: Load
    timezone: str
    country: str | None
    history_days: int


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=2)
    arguments = parser.parse_args()
    rows = [
        row
        for seed in range(101, 101 + arguments.seeds)
        for each in estate_loads()
        for row in _held(each, seed)
    ]
    print(tables(pd.DataFrame(rows, columns=["load", "growth", "days", "inside", "above"])))


def estate_loads() -> Iterator[EstateLoad]:
    """Yield every load of the sample estate."""
    spec = sample_spec()
    for plex in spec.sysplexes:
        for path, load in _loads(plex, plex.name):
            yield EstateLoad(path, load, plex.timezone, plex.holidays, HISTORY_DAYS)
    for site in spec.sites:
        for path, load in _loads(site, site.name):
            yield EstateLoad(path, load, site.timezone, site.holidays, SITE_DAYS)


def _loads(model: BaseModel, path: str) -> Iterator[tuple[str, Load]]:
    for name in type(model).model_fields:
        value = getattr(model, name)
        for number, part in enumerate(value if isinstance(value, tuple) else (value,)):
            if isinstance(part, Load):
                yield f"{path}.{name}.{number}", part
            elif isinstance(part, BaseModel):
                yield from _loads(part, f"{path}.{name}.{number}")


def _held(each: EstateLoad, seed: int) -> Iterator[tuple[str, float, int, float, float]]:
    """Yield the shares of days inside and above the interval, for each number of days ahead."""
    peaks = daily_peaks(each, seed)
    past, coming = peaks[: each.history_days], peaks[each.history_days :]
    days = [ESTATE_LAST - timedelta(days=back) for back in range(each.history_days - 1, -1, -1)]
    rows = pd.DataFrame(
        {
            "series_id": f"metric/{each.path}",
            "statistic": "peak",
            "site_date": days,
            "value": past,
            "ceiling": np.nan,
            "country": each.country,
        }
    )
    options = ForecastOptions(final_fit="fast", horizon_days=AHEAD_DAYS, crossing_days=AHEAD_DAYS)
    (made,) = forecast_series(rows, options, ESTATE_LAST)
    if made.refusal:
        return
    lower, upper = (
        np.array([getattr(point, name) for point in made.points]) for name in ("lower", "upper")
    )
    inside, above = (lower <= coming) & (coming <= upper), coming > upper
    for ahead in UP_TO_DAYS:
        growth = each.load.growth_ratio_per_year
        yield each.path, growth, ahead, inside[:ahead].mean(), above[:ahead].mean()


def daily_peaks(each: EstateLoad, seed: int) -> FloatArray:
    """Return the highest hour of each day of the history and of ``AHEAD_DAYS`` after it."""
    first = ESTATE_LAST - timedelta(days=each.history_days - 1)
    end = ESTATE_LAST + timedelta(days=AHEAD_DAYS)
    grid = grid_of(clock_of(each.timezone, first, end), first, end, 60, ())
    hours = values(each.load, grid, ESTATE_LAST, each.country, (seed, each.path))
    return np.asarray(pd.Series(hours).groupby(grid.local_day).max(), dtype=np.float64)


def tables(rows: pd.DataFrame) -> str:
    """Return the shares by days ahead, of all loads and by growth, with standard errors.

    An error is that over loads: seeds of one load are alike.
    """
    classes = pd.cut(rows["growth"].abs(), list(GROWTHS)).astype(str)
    parts = [("all", rows), *rows.groupby(classes)]
    texts = []
    for name, part in parts:
        by_load = part.groupby(["load", "days"])[["inside", "above"]].mean().groupby("days")
        means, errors = by_load.mean(), by_load["inside"].sem()
        shares = ", ".join(
            f"{days} days {means.loc[days, 'inside']:.3f} +- {errors[days]:.3f}"
            f" (above {means.loc[days, 'above']:.3f})"
            for days in means.index
        )
        texts.append(f"growth {name}, {part['load'].nunique()} loads: {shares}")
    return "\n".join(texts)


if __name__ == "__main__":
    main()
