"""Series of a table on their grid of hours, days or weeks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from forecasting.arrays import FloatArray
from forecasting.engine.kinds import SeriesKind
from forecasting.extremes import exponent_of, in_unit
from mqcap.domain.errors import InputError


@dataclass(frozen=True)
class Raw:
    """Series as read: values on its grid, NaN where missing, from ``first``.

    Very large and very small ones are divided by 2 to the power ``exponent``.
    """

    unique_id: str
    first: np.datetime64
    values: FloatArray
    exponent: int = 0


def split(
    history: pd.DataFrame, kind: SeriesKind, origins: pd.Series[pd.Timestamp] | None = None
) -> list[Raw]:
    """Each series of ``unique_id, ds, y`` up to its last row or its origin, in the order of ids.

    Times with an offset are taken in UTC, so that no hour comes twice when clocks change.

    Raises:
        InputError: A time cannot be read, or is off the grid of its series.
    """
    times = _times(history["ds"])
    frame = pd.DataFrame(
        {"unique_id": history["unique_id"], "ds": times, "y": history["y"].astype(np.float64)}
    )
    result = []
    for name, group in frame.groupby("unique_id", sort=True):
        last = group["ds"].max() if origins is None else origins[name]
        result.append(_gridded(str(name), group[group["ds"] <= last], last, kind))
    return result


def _times(written: pd.Series[str]) -> pd.Series[pd.Timestamp]:
    """Return times in UTC, written in one form or as ISO 8601, with offsets or without."""
    try:
        return pd.to_datetime(written, utc=True).dt.tz_localize(None)
    except ValueError:
        times = pd.to_datetime(written, utc=True, format="ISO8601", errors="coerce")
    if times.isna().any():
        raise InputError(
            "a time cannot be read",
            found=str(written[times.isna()].iloc[0]),
            expected="ISO 8601, such as 2026-11-24 or 2026-11-24T13:00:00+01:00",
        )
    return times.dt.tz_localize(None)


def _gridded(name: str, group: pd.DataFrame, last: pd.Timestamp, kind: SeriesKind) -> Raw:
    """Values on the grid; several values of one time count with their mean."""
    if group.empty:
        return Raw(name, last.to_datetime64(), np.full(1, np.nan))
    step = np.timedelta64(kind.step_hours, "h")
    first = group["ds"].min().to_datetime64()
    offsets = (group["ds"].to_numpy() - first) / step
    positions = offsets.round().astype(np.int64)
    if np.abs(offsets - positions).max() > 1e-6:
        raise InputError(
            f"series {name} has times off its grid",
            expected=f"steps of one {kind.step} from {first}",
        )
    size = int(np.round((last.to_datetime64() - first) / step)) + 1
    usable = np.isfinite(group["y"].to_numpy())
    values = group["y"].to_numpy(dtype=np.float64)[usable]
    sums = np.bincount(positions[usable], weights=values, minlength=size)
    counts = np.bincount(positions[usable], minlength=size)
    grid = np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0)
    exponent = exponent_of(grid)
    return Raw(name, first, in_unit(grid, -exponent), exponent)
