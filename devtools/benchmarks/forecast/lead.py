"""Time from the alarm to the crossing, on limits of the past.

``python -m devtools.benchmarks.forecast.lead DATA [--series N] [--processes P]`` lays limits over
N long series of ``crossing_dev``, 240 days before their end: 5, 15 and 30 % above the highest
7-day mean of the 35 days before, chosen without looking ahead. Origins are every 15 days over the
240 days before the first crossing, or before the end; each knows the days up to it alone. An
alarm is a probability within 90 days of one half or more; the lead is the longest unbroken run of
alarms up to the crossing. An alarm is false where no crossing comes within 180 days.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from forecasting.arrays import FloatArray
from forecasting.batch_csv import crossing_frame
from forecasting.engine.passage import rolling_week
from forecasting.history import History
from forecasting.prepare import clean
from mqcap.domain.metric import Statistic

STEP_DAYS = 15
BACK_DAYS = 240
FIRST_DAYS = 240
"""Least history of the first origin."""
RECENT_DAYS = 35
ABOVE = (1.05, 1.15, 1.3)
AWAY_DAYS = 180
ALARM = 0.5


class Limit(NamedTuple):
    """A limit of one series and the position of its first crossing, or of the last day known."""

    name: str
    value: float
    place: int
    crossed: bool


def main() -> None:
    """Print the median lead, its quartiles, and false alarms per origin."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--series", type=int, default=40)
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    history = pd.read_csv(arguments.data / "crossing_dev" / "history.csv.gz", parse_dates=["ds"])
    series = {str(name): group for name, group in history.groupby("unique_id")}
    limits = list(_limits(series))
    names = sorted({limit.name for limit in limits})
    chosen = set(names[:: max(1, len(names) // arguments.series)])
    limits = [limit for limit in limits if limit.name in chosen]
    alarms = {
        back: _alarms(series, limits, back, arguments.processes)
        for back in range(STEP_DAYS, BACK_DAYS + 1, STEP_DAYS)
    }
    _print(limits, alarms)


def _limits(series: dict[str, pd.DataFrame]) -> Iterator[Limit]:
    for name, group in series.items():
        week = _week(name, group)
        start = len(week) - BACK_DAYS
        if start < FIRST_DAYS + BACK_DAYS:
            continue
        for share in ABOVE:
            value = share * float(np.nanmax(week[start - RECENT_DAYS : start]))
            reached = np.flatnonzero(week >= value)
            if not reached.size:
                yield Limit(name, value, len(week) - 1, crossed=False)
            elif reached[0] >= start:
                yield Limit(name, value, int(reached[0]), crossed=True)


def _week(name: str, group: pd.DataFrame) -> FloatArray:
    """The 7-day mean of the cleaned series, day by day."""
    days = pd.date_range(group["ds"].min(), group["ds"].max())
    values = group.set_index("ds")["y"].reindex(days).to_numpy(dtype=np.float64)
    first = np.datetime64(days[0], "D")
    cleaned = clean(History(name, Statistic.peak, first, values)).values
    return rolling_week(np.empty(0), cleaned)


def _alarms(
    series: dict[str, pd.DataFrame], limits: list[Limit], back: int, processes: int
) -> list[bool]:
    """Return for each limit whether an alarm is raised ``back`` days before its place."""
    asked = []
    histories = []
    for number, limit in enumerate(limits):
        group = series[limit.name]
        origin = group["ds"].min() + pd.Timedelta(days=limit.place - back)
        label = f"{number:04d}"
        histories.append(group[group["ds"] <= origin].assign(unique_id=label))
        asked.append((label, limit.value, origin.strftime("%Y-%m-%d")))
    thresholds = pd.DataFrame(asked, columns=["unique_id", "threshold", "origin"])
    made = crossing_frame(pd.concat(histories), thresholds, processes=processes)
    return [bool(probability >= ALARM) for probability in made["prob_90"].fillna(0.0)]


def _print(limits: list[Limit], alarms: dict[int, list[bool]]) -> None:
    leads, false = [], []
    for number, limit in enumerate(limits):
        raised = {back: flags[number] for back, flags in sorted(alarms.items())}
        if limit.crossed:
            unbroken = next((back for back, alarm in raised.items() if not alarm), None)
            leads.append(BACK_DAYS if unbroken is None else unbroken - STEP_DAYS)
        away = [alarm for back, alarm in raised.items() if back > AWAY_DAYS]
        false += away
    quartiles = np.percentile(leads, [25, 50, 75])
    print(
        f"{len(limits)} limits; lead over {len(leads)} crossings: median {quartiles[1]:.0f} days, ",
        end="",
    )
    print(f"quartiles {quartiles[0]:.0f} and {quartiles[2]:.0f}")
    print(f"false alarms: {np.mean(false):.3f} per origin, of {len(false)}")


if __name__ == "__main__":
    main()
