"""Limits with known outcomes: what is stated of them, and the fit of the figures.

Sets are those of ``data/forecast``: ``real_dev`` (power, name servers), ``crossing_dev2``
(simulated), each also with the last 100 days of history alone. Everything is by the forecast of
the daily run and its event, the first day at or over the limit; limits of 7-day means are stated as
a site would have it, from a series of 7-day means.
"""

import multiprocessing
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from forecasting import ForecastOptions, forecast_series
from forecasting.arrays import FloatArray
from forecasting.first_day import first_day_probability
from forecasting.history import history_of
from forecasting.lines import lines_of
from forecasting.prepare import clean
from forecasting.probability import (
    OUT_OF_REACH,
    Figures,
    LimitsAhead,
    held_back,
    terms,
)
from mqcap.domain.metric import Direction

STATED_DAYS: Final = (30, 60, 90, 180)
ALERT: Final = 0.5
"""Probability of a crossing within ``ALERT_DAYS`` from which a limit is alerted."""
ALERT_DAYS: Final = 90
FITTED_DAYS: Final = (7, 15, 30, 60, 90, 180, 365)
SHORT_DAYS: Final = 100
LEAST_OF_MEAN: Final = 4
"""Days that a mean of seven needs."""
DATED_DAYS: Final = 180
"""Errors of dates are those of limits that are passed within so many days."""
CAP_DAYS: Final = 366
RIDGE: Final = 1.0
FOLDS: Final = 10
BOOTSTRAPS: Final = 200
SCORED: Final = ["entity", "days", "came", "stated", "date_error"]
TERMS: Final = [*Figures._fields, "out_of_reach"]


class LimitSet(NamedTuple):
    """A set of limits with outcomes, and how its cases are weighted in the fit."""

    name: str
    folder: str
    last_days: int | None = None
    weight: float = 1.0
    step: int = 1
    """Every so many limits are used."""
    mean_days: int = 1
    """Days of which the mean has to reach the limit."""


SOURCES: Final = (
    LimitSet("real", "real_dev", weight=0.3),
    LimitSet("real, 100 days", "real_dev", SHORT_DAYS, 0.3),
    LimitSet("simulated", "crossing_dev2", weight=0.3, step=4),
    LimitSet("simulated, 100 days", "crossing_dev2", SHORT_DAYS, 0.1, step=8),
    LimitSet("real, 7-day means", "real_dev", weight=0.0, mean_days=7),
)
"""Weights are shares of the fit: real cases count 0.6, simulated ones 0.4 (ours)."""


def cases_of(data: Path, source: LimitSet, every: int, processes: int) -> pd.DataFrame:
    """Return a row for each limit and number of days: terms, outcome, entity, kind and date."""
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        parts = pool.map(_cases, limits_of(data, source, every), chunksize=4)
    return pd.DataFrame([row for part in parts for row in part]).assign(set=source.name)


def limits_of(
    data: Path, source: LimitSet, every: int
) -> list[tuple[dict[Any, Any], pd.DataFrame]]:
    """Return each limit with what became of it, and its history."""
    folder = data / source.folder
    history = pd.read_csv(folder / "history.csv.gz", parse_dates=["ds"])
    truth = pd.read_csv(folder / ("truth_day.csv" if source.mean_days == 1 else "truth.csv"))
    truth = truth.iloc[:: every * source.step]
    truth = truth.assign(
        entity=truth["entity"] if "entity" in truth else truth["unique_id"],
        kind=truth["source"].str[:3] if "source" in truth else "simulated",
    )
    by_series = dict(iter(history.groupby("unique_id")))
    return [
        (row, _seen(by_series[row["unique_id"]], row["origin"], source))
        for row in truth.to_dict("records")
    ]


def _seen(history: pd.DataFrame, origin: str, source: LimitSet) -> pd.DataFrame:
    """Return the rows of a series that a forecast has; of means those of the cleaned days."""
    rows = pd.DataFrame(
        {
            "series_id": "csv/" + history["unique_id"],
            "statistic": "peak",
            "site_date": history["ds"].dt.date,
            "value": history["y"].to_numpy(np.float64),
        }
    )
    if source.last_days is not None:
        first = date.fromisoformat(origin) - timedelta(days=source.last_days)
        rows = rows[rows["site_date"] > first]
    if source.mean_days == 1:
        return rows
    known = clean(history_of(rows, str(rows["series_id"].iloc[0]), "peak", origin, len(rows) + 999))
    means = pd.Series(known.values).rolling(source.mean_days, min_periods=LEAST_OF_MEAN).mean()
    return pd.DataFrame({"site_date": known.days.astype(object), "value": means.to_numpy()}).assign(
        series_id=known.series_id, statistic="peak"
    )


def _cases(job: tuple[dict[Any, Any], pd.DataFrame]) -> list[dict[str, object]]:
    truth, rows = job
    origin = date.fromisoformat(truth["origin"])
    options = ForecastOptions(final_fit="fast", answers_refused=True)
    (made,) = forecast_series(rows, options, origin)
    if made.past is None:
        return []
    lines = lines_of(made)
    limits = np.full(len(lines.days), float(truth["threshold"]))
    simulated = first_day_probability(made, limits, Direction.upward, strict=False)
    first = (lines.days[0] - origin).days
    asked = (lines, first, limits, Direction.upward, made.past, made.interval_width)
    found = terms(simulated, LimitsAhead(*asked))
    passed = float(truth["days"])
    facts = {name: truth[name] for name in ("unique_id", "entity", "kind")}
    facts["history_days"] = made.past.days
    return [
        facts
        | {"days": days, "came": passed <= days, "passed": passed}
        | dict(zip(TERMS, found[days - first], strict=True))
        for days in range(1, 366)
        if first <= days and (days in {*FITTED_DAYS, *STATED_DAYS} or days % 5 == 0)
    ]


def stated_by(cases: pd.DataFrame, figures: FloatArray) -> FloatArray:
    """Return the probabilities of cases by figures."""
    odds = cases[TERMS].to_numpy(np.float64) @ np.array([*figures, OUT_OF_REACH])
    days, lengths = (cases[name].to_numpy(np.float64) for name in ("days", "history_days"))
    return np.asarray(1 / (1 + np.exp(-held_back(odds, days, lengths))))


def fitted(cases: pd.DataFrame) -> FloatArray:
    """Return the figures that fit the outcomes best, sets weighted by their shares."""
    weight_of = {source.name: source.weight for source in SOURCES if source.weight}
    some = cases[cases["days"].isin(FITTED_DAYS) & cases["set"].isin(list(weight_of))]
    counts = some["set"].map(some["set"].value_counts())
    weights = (some["set"].map(weight_of) / counts * len(some)).to_numpy(np.float64)
    rows = some[TERMS].to_numpy(np.float64)
    came = some["came"].to_numpy(np.float64)
    scale = np.maximum(rows[:, :-1].std(axis=0), 1e-9)
    scale[0] = 1.0
    penalties = RIDGE * scale**2
    penalties[0] = 0.0
    figures = np.zeros(len(Figures._fields))
    fixed = OUT_OF_REACH * rows[:, -1]
    for _ in range(50):
        likely = 1 / (1 + np.exp(-(rows[:, :-1] @ figures + fixed)))
        curvature = (rows[:, :-1].T * (weights * likely * (1 - likely))) @ rows[:, :-1]
        slope = rows[:, :-1].T @ (weights * (came - likely)) - penalties * figures
        step = np.linalg.solve(curvature + np.diag(penalties), slope)
        figures = figures + step
        if np.abs(step).max() < 1e-8:
            break
    return figures


def held_out(cases: pd.DataFrame, group: str = "entity", folds: int = FOLDS) -> FloatArray:
    """Return probabilities by figures that have not seen the entity, or the kind, of a case."""
    names = np.array(sorted(cases[group].unique()))
    np.random.default_rng(0).shuffle(names)
    fold = cases[group].map({name: place % folds for place, name in enumerate(names)}).to_numpy()
    stated = np.empty(len(cases))
    for one in range(min(folds, len(names))):
        stated[fold == one] = stated_by(cases[fold == one], fitted(cases[fold != one]))
    return stated


def standard_errors(
    cases: pd.DataFrame,
    measured: Callable[[pd.DataFrame], Sequence[float] | FloatArray],
    count: int,
) -> FloatArray:
    """Return the deviation of each measure over bootstraps of entities."""
    rng = np.random.default_rng(1)
    parts = [part for _, part in cases.groupby("entity")]
    drawn = [
        measured(pd.concat([parts[place] for place in chosen]))
        for chosen in rng.integers(len(parts), size=(count, len(parts)))
    ]
    return np.asarray(np.nanstd(np.array(drawn), axis=0))


class Scores(NamedTuple):
    """How true the stated probabilities of a set are."""

    brier: float
    ece: float
    came_below_10: float
    """Share that came of what was stated below 10 %."""
    missed: float
    false_alarm: float
    date_error_days: float
    base_brier: float
    """Brier score of the constant base rate of each number of days."""


def scores(cases: pd.DataFrame) -> Scores:
    """Score cases with columns ``stated`` and ``date_error``."""
    some = cases[cases["days"].isin(STATED_DAYS)]
    stated, came = some["stated"].to_numpy(np.float64), some["came"].to_numpy(np.float64)
    tenths = np.minimum((stated * 10).astype(int), 9)
    off = abs(np.bincount(tenths, stated - came)) / len(some)
    at = some[some["days"] == ALERT_DAYS]
    alarm, crossed = at["stated"] >= ALERT, at["came"].astype(bool)
    hits = (alarm & crossed).sum()
    base = some.groupby("days")["came"].transform("mean").to_numpy(np.float64)
    low = stated < 0.1
    return Scores(
        float(np.square(stated - came).mean()),
        float(off.sum()),
        float(came[low].mean()) if low.any() else 0.0,
        float((crossed.sum() - hits) / max(crossed.sum(), 1)),
        float((alarm.sum() - hits) / max(alarm.sum(), 1)),
        float(cases["date_error"].median()),
        float(np.square(base - came).mean()),
    )


def with_date_errors(cases: pd.DataFrame) -> pd.DataFrame:
    """Add the error of the date of each limit, on its row of ``ALERT_DAYS``; NaN elsewhere."""
    days = cases["days"].where(cases["stated"] >= ALERT)
    dated = days.groupby(cases["unique_id"]).transform("min").fillna(CAP_DAYS)
    is_scored = (cases["days"] == ALERT_DAYS) & (cases["passed"] <= DATED_DAYS)
    return cases.assign(date_error=(dated - cases["passed"]).abs().where(is_scored))


def print_scores(title: str, cases: pd.DataFrame) -> None:
    """Print scores of a set, of all its cases and by kind, with standard errors over entities."""
    for kind, part in [("all", cases), *cases.groupby("kind")]:
        dated = with_date_errors(part)
        dated = dated.loc[dated["days"].isin(STATED_DAYS), SCORED]
        errors = standard_errors(dated, scores, BOOTSTRAPS)
        figures = "  ".join(
            f"{name} {score:.3f} +- {error:.3f}"
            for name, score, error in zip(Scores._fields, scores(dated), errors, strict=True)
        )
        print(f"{title}, {kind}: {figures}", flush=True)
