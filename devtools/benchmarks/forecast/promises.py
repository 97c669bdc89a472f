"""Calibration of the probabilities of the daily run, on limits of the past.

``python -m devtools.benchmarks.forecast.promises DATA [--every N] [--simulated N] [--seed S]``
forecasts every N-th series of ``crossing_dev`` as it was known 120 days before its end, and N
simulated metrics of a seed, lays four limits 0.5 to 35 % above the highest of the last 35 days,
and compares what the simulated paths say with the first day over each. It prints Brier score, ECE,
slices and the error of the expected date of the paths alone, with the figures of
``forecasting/correction.csv``, and with figures fitted without the tenth of the series that is
judged; and the figures fitted to all.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from devtools.benchmarks.forecast.measures import reliability
from devtools.benchmarks.forecast.recalibrate import FOLDS, logistic
from devtools.benchmarks.forecast.simulated import AHEAD, Simulated, simulated
from devtools.benchmarks.forecast.slices import NEAR, SHORT_DAYS
from forecasting import ForecastOptions, forecast_series
from forecasting.arrays import FloatArray
from forecasting.correction import Correction, ForecastShape, corrected, shape_of, shipped, terms
from forecasting.first_day import first_day_probability
from forecasting.history import history_of
from forecasting.lines import lines_of
from forecasting.prepare import clean
from mqcap.domain.metric import Direction

AHEAD_DAYS: Final = 120
"""Days at the end of a series of ``crossing_dev`` that are not known."""
HORIZONS: Final = (15, 30, 45, 60, 75, 90, 120, 150, 180, 240, 300, 365)
"""Times ahead that are fitted and judged, as far as outcomes are known."""
RECENT_DAYS: Final = 35
LIMITS: Final = 4
ABOVE: Final = (1.005, 1.35)
GROWING: Final = 0.04
"""Rise of the logarithm within half a year from which a forecast grows (ours)."""
UNDATED_DAYS: Final = 366.0
"""Error of a date that is not stated, of a limit that was passed."""
DEV_WEIGHT: Final = 3.0
"""Weight of a case of ``crossing_dev``: both sets count about alike (ours)."""
UNCHANGED: Final = Correction(1.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def main() -> None:
    """Print the calibration before and after correction, and the figures fitted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=2)
    parser.add_argument("--simulated", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = np.random.default_rng(5)
    limits = pd.DataFrame(
        [
            *_of_crossing_dev(arguments.data, arguments.every, rng),
            *(
                each
                for item in simulated(arguments.simulated, arguments.seed)
                for each in _of_simulated(item, rng)
            ),
        ]
    )
    cases = cases_of(limits)
    for name, part in cases.groupby("set"):
        own = limits[limits["set"] == name]
        _print(f"{name}, paths alone", part, own, UNCHANGED)
        _print(f"{name}, figures of the file", judged(part, shipped()), own, shipped())
        _print(f"{name}, held out", held_out(cases)[cases["set"] == name])
    print("figure,value")
    for name, value in fitted(cases)._asdict().items():
        print(f"{name},{value:.3g}")


def cases_of(limits: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each limit and time ahead: what the paths say, and whether it came."""
    kinds = ["set", "series", "near", "short", "growing", "restarts", *ForecastShape._fields]
    rows = [
        (*(row[kind] for kind in kinds), days, row["curve"][days - 1], row["first"] <= days)
        for _, row in limits.iterrows()
        for days in HORIZONS
        if days <= row["known_days"]
    ]
    return pd.DataFrame(rows, columns=[*kinds, "days", "stated", "came"])


def judged(cases: pd.DataFrame, figures: Correction) -> pd.DataFrame:
    """Return the cases with corrected probabilities."""
    return cases.assign(stated=corrected(*_given(cases), figures))


def fitted(cases: pd.DataFrame) -> Correction:
    """Return the figures that fit outcomes best; certain probabilities take no part."""
    some = cases[cases["stated"].between(0, 1, inclusive="neither")]
    weights = np.where(some["set"] == "crossing_dev", DEV_WEIGHT, 1.0)
    came = some["came"].to_numpy(np.float64)
    figures = logistic(terms(*_given(some)), came, weights, np.array(UNCHANGED))
    return Correction(*figures.tolist())


def _given(cases: pd.DataFrame) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return what the paths say, days ahead and shapes."""
    stated, days = (cases[name].to_numpy(np.float64) for name in ("stated", "days"))
    return stated, days, cases[[*ForecastShape._fields]].to_numpy(np.float64)


def held_out(cases: pd.DataFrame) -> pd.DataFrame:
    """Return the cases, corrected with figures that have not seen their series, in their order."""
    names = sorted(cases["series"].unique())
    fold = cases["series"].map({name: index % FOLDS for index, name in enumerate(names)})
    parts = [judged(cases[fold == one], fitted(cases[fold != one])) for one in range(FOLDS)]
    return pd.concat(parts).reindex(cases.index)


def _of_crossing_dev(
    data: Path, every: int, rng: np.random.Generator
) -> Iterator[dict[str, object]]:
    history = pd.read_csv(data / "crossing_dev" / "history.csv.gz", parse_dates=["ds"])
    inside: list[object] = []
    for name in sorted(history["unique_id"].unique())[::every]:
        group = history[history["unique_id"] == name]
        rows = _rows(str(name), group["ds"].dt.date, group["y"])
        last: date = group["ds"].max().date()
        cleaned = clean(history_of(rows, f"metric/{name}", "peak", last, 2_000)).values
        split = len(cleaned) - AHEAD_DAYS
        tried = _tried(
            rows, last - timedelta(days=AHEAD_DAYS), cleaned[:split], cleaned[split:], rng
        )
        for limit in tried:
            inside.append(limit.pop("inside"))
            yield {**limit, "set": "crossing_dev", "series": name, "restarts": False}
    held = np.array(inside, dtype=np.float64).mean()
    print(f"crossing_dev: 80 % interval held {held:.3f} of {AHEAD_DAYS} days")


def _of_simulated(item: Simulated, rng: np.random.Generator) -> Iterator[dict[str, object]]:
    days = pd.Series((item.first + np.arange(len(item.observed))).astype(object))
    rows = _rows(item.unique_id, days, pd.Series(item.observed))
    last: date = days.iloc[-1]
    cleaned = clean(history_of(rows, f"metric/{item.unique_id}", "peak", last, 2_000)).values
    restarts = "restarts" in item.events
    for limit in _tried(rows, last, cleaned, item.coming_days, rng):
        del limit["inside"]
        yield {**limit, "set": "simulated", "series": item.unique_id, "restarts": restarts}


def _rows(name: str, days: pd.Series, values: pd.Series) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "series_id": f"metric/{name}",
            "statistic": "peak",
            "site_date": days,
            "value": values,
            "ceiling": np.nan,
            "country": None,
        }
    )


def _tried(
    rows: pd.DataFrame,
    cutoff: date,
    past: FloatArray,
    coming: FloatArray,
    rng: np.random.Generator,
) -> Iterator[dict[str, object]]:
    """Yield limits with their curve and the first day over each; none where refused."""
    options = ForecastOptions(final_fit="fast", horizon_days=AHEAD)
    (made,) = forecast_series(rows, options, cutoff)
    if made.refusal:
        return
    lower, expected, upper = (
        np.array([getattr(point, name) for point in made.points])
        for name in ("lower", "expected", "upper")
    )
    known = np.isfinite(coming)
    held = ((lower[: len(coming)] <= coming) & (coming <= upper[: len(coming)]))[known].mean()
    highest = float(np.nanmax(past[-RECENT_DAYS:]))
    rise = np.log(max(expected[150:180].mean(), 1e-9) / max(expected[:30].mean(), 1e-9))
    for above in rng.uniform(*ABOVE, LIMITS):
        days_over = np.flatnonzero(coming >= highest * above)
        limits = np.full(AHEAD, highest * above)
        yield {
            "inside": float(held),
            "near": above <= 1 + NEAR,
            "short": int(np.isfinite(past).sum()) < SHORT_DAYS,
            "growing": bool(rise > GROWING),
            **shape_of(lines_of(made), limits, made.interval_width, Direction.upward)._asdict(),
            "curve": first_day_probability(made, limits, Direction.upward, strict=False),
            "first": float(days_over[0]) + 1 if days_over.size else np.inf,
            "known_days": len(coming),
        }


def _print(
    title: str,
    cases: pd.DataFrame,
    limits: pd.DataFrame | None = None,
    figures: Correction | None = None,
) -> None:
    stated, came = (cases[name].to_numpy(np.float64) for name in ("stated", "came"))
    table = reliability(stated, came)
    ece = float((table["share"] * (table["stated"] - table["came"]).abs()).sum())
    brier = np.square(stated - came).mean()
    print(f"{title}: {len(cases)} cases, Brier {brier:.4f}, ECE {ece:.4f}")
    print(table.round(3).to_string())
    gap = pd.Series(stated - came, index=cases.index)
    for kind in ("near", "short", "growing", "restarts", "days"):
        means = gap.groupby(cases[kind]).agg(["mean", "size"])
        texts = (
            f"{value} {row['mean']:+.3f} ({row['size']:.0f})" for value, row in means.iterrows()
        )
        print(f"  stated minus came, {kind}: {', '.join(texts)}")
    if limits is not None and figures is not None:
        errors = _date_errors(limits, figures)
        print(f"  expected date off by {np.median(errors):.0f} days in the median ({len(errors)})")


def _date_errors(limits: pd.DataFrame, figures: Correction) -> list[float]:
    """Return the errors in days of the day by which half is stated, of limits that were passed."""
    days = np.arange(1.0, AHEAD + 1)
    errors = []
    passed = limits[np.isfinite(limits["first"])]
    shapes = passed[[*ForecastShape._fields]].to_numpy(np.float64)
    for curve, first, shape in zip(passed["curve"], passed["first"], shapes, strict=True):
        stated = corrected(curve, days, np.tile(shape, (AHEAD, 1)), figures)
        reached = np.flatnonzero(stated >= 0.5)
        errors.append(abs(reached[0] + 1 - first) if reached.size else UNDATED_DAYS)
    return errors


if __name__ == "__main__":
    main()
