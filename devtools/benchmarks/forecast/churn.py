"""Movement of a date from night to night, when nothing but one more day is known.

``python -m devtools.benchmarks.forecast.churn DATA [--series N] [--nights N]`` replays nights at
the end of the histories of ``crossing_dev`` through the product path. Before the first replayed
night each series is given a limit slightly below the highest value forecast for the next 90 days,
which then stays.
"""

from __future__ import annotations

import argparse
import itertools
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pandas as pd

from forecasting import ForecastOptions, crossing_of, forecast_series
from mqcap.domain.metric import Direction

LIMIT_DAYS = 90
LIMIT_SHARE = 0.98


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
        dates, stated = _replayed(
            history[history["unique_id"] == name], str(name), arguments.nights
        )
        both = [(first, second) for first, second in itertools.pairwise(dates) if first and second]
        moves += [abs((second - first).days) for first, second in both]
        lost += sum(
            (first is None) != (second is None) for first, second in itertools.pairwise(dates)
        )
        probabilities += np.abs(np.diff(stated)).tolist()
    print(f"{len(moves)} night-to-night moves of the expected date, in days:")
    print("  " + "  ".join(f"p{q} {np.percentile(moves, q):.1f}" for q in (50, 75, 90, 95, 99)))
    print(f"  mean {np.mean(moves):.2f}; dates that came or went: {lost}")
    print(
        "probability within 90 days: mean move "
        f"{np.mean(probabilities):.3f}, p95 {np.percentile(probabilities, 95):.3f}"
    )


def _replayed(group: pd.DataFrame, name: str, nights: int) -> tuple[list[date | None], list[float]]:
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
    options = ForecastOptions(final_fit="fast")
    limit: float | None = None
    dates: list[date | None] = []
    stated: list[float] = []
    for back in range(nights, -1, -1):
        (made,) = forecast_series(rows, options, last - timedelta(days=back))
        if made.refusal:
            continue
        if limit is None:
            limit = LIMIT_SHARE * max(point.expected for point in made.points[:LIMIT_DAYS])
        crossing = crossing_of(
            made,
            [],
            limit=limit,
            direction=Direction.upward,
            strict=False,
            rule_id="R",
            unit="",
        )
        dates.append(crossing.expected_date)
        stated.append(crossing.probability_90_days or 0.0)
    return dates, stated


if __name__ == "__main__":
    main()
