"""Forecasts of statsforecast's automatic models, for comparison on the same data.

The package is not among the product's dependencies, and an older pandas comes with it: run this
file in an environment of its own with ``statsforecast`` installed,

``python devtools/benchmarks/forecast/others.py DATA OUT [--sets infra_dev m4_daily] [--series N]``

It writes ``OUT/<set>-<model>.csv`` (``unique_id, ds, yhat, lo, hi``, a central 95 % interval),
which ``python -m devtools.benchmarks.forecast DATA --beside OUT`` scores like all others.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

import pandas as pd

SETS: Final = {
    "m4_hourly": ("h", 48, 24),
    "m4_weekly": ("7D", 13, 1),
    "m4_daily": ("D", 14, 7),
    "infra_dev": ("h", 48, 24),
}
"""Step, horizon and season of each set."""
LAST: Final = 1_000
"""Values of a series that the models get, the last ones: AutoARIMA takes minutes for more."""
LARGEST_ORDER: Final = 3
"""Largest order of AutoARIMA's two polynomials, for the same reason."""
LEVEL: Final = 95


def main() -> None:
    """Write the forecasts of every model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--sets", nargs="*", default=["infra_dev", "m4_daily"], choices=SETS)
    parser.add_argument("--series", type=int, default=0, help="every so-manieth to make N; 0: all")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name in arguments.sets:
        history = pd.read_csv(arguments.data / f"{name}_train.csv.gz", parse_dates=["ds"])
        names = sorted(history["unique_id"].unique())
        step = max(1, len(names) // arguments.series) if arguments.series else 1
        _write(name, history[history["unique_id"].isin(names[::step])], arguments.out)


def _write(name: str, history: pd.DataFrame, out: Path) -> None:
    from statsforecast import StatsForecast  # noqa: PLC0415 - only in an environment of its own

    freq, horizon, period = SETS[name]
    regular = pd.concat([_regular(group, freq) for _, group in history.groupby("unique_id")])
    models = _models(period)
    engine = StatsForecast(models=models, freq=freq, n_jobs=1)
    frame = engine.forecast(df=regular, h=horizon, level=[LEVEL]).reset_index()
    for model in map(str, models):
        columns = {model: "yhat", f"{model}-lo-{LEVEL}": "lo", f"{model}-hi-{LEVEL}": "hi"}
        mine = frame.rename(columns=columns)[["unique_id", "ds", "yhat", "lo", "hi"]]
        mine.to_csv(out / f"{name}-{model}.csv", index=False)


def _models(period: int) -> list[Any]:
    from statsforecast.models import (  # noqa: PLC0415 - as above
        MSTL,
        AutoARIMA,
        AutoCES,
        AutoETS,
        AutoTheta,
    )

    orders = {"max_p": LARGEST_ORDER, "max_q": LARGEST_ORDER}
    return [
        AutoARIMA(season_length=period, approximation=True, **orders),
        AutoETS(season_length=period),
        AutoTheta(season_length=period),
        AutoCES(season_length=period),
        *([MSTL(season_length=period)] if period > 1 else []),
    ]


def _regular(group: pd.DataFrame, freq: str) -> pd.DataFrame:
    """One row per step, gaps drawn through, the last ``LAST`` of them."""
    values = group.set_index("ds")["y"].astype(float)
    steps = pd.date_range(values.index[0], values.index[-1], freq=freq)
    drawn = values.reindex(steps).interpolate().tail(LAST)
    name = group["unique_id"].iloc[0]
    return pd.DataFrame({"unique_id": name, "ds": drawn.index, "y": drawn.to_numpy()})


if __name__ == "__main__":
    main()
