"""Forecasts on incomplete data: each says which of the days it rests on lack records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mqcap.completeness.incomplete import Arrived, concerns, in_words
from mqcap.domain.feed import data_findings
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic, SubjectKind, split_series_id

ForecastKey = tuple[str, Statistic]


def data_notes(
    forecasts: Iterable[Forecast], kinds: Mapping[str, SubjectKind], arrived: Arrived
) -> dict[ForecastKey, str]:
    """By series and statistic: a sentence or two; nothing for a forecast on complete data.

    ``kinds`` gives the kind of subject by series id. Looked at are the last day that a forecast
    has seen and the days of the rules' window before it.
    """
    notes = {}
    for forecast in forecasts:
        kind = kinds.get(forecast.series_id)
        words = _note(forecast.series_id, kind, arrived) if kind is not None else ""
        if words:
            notes[forecast.series_id, forecast.statistic] = words
    return notes


def _note(series_id: str, kind: SubjectKind, arrived: Arrived) -> str:
    metric, subject = split_series_id(series_id)
    today = [day for day in arrived.today if concerns(day, subject, kind, {metric})]
    days = [day.site_date for day in arrived.earlier if concerns(day, subject, kind, {metric})]
    said = [f"Its last day is incomplete. {day.summary}" for day in data_findings(today)]
    if days:
        said.append(f"Of the days before it, {in_words(days)}.")
    return " ".join(said)
