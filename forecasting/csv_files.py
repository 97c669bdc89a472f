"""Forecasts of CSV files: a door to the forecast of the daily run, for any daily series.

Files: history ``unique_id, ds, y``; forecasts ``unique_id, ds, yhat, lo, hi`` (central 95 %
interval); thresholds ``unique_id, threshold, origin``; crossings ``unique_id, threshold, p10, p50,
p90, prob_30, prob_60, prob_90, prob_180``: the event is that of the daily run, the first day at or
over the threshold. Each series is worked by itself; what the daily run refuses has a wide answer
where there is any, and the reason in the status file.
"""

import io
import multiprocessing
import os
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from forecasting.crossing import crossing_of
from forecasting.lines import lines_of
from forecasting.options import ForecastOptions
from forecasting.run import forecast_series
from mqcap.domain.crossing import CrossingState
from mqcap.domain.errors import InputError
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Direction
from mqcap.progress.shown import tracked

STATED_WIDTH: Final = 0.95
"""Probability of the interval in the file of forecasts; it is to that of the daily run as with
normal errors."""
PROBABILITY_DAYS: Final = (30, 60, 90, 180)
FORECAST_COLUMNS: Final = ("unique_id", "ds", "yhat", "lo", "hi")
CROSSING_COLUMNS: Final = (
    "unique_id",
    "threshold",
    "p10",
    "p50",
    "p90",
    *(f"prob_{days}" for days in PROBABILITY_DAYS),
)
NOT_DATED: Final = (None,) * (len(CROSSING_COLUMNS) - 2)
STATUS_COLUMNS: Final = ("unique_id", "status", "values", "left_out")
UNKNOWN_SHARE: Final = 0.5
"""Least margin beside the values of a series without a model, as a share of its largest (ours)."""
CHUNK: Final = 8
"""Series per message to a worker process."""
BLAS_THREADS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
"""Read by worker processes when they load NumPy: one thread each, unless set otherwise."""
FIGURES: Final = "%.9g"
_ISO_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?")


@dataclass(frozen=True)
class Files:
    """Paths of one run; crossings need both of theirs, the status of each series its own."""

    history: Path
    forecasts: Path
    thresholds: Path | None = None
    crossings: Path | None = None
    status: Path | None = None


class _Asked(NamedTuple):
    """A series, and the limits for which it is dated by the day as of which they are."""

    unique_id: str
    rows: pd.DataFrame
    """``site_date`` and ``value``."""
    limits: list[tuple[int, float, date]]
    """Number of the row, threshold and origin."""


_Row = tuple[object, ...]
_Answer = tuple[list[_Row], dict[int, _Row], _Row]
"""Forecast, dates and probabilities by the number of their row, and status."""
Reader = Callable[[Path], str]
"""Returns the text of a file."""


def run_files(files: Files, read: Reader, *, horizon: int, processes: int = 1) -> dict[str, int]:
    """Return the counts of series and thresholds; raises InputError as ``read_table``."""
    limits = pd.DataFrame(columns=["unique_id", "threshold", "origin"])
    if files.thresholds is not None and files.crossings is not None:
        limits = read_table(files.thresholds, read, tuple(limits.columns))
    asked = _asked(read_table(files.history, read, ("unique_id", "ds", "y")), limits)
    answers = _answers(asked, horizon, processes)
    _write(files.forecasts, FORECAST_COLUMNS, [row for made, _, _ in answers for row in made])
    if files.status is not None:
        _write(files.status, STATUS_COLUMNS, [status for _, _, status in answers])
    if files.crossings is not None:
        dated = dict(row for _, crossings, _ in answers for row in crossings.items())
        rows = limits[["unique_id", "threshold"]].itertuples(name=None)
        _write(
            files.crossings,
            CROSSING_COLUMNS,
            [(name, limit, *dated.get(number, NOT_DATED)) for number, name, limit in rows],
        )
    return {"series": len(asked), "thresholds": len(limits)}


def read_table(path: Path, read: Reader, columns: Sequence[str]) -> pd.DataFrame:
    """Return the columns of a CSV file; InputError without one or with another cell than said."""
    try:
        frame = pd.read_csv(io.StringIO(read(path)), dtype=str, keep_default_na=False)
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise InputError(
            "the file is no CSV in UTF-8 or UTF-16",
            file=path.name,
            found=str(error),
            remedy="Write it anew as CSV in UTF-8, with a header row.",
        ) from error
    frame.columns = frame.columns.str.strip()
    missing = [name for name in columns if name not in frame]
    if missing:
        raise InputError(
            f"columns are missing: {', '.join(missing)}",
            file=path.name,
            found=", ".join(map(str, frame.columns)),
            expected=", ".join(columns),
        )
    frame = pd.DataFrame({name: frame[name].str.strip() for name in columns})
    _require(frame["unique_id"] != "", frame["unique_id"], path, "the name of a series")
    day, figure = (
        next(name for name in columns if name in named)
        for named in (("ds", "origin"), ("y", "threshold"))
    )
    cells = frame[figure]
    figures = pd.to_numeric(cells, errors="coerce").astype(np.float64)
    is_one = cells.str.lower().isin(["", "nan", "null"]) | figures.notna()
    _require(is_one, cells, path, "a number with a decimal point, or nothing")
    return frame.assign(**{day: _days(frame[day], path), figure: figures})


def _days(cells: pd.Series, path: Path) -> pd.Series:
    is_day = cells.str.fullmatch(_ISO_DAY.pattern)
    days = pd.to_datetime(cells.where(is_day).str[:10], format="%Y-%m-%d", errors="coerce")
    _require(days.notna(), cells, path, "an ISO day such as 2026-11-30: one value for each day")
    return days.dt.date


def _require(good: pd.Series, cells: pd.Series, path: Path, expected: str) -> None:
    if not good.all():
        place = int(good.to_numpy().argmin())
        raise InputError(
            f"row {place + 2} has no usable {cells.name}",
            file=path.name,
            found=cells.iloc[place] or "nothing",
            expected=expected,
        )


def _asked(history: pd.DataFrame, limits: pd.DataFrame) -> list[_Asked]:
    by_series: dict[str, list[tuple[int, float, date]]] = {}
    for number, name, threshold, origin in limits.itertuples(name=None):
        by_series.setdefault(name, []).append((number, threshold, origin))
    named = {"ds": "site_date", "y": "value"}
    return [
        _Asked(str(name), rows.rename(columns=named), by_series.get(str(name), []))
        for name, rows in history.groupby("unique_id", sort=True)
    ]


def _answers(asked: list[_Asked], horizon: int, processes: int) -> list[_Answer]:
    work = partial(_answer, horizon=horizon)
    if processes <= 1:
        return [work(piece) for piece in tracked(asked, "forecast", "series")]
    for name in BLAS_THREADS:
        os.environ.setdefault(name, "1")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        answers = pool.map(work, asked, chunksize=CHUNK)
        return [next(answers) for _ in tracked(asked, "forecast", "series")]


def _answer(asked: _Asked, horizon: int) -> _Answer:
    """Answer by the forecast of the daily run; by a plain one where that refuses."""
    rows = asked.rows.assign(series_id=f"csv/{asked.unique_id}", statistic="peak")
    options = ForecastOptions(horizon_days=horizon, answers_refused=True)
    last: date = asked.rows["site_date"].max()
    made = {
        end: forecast_series(rows, options, end)[0]
        for end in {last, *(origin for _, _, origin in asked.limits)}
    }
    status = made[last].refusal or "modelled"
    given = int(asked.rows["value"].notna().sum())
    return (
        list(_forecast_rows(asked, made[last], last, horizon)),
        {number: _crossing(made[origin], limit) for number, limit, origin in asked.limits},
        (asked.unique_id, status, given, made[last].removed_count),
    )


def _forecast_rows(
    asked: _Asked, made: Forecast, last: date, horizon: int
) -> Iterator[tuple[object, ...]]:
    days = [last + timedelta(days=ahead + 1) for ahead in range(horizon)]
    lines = lines_of(made)
    if lines.days:
        of_width = [NormalDist().inv_cdf(0.5 + w / 2) for w in (STATED_WIDTH, made.interval_width)]
        share = of_width[0] / of_width[1]
        expected = lines.expected[:horizon]
        low = expected - share * (expected - lines.lower[:horizon])
        high = expected + share * (lines.upper[:horizon] - expected)
        if made.past is not None and made.past.lowest.ever >= 0:
            low = np.maximum(low, 0.0)
    else:
        expected, low, high = _plain(asked.rows["value"].to_numpy(np.float64), horizon)
    return zip([asked.unique_id] * horizon, days, expected, low, high, strict=True)


def _plain(values: np.ndarray, horizon: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the mean of the last value and the last week's middle; NaN without any.

    Its interval reaches beyond all values by their range, and by half of the largest at least.
    """
    seen = values[np.isfinite(values)]
    if not seen.size:
        return (np.full(horizon, np.nan),) * 3
    lowest, highest = float(seen.min()), float(seen.max())
    with np.errstate(over="ignore"):
        margin = max(highest - lowest, UNKNOWN_SHARE * max(abs(lowest), abs(highest))) or 1.0
        low, high = lowest - margin, highest + margin
    low = max(low, 0.0) if lowest >= 0 else low
    middle = float(seen[-1] / 2 + np.median(seen[-7:]) / 2)
    return np.full(horizon, middle), np.full(horizon, low), np.full(horizon, high)


def _crossing(made: Forecast, threshold: float) -> tuple[object, ...]:
    crossing = crossing_of(
        made, [], limit=threshold, direction=Direction.upward, strict=False, rule_id="csv", unit=""
    )
    if crossing.state is CrossingState.unknown or not np.isfinite(threshold):
        return NOT_DATED
    stated = [getattr(crossing, f"probability_{days}_days") for days in PROBABILITY_DAYS]
    return (crossing.earliest_date, crossing.expected_date, crossing.latest_date, *stated)


def _write(path: Path, columns: Sequence[str], rows: list[tuple[object, ...]]) -> None:
    frame = pd.DataFrame(rows, columns=list(columns))
    frame.to_csv(path, index=False, float_format=FIGURES)
