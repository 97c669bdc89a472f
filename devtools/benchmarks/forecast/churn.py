"""Movement of a date from night to night, when nothing but one more day is known.

``python -m devtools.benchmarks.forecast.churn DATA [--series N] [--nights N]`` replays nights at
the end of the histories of ``crossing_dev`` through the product path. Before the first replayed
night each series is given a limit slightly below the highest value forecast for the next 90 days,
which then stays. As in the daily run a limit that was reached in the last week has no date, and
each night has the crossing of the night before. Moves of more than 5 days are printed with what has
changed.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pandas as pd

from forecasting import ForecastOptions, crossing_of, forecast_series
from forecasting.arrays import FloatArray
from forecasting.crossing import passing_probability
from forecasting.history import History, history_of
from forecasting.prepare import clean
from forecasting.specification import Specification, specification
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Direction

LIMIT_DAYS = 90
LIMIT_SHARE = 0.98
RECENT_DAYS = 7
"""Days that count as now, as for most rules."""
FAR_DAYS = 5
"""Larger moves are printed."""


@dataclass(frozen=True)
class Night:
    """The result of one night and its history; ``expected`` is absent where none is dated."""

    day: date
    expected: date | None
    probability_90_days: float
    forecast: Forecast
    curve: FloatArray
    description: Specification
    history: History


def main() -> None:
    """Print the moves of the expected date and of the probability within 90 days."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--series", type=int, default=10)
    parser.add_argument("--nights", type=int, default=60)
    arguments = parser.parse_args()
    history = pd.read_csv(arguments.data / "crossing_dev" / "history.csv.gz", parse_dates=["ds"])
    names = sorted(history["unique_id"].unique())
    step = max(1, len(names) // arguments.series)
    moves, probabilities, lost = [], [], 0
    for name in names[::step]:
        nights = _replayed(history[history["unique_id"] == name], str(name), arguments.nights)
        for before, after in itertools.pairwise(nights):
            if before is None or after is None:
                continue
            probabilities.append(abs(after.probability_90_days - before.probability_90_days))
            if before.expected is None or after.expected is None:
                lost += before.expected is not after.expected
                continue
            moves.append(abs((after.expected - before.expected).days))
            if moves[-1] > FAR_DAYS:
                print(f"{name} {after.day}: {before.expected} to {after.expected}: ", end="")
                print(", ".join(_causes(before, after)))
    print(f"{len(moves)} night-to-night moves of the expected date, in days:")
    print(f"{percentiles(moves)}; dates that came or went: {lost}")
    print(
        "probability within 90 days: mean move "
        f"{np.mean(probabilities):.3f}, p95 {np.percentile(probabilities, 95):.3f}"
    )


def percentiles(moves: Sequence[float]) -> str:
    """Return percentiles, mean and share of far moves; a line for the terminal."""
    if not moves:
        return "  none"
    shares = "  ".join(f"p{q} {np.percentile(moves, q):.1f}" for q in (50, 75, 90, 95, 99, 100))
    far = float(np.mean(np.array(moves) > FAR_DAYS))
    return f"  {shares}  mean {np.mean(moves):.2f}  over {FAR_DAYS} days {far:.3f}"


def _causes(before: Night, after: Night) -> list[str]:
    """Return what differs between two nights, and how sure the later date was already."""
    old, new = before.description, after.description
    count = len(before.history.values)
    causes = []
    if np.any(before.history.observed != after.history.observed[:count]):
        causes.append("other days left out")
    if old.log_scale != new.log_scale:
        causes.append("other scale")
    if old.yearly != new.yearly:
        causes.append("season of a year begins")
    if old.names != new.names:
        causes.append("other level shifts or calendar events")
    if np.nanmax(after.history.values) > np.nanmax(before.history.values):
        causes.append("new maximum")
    ahead = (after.expected - before.day).days - 1 if after.expected is not None else -1
    if 0 < ahead < len(before.curve):
        change = after.forecast.every_day[ahead - 1].expected
        change /= before.forecast.every_day[ahead].expected
        causes.append(f"level {100 * (change - 1):+.1f} %")
        causes.append(f"probability by then {before.curve[ahead]:.2f} the night before")
    return causes


def _replayed(group: pd.DataFrame, name: str, nights: int) -> list[Night | None]:
    """Return each night, ``None`` where it is refused or the limit is reached already."""
    last = group["ds"].max().date()
    rows = pd.DataFrame(
        {
            "series_id": f"metric/{name}",
            "statistic": "peak",
            "site_date": group["ds"].dt.date,
            "value": group["y"],
            "ceiling": np.nan,
            "country": None,
        }
    )
    observed = group.dropna(subset=["y"])
    values = list(zip(observed["ds"].dt.date, observed["y"], strict=True))
    options = ForecastOptions(final_fit="fast")
    limit: float | None = None
    crossing: Crossing | None = None
    replayed: list[Night | None] = []
    for back in range(nights, -1, -1):
        day = last - timedelta(days=back)
        (made,) = forecast_series(rows, options, day)
        if made.refusal:
            replayed.append(None)
            continue
        if limit is None:
            limit = LIMIT_SHARE * max(point.expected for point in made.points[:LIMIT_DAYS])
        crossing = crossing_of(
            made,
            [item for item in values if item[0] > day - timedelta(days=RECENT_DAYS)],
            limit=limit,
            direction=Direction.upward,
            strict=False,
            rule_id="R",
            unit="",
            before=crossing,
        )
        if crossing.state is CrossingState.breached:
            replayed.append(None)
            continue
        history = clean(history_of(rows, made.series_id, "peak", day, options.lookback_days))
        limits = np.full(len(made.every_day), limit)
        replayed.append(
            Night(
                day=day,
                expected=crossing.expected_date,
                probability_90_days=crossing.probability_90_days or 0.0,
                forecast=made,
                curve=passing_probability(made, limits, Direction.upward, strict=False),
                description=specification(history, options.crossing_days),
                history=history,
            )
        )
    return replayed


if __name__ == "__main__":
    main()
