"""Content of the chart of a series: history, forecast with its interval, limit, crossing range.

A picture has the key of what it was drawn from, so that one that is stored need not be drawn again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import Statistic, split_series_id
from mqcap.domain.problem import Problem
from mqcap.presentation import display_units
from mqcap.presentation.labels import metric_label

HISTORY_DAYS: Final = 180
"""Days of history drawn: as many as of the forecast, so that both have the same width (ours)."""
_DAILY: Final = {
    Statistic.peak: "peak",
    Statistic.p95: "95th percentile",
    Statistic.mean: "mean",
}


KEY_NAME: Final = "mqcap-drawn-from"
"""Name of the text in a PNG that has its key."""
_DRAWING: Final = ("matplotlib", "pillow", "numpy")
"""Libraries that decide on the bytes of a picture."""
_SIGNATURE_BYTES: Final = 8
_END: Final = b"IEND\xaeB`\x82"
_CHUNK_BYTES: Final = 12
"""Length, type and checksum of each part of a PNG."""


class ChartData(BaseModel):
    """Everything a chart shows, in the unit of the series."""

    model_config = ConfigDict(frozen=True)

    title: str
    unit: str
    site_date: date
    """The last measured day; the forecast begins after it."""
    history: tuple[tuple[date, float], ...]
    points: tuple[ForecastPoint, ...] = ()
    limit_value: float | None = None
    earliest_date: date | None = None
    latest_date: date | None = None
    """End of the crossing range; ``None`` leaves it open up to the horizon."""


def chart_data(
    problem: Problem, history: Iterable[tuple[date, float]], forecast: Forecast | None
) -> ChartData | None:
    """Return the chart data of a problem; ``None`` without measured days or without a series.

    ``history`` are the daily values of the problem's series and statistic, in any order.
    """
    finding, crossing = problem.finding, problem.crossing
    first = finding.site_date - timedelta(days=HISTORY_DAYS)
    shown = tuple(sorted(row for row in history if first <= row[0] <= finding.site_date))
    if crossing is None or not shown:
        return None
    points = forecast.points if forecast else ()
    earliest, latest = _drawn_range(crossing, points)
    factor, unit = display_units.current().scale(crossing.unit)
    return ChartData(
        title=chart_title(crossing),
        unit=unit,
        site_date=finding.site_date,
        history=tuple((day, value * factor) for day, value in shown),
        points=tuple(scaled_point(point, factor) for point in points),
        limit_value=crossing.limit_value * factor,
        earliest_date=earliest,
        latest_date=latest,
    )


def chart_title(crossing: Crossing) -> str:
    """Return subject, quantity and statistic: ``PLEX1/CSQ1: Log write rate, daily peak``."""
    metric, subject = split_series_id(crossing.series_id)
    return f"{subject}: {metric_label(metric)}, daily {_DAILY[crossing.statistic]}"


def scaled_point(point: ForecastPoint, factor: float) -> ForecastPoint:
    """Return a point of a forecast in another unit."""
    return ForecastPoint(
        site_date=point.site_date,
        expected=point.expected * factor,
        lower=point.lower * factor,
        upper=point.upper * factor,
    )


def _drawn_range(
    crossing: Crossing, points: Sequence[ForecastPoint]
) -> tuple[date | None, date | None]:
    """Return earliest and latest crossing date as far as they are within the chart."""
    earliest, latest = crossing.earliest_date, crossing.latest_date
    end = points[-1].site_date if points else date.max
    if crossing.state is not CrossingState.will_cross or earliest is None or earliest > end:
        return None, None
    return earliest, latest if latest is None or latest <= end else None


def picture_key(data: ChartData) -> str:
    """Return the SHA-256 of everything that decides on the picture: values, code, libraries."""
    return hashlib.sha256(f"{data.model_dump_json()}\n{_drawn_by()}".encode()).hexdigest()


def key_of_picture(png: bytes) -> str | None:
    """Return the key of what a whole picture was drawn from; ``None`` where it has none."""
    if not png.endswith(_END):
        return None
    place = _SIGNATURE_BYTES
    while place + _CHUNK_BYTES <= len(png):
        length = int.from_bytes(png[place : place + 4], "big")
        content = png[place + 8 : place + 8 + length]
        name, _, text = content.partition(b"\0")
        if png[place + 4 : place + 8] == b"tEXt" and name == KEY_NAME.encode():
            return text.decode("latin-1")
        place += _CHUNK_BYTES + length
    return None


@cache
def _drawn_by() -> str:
    """Return the hash of the code that draws, and the versions of the libraries."""
    code = Path(__file__).with_name("chart_pictures.py").read_bytes()
    libraries = ",".join(f"{name} {version(name)}" for name in _DRAWING)
    return f"{hashlib.sha256(code).hexdigest()} {libraries}"
