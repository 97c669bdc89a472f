"""How long before a crossing the alarm stands, on limits of the past.

``python -m benchmarks.forecast.lead DATA [--series N] [--processes P]`` gives every N-th long
series of ``crossing_dev`` the limit that its 7-day mean reached for the first time late in the
history, and one far above that it never reached. Origins lie every 15 days over the 240 days
before; each knows the days up to it alone. An alarm is a probability within 90 days of one half
or more; the lead is the longest unbroken run of alarms up to the crossing. An alarm is false
where the crossing is more than 180 days away or never came.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from domain.metric import Statistic
from forecasting.contract import crossing_frame
from forecasting.engine.passage import rolling_week
from forecasting.history import FloatArray, History
from forecasting.prepare import clean

STEP_DAYS = 15
BACK_DAYS = 240
FIRST_DAYS = 240
"""Least history of the first origin."""
LATE_DAYS = 120
"""The crossing lies within so many days of the end of the history."""
AWAY_DAYS = 180
NEVER_SHARE = 1.6
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
    found = parser.parse_args()
    history = pd.read_csv(found.data / "crossing_dev" / "history.csv.gz", parse_dates=["ds"])
    series = {str(name): group for name, group in history.groupby("unique_id")}
    limits = list(_limits(series))
    names = sorted({one.name for one in limits})
    chosen = set(names[:: max(1, len(names) // found.series)])
    limits = [one for one in limits if one.name in chosen]
    alarms = {
        back: _alarms(series, limits, back, found.processes)
        for back in range(STEP_DAYS, BACK_DAYS + 1, STEP_DAYS)
    }
    _print(limits, alarms)


def _limits(series: dict[str, pd.DataFrame]) -> Iterator[Limit]:
    for name, group in series.items():
        week = _week(name, group)
        if len(week) < FIRST_DAYS + BACK_DAYS + LATE_DAYS:
            continue
        place = int(np.nanargmax(week))
        if place >= len(week) - LATE_DAYS:
            yield Limit(name, float(week[place]), place, crossed=True)
        yield Limit(name, NEVER_SHARE * float(week[place]), len(week) - 1, crossed=False)


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
    """Whether each limit raises an alarm ``back`` days before its place."""
    asked = []
    known = []
    for number, one in enumerate(limits):
        group = series[one.name]
        origin = group["ds"].min() + pd.Timedelta(days=one.place - back)
        label = f"{number:04d}"
        known.append(group[group["ds"] <= origin].assign(unique_id=label))
        asked.append((label, one.value, origin.strftime("%Y-%m-%d")))
    thresholds = pd.DataFrame(asked, columns=["unique_id", "threshold", "origin"])
    made = crossing_frame(pd.concat(known), thresholds, processes=processes)
    return [bool(one >= ALARM) for one in made["prob_90"].fillna(0.0)]


def _print(limits: list[Limit], alarms: dict[int, list[bool]]) -> None:
    leads, false = [], []
    for number, one in enumerate(limits):
        raised = {back: found[number] for back, found in sorted(alarms.items())}
        if one.crossed:
            unbroken = next((back for back, alarm in raised.items() if not alarm), None)
            leads.append(BACK_DAYS if unbroken is None else unbroken - STEP_DAYS)
        away = [alarm for back, alarm in raised.items() if back > AWAY_DAYS or not one.crossed]
        false += away
    quartiles = np.percentile(leads, [25, 50, 75])
    print(f"lead over {len(leads)} crossings: median {quartiles[1]:.0f} days, ", end="")
    print(f"quartiles {quartiles[0]:.0f} and {quartiles[2]:.0f}")
    print(f"false alarms: {np.mean(false):.3f} per origin, of {len(false)}")


if __name__ == "__main__":
    main()
