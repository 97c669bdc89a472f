"""Limits as others state them: ``python -m devtools.benchmarks.forecast.peers DATA [--every N]``.

Printed are scores of the shipped figures, of AutoETS (weeks; needs statsforecast) and of Prophet as
it comes, each by the share of its paths that pass a limit, for single days and means of seven.
Days without a value are filled from the day before.
"""

import argparse
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
from prophet import Prophet

from devtools.benchmarks.forecast.outcomes import (
    SOURCES,
    STATED_DAYS,
    cases_of,
    limits_of,
    print_scores,
    stated_by,
)
from forecasting.arrays import FloatArray
from forecasting.models.prophet import _quietly
from forecasting.probability import shipped

AHEAD_DAYS: Final = 365
PATHS: Final = 300
DAYS: Final = np.array(sorted({*STATED_DAYS, *range(5, AHEAD_DAYS + 1, 5)}))
Simulated = Callable[[bytes, pd.Timestamp], FloatArray]
"""Paths, one per row, after the values of days without a gap, and the first of these days."""


def main() -> None:
    """Read the arguments and print a line for each set, method and kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=6)
    arguments = parser.parse_args()
    data, every = arguments.data, arguments.every
    peers = {"AutoETS": cache(_ets), "Prophet's default": cache(_prophet)}
    histories = {row["unique_id"]: rows for row, rows in limits_of(data, SOURCES[0], 1)}
    for source in (SOURCES[0], SOURCES[-1]):
        ours = cases_of(data, source, every, processes=1)
        stated = stated_by(ours, np.array(shipped()))
        print_scores(f"{source.name}, shipped figures", ours.assign(stated=stated))
        for name, paths in peers.items():
            parts = (
                _cases(limit, histories[limit["unique_id"]], source.mean_days, paths)
                for limit, _ in limits_of(data, source, every)
            )
            print_scores(f"{source.name}, {name}", pd.concat(parts))


def _cases(
    truth: Mapping[str, Any], rows: pd.DataFrame, mean_days: int, paths: Simulated
) -> pd.DataFrame:
    by_day = rows.set_index(pd.DatetimeIndex(rows["site_date"]))["value"]
    seen = by_day[: truth["origin"]].resample("D").max().ffill()
    made = paths(seen.to_numpy().tobytes(), seen.index[0])
    last = np.tile(seen.to_numpy()[len(seen) - mean_days + 1 :], (len(made), 1))
    sums = np.hstack([np.zeros((len(made), 1)), last, made]).cumsum(axis=1)
    means = (sums[:, mean_days:] - sums[:, :-mean_days]) / mean_days
    passed = np.logical_or.accumulate(means >= truth["threshold"], axis=1).mean(axis=0)
    facts = {name: truth[name] for name in ("unique_id", "entity", "kind")}
    outcome = {"came": truth["days"] <= DAYS, "passed": truth["days"]}
    return pd.DataFrame(facts | outcome | {"days": DAYS, "stated": passed[DAYS - 1]})


def _ets(seen: bytes, first: pd.Timestamp) -> FloatArray:  # noqa: ARG001 - as Prophet's
    from statsforecast.models import AutoETS  # noqa: PLC0415 - not installed by default

    made = AutoETS(season_length=7).simulate(AHEAD_DAYS, PATHS, y=np.frombuffer(seen), seed=1)
    return np.asarray(made).reshape(PATHS, AHEAD_DAYS)


def _prophet(seen: bytes, first: pd.Timestamp) -> FloatArray:
    np.random.seed(1)  # noqa: NPY002 - the generator of Prophet
    values = np.frombuffer(seen)
    days = pd.date_range(first, periods=len(values))
    with _quietly():
        model = Prophet(uncertainty_samples=PATHS)
        model.fit(pd.DataFrame({"ds": days, "y": values}), seed=1)
        ahead = model.make_future_dataframe(AHEAD_DAYS, include_history=False)
        return np.asarray(model.predictive_samples(ahead)["yhat"]).T


if __name__ == "__main__":
    main()
