"""Batch forecast of CSV files: histories and thresholds in, forecasts and crossings out.

This is the command ``mqcap forecast``, for any series; it is not the daily forecast (``run``).

Files: history ``unique_id, ds, y``; forecasts ``unique_id, ds, yhat, lo, hi`` (central 95 %
interval); thresholds ``unique_id, threshold, origin``; crossings ``unique_id, threshold, p10,
p50, p90, prob_30, prob_60, prob_90, prob_180``. Each series is worked by itself, in id order, and
what they share is pooled afterwards, so that the bytes do not depend on the number of
processes. Every series of the input is in the output; cells that cannot be computed are empty.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
import pandas as pd

from forecasting.arrays import FloatArray
from forecasting.engine.build import series_of
from forecasting.engine.calibration import Calibration, calibration_of, calibrations, interval
from forecasting.engine.dating import (
    HORIZON_DAYS,
    Outlook,
    Profiles,
    class_profiles,
    distance,
    outlook,
    passages,
)
from forecasting.engine.kinds import DAILY, KINDS, LONG_DAILY, SeriesKind, kind_for
from forecasting.engine.mixing import Mixed, mixed
from forecasting.engine.recalibration import recalibrated
from forecasting.extremes import in_unit, simple_answer, without_impossible
from forecasting.gridded import Raw, split
from forecasting.history import History
from forecasting.prepare import clean
from mqcap.domain.errors import ConfigurationError, InputError
from mqcap.domain.metric import Statistic
from mqcap.progress.shown import tracked

PROBABILITY_DAYS: Final = (30, 60, 90, 180)
QUANTILES: Final = {"p10": 0.1, "p50": 0.5, "p90": 0.9}
SHORTEST: Final = 20
"""With fewer values the last cycle is repeated instead of a fit."""
CHUNK: Final = 16
"""Series per message to a worker process."""
BLAS_THREADS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
"""Read by worker processes when they load NumPy: one thread each, unless set otherwise."""
FIGURES: Final = "%.9g"

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Files:
    """Paths of one run.

    Crossings are written when both of their paths are given, and the status of each series when
    ``status`` is.
    """

    history: Path
    forecasts: Path
    thresholds: Path | None = None
    crossings: Path | None = None
    status: Path | None = None


def run_files(files: Files, *, horizon: int, freq: str, processes: int = 1) -> dict[str, int]:
    """Read the input files, write the output files and return the counts of series and thresholds.

    Raises:
        InputError: A column is missing or a time is off the grid of its series.
        ConfigurationError: ``freq`` is not one of h, d, w.
    """
    frame = _read(files.history, ("unique_id", "ds", "y"))
    forecasts = forecast_frame(frame, horizon=horizon, freq=freq, processes=processes)
    forecasts.to_csv(files.forecasts, index=False, float_format=FIGURES)
    if files.status is not None:
        status_frame(frame, freq=freq).to_csv(files.status, index=False)
    counts = {"series": int(frame["unique_id"].nunique()), "thresholds": 0}
    if files.thresholds is not None and files.crossings is not None:
        limits = _read(files.thresholds, ("unique_id", "threshold", "origin"))
        dated = crossing_frame(frame, limits, processes=processes)
        dated.to_csv(files.crossings, index=False, float_format=FIGURES)
        counts["thresholds"] = len(limits)
    return counts


def forecast_frame(
    history: pd.DataFrame, *, horizon: int, freq: str, processes: int = 1
) -> pd.DataFrame:
    """Forecasts of every series for the ``horizon`` steps behind its last row."""
    kind = _kind(freq)
    series = split(history, kind)
    items = _mapped(partial(_mixed, kind=kind, horizon=horizon), series, processes)
    shared = calibrations([item for item in items if item is not None], horizon)
    blocks = [
        _rows(raw, item, shared, kind, horizon) for raw, item in zip(series, items, strict=True)
    ]
    columns = ["unique_id", "ds", "yhat", "lo", "hi"]
    return pd.concat(blocks, ignore_index=True) if blocks else pd.DataFrame(columns=columns)


def mixed_series(history: pd.DataFrame, *, horizon: int, freq: str) -> list[Mixed]:
    """Forecasts and past errors of every series to which a model can be fitted."""
    kind = _kind(freq)
    items = [_mixed(raw, kind, horizon) for raw in split(history, kind)]
    return [item for item in items if item is not None]


def status_frame(history: pd.DataFrame, *, freq: str) -> pd.DataFrame:
    """Return the status of each series: ``unique_id, status, values, left_out``.

    ``status`` is ``modelled``, ``constant``, ``short`` (the last cycle is repeated) or ``empty``
    (nothing can be computed); ``values`` were given, ``left_out`` of them as outages or outliers.
    """
    kind = _kind(freq)
    return pd.DataFrame(
        [_status(raw, kind) for raw in split(history, kind)],
        columns=["unique_id", "status", "values", "left_out"],
    )


def _status(raw: Raw, kind: SeriesKind) -> list[object]:
    seen = raw.values[np.isfinite(raw.values)]
    values = _prepared(raw, kind)
    if values is not None:
        finite_count = int(np.isfinite(values).sum())
        return [raw.unique_id, "modelled", seen.size, seen.size - finite_count]
    same = seen.size > 1 and np.ptp(seen) == 0
    word = "empty" if not seen.size else "constant" if same else "short"
    return [raw.unique_id, word, seen.size, 0]


def crossing_frame(
    history: pd.DataFrame, thresholds: pd.DataFrame, *, processes: int = 1
) -> pd.DataFrame:
    """Dates and probabilities for every row of ``thresholds``, in its order (daily series)."""
    outlooks, exponents = outlooks_of(history, thresholds, processes=processes)
    profiles = class_profiles([item for item in outlooks.values() if item is not None])
    return pd.DataFrame(
        [
            _dated(name, limit, origin, outlooks.get(name), profiles, exponents.get(name, 0))
            for name, limit, origin in zip(
                thresholds["unique_id"].astype(str),
                thresholds["threshold"].astype(float),
                pd.to_datetime(thresholds["origin"]).dt.strftime("%Y-%m-%d"),
                strict=True,
            )
        ],
        columns=["unique_id", "threshold", *QUANTILES, *(f"prob_{d}" for d in PROBABILITY_DAYS)],
    )


def outlooks_of(
    history: pd.DataFrame, thresholds: pd.DataFrame, *, processes: int = 1
) -> tuple[dict[str, Outlook | None], dict[str, int]]:
    """Return the outlook of every series with a threshold, from its last origin, and its unit.

    ``None`` stands for a series to which no model can be fitted; the unit is the exponent of two
    by which its values were divided.
    """
    origins = pd.to_datetime(thresholds["origin"]).groupby(thresholds["unique_id"]).max()
    histories = split(history[history["unique_id"].isin(origins.index)], LONG_DAILY, origins)
    each = _mapped(_outlook, histories, processes)
    outlooks = {raw.unique_id: item for raw, item in zip(histories, each, strict=True)}
    return outlooks, {raw.unique_id: raw.exponent for raw in histories}


def _read(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    frame = pd.read_csv(path, dtype={"unique_id": str})
    missing = [name for name in columns if name not in frame]
    if missing:
        raise InputError(
            "columns are missing",
            file=path.name,
            found=", ".join(map(str, frame.columns)),
            expected=", ".join(columns),
        )
    return frame


def _kind(freq: str) -> SeriesKind:
    kind = {name.lower(): kind for name, kind in KINDS.items()}.get(freq.lower())
    if kind is None:
        raise ConfigurationError("unknown frequency", found=freq, expected="h, d or w")
    return kind


def _prepared(raw: Raw, kind: SeriesKind) -> FloatArray | None:
    """Cleaned values up to the last known one; ``None`` if no model can be fitted to them."""
    seen = np.flatnonzero(np.isfinite(raw.values))
    if seen.size < SHORTEST:
        return None
    values = without_impossible(raw.values[: seen[-1] + 1])
    if kind in {DAILY, LONG_DAILY}:
        day = raw.first.astype("datetime64[D]")
        values = clean(History(raw.unique_id, Statistic.peak, day, values)).values
    left = values[np.isfinite(values)]
    return values if left.size >= SHORTEST and np.ptp(left) > 0 else None


def _mixed(raw: Raw, kind: SeriesKind, horizon: int) -> Mixed | None:
    values = _prepared(raw, kind)
    if values is None:
        return None
    behind = len(raw.values) - len(values)
    kind = kind_for(kind, len(values), horizon)
    return mixed(series_of(values, raw.first, kind, horizon + behind), horizon, behind)


def _outlook(raw: Raw) -> Outlook | None:
    values = _prepared(raw, LONG_DAILY)
    if values is None:
        return None
    behind = len(raw.values) - len(values)
    horizon = HORIZON_DAYS + behind
    return outlook(series_of(values, raw.first, LONG_DAILY, horizon), horizon).after(behind)


def _rows(
    raw: Raw, item: Mixed | None, shared: dict[str, Calibration], kind: SeriesKind, horizon: int
) -> pd.DataFrame:
    step = np.timedelta64(kind.step_hours, "h")
    if item is not None:
        expected = item.path
        lower, upper = interval(item, calibration_of(item, shared))
    else:
        expected, lower, upper = simple_answer(raw.values, kind.period, horizon)
    lines = [in_unit(line, raw.exponent) for line in (expected, lower, upper)]
    times = raw.first + step * np.arange(len(raw.values), len(raw.values) + horizon)
    return pd.DataFrame(
        {"unique_id": raw.unique_id, "ds": times}
        | dict(zip(("yhat", "lo", "hi"), lines, strict=True))
    )


def _dated(
    name: str,
    threshold: float,
    origin: str,
    item: Outlook | None,
    profiles: Profiles,
    exponent: int,
) -> list[object]:
    if item is None:
        return [name, threshold, *([None] * len(QUANTILES)), *([None] * len(PROBABILITY_DAYS))]
    limit = float(in_unit(np.asarray(threshold), -exponent))
    stated = passages(item, profiles, limit)
    quantiles = recalibrated(*stated, distance(item, limit), item.history_days)
    day = np.datetime64(origin, "D")
    ahead = [quantiles.quantile_day(share) for share in QUANTILES.values()]
    dates = [None if days is None else str(day + days) for days in ahead]
    return [
        name,
        threshold,
        *dates,
        *(round(quantiles.within(days), 6) for days in PROBABILITY_DAYS),
    ]


def _mapped(work: Callable[[Raw], Answer], series: list[Raw], processes: int) -> list[Answer]:
    if processes <= 1:
        return [work(raw) for raw in tracked(series, "forecast", "series")]
    for name in BLAS_THREADS:
        os.environ.setdefault(name, "1")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        answers = pool.map(work, series, chunksize=CHUNK)
        return [next(answers) for _ in tracked(series, "forecast", "series")]
