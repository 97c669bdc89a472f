"""Charts of the email of a day; those that a stored email of the day shows are not drawn again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from email import message_from_string
from typing import Final

from mqcap.domain.delivery import Channel
from mqcap.domain.problem import Problem
from mqcap.notifications.digest import Digest
from mqcap.notifications.email_message import chart_problems
from mqcap.presentation.charts import ChartData, chart_data, key_of_picture, picture_key
from mqcap.settings import MailBudget
from mqcap.store.database import Store
from mqcap.store.forecasts import find_forecast
from mqcap.store.observations import read_observations
from mqcap.store.outbox import read_deliveries

CHART_DAYS: Final = 200
"""Days of history read for a chart (ours); it draws the last 180."""


def charts_of_day(engine: Store, digest: Digest, budget: MailBudget) -> dict[str, bytes]:
    """Return the pictures of the email of a digest, by problem key.

    Problems without a series, and series without measured days, have none.
    """
    charts = {problem.key: _chart(engine, problem) for problem in chart_problems(digest, budget)}
    shown = {key: data for key, data in charts.items() if data is not None}
    stored = stored_charts(engine, digest.site_date) if shown else {}
    return {key: stored.get(picture_key(data)) or drawn(data) for key, data in shown.items()}


def drawn(data: ChartData) -> bytes:
    """Return a new picture of a chart."""
    from mqcap.presentation.chart_pictures import draw  # noqa: PLC0415 - imports matplotlib

    return draw(data)


def stored_charts(engine: Store, day: date) -> dict[str, bytes]:
    """Return the pictures in the capacity emails of a day by the key of what they show.

    Pictures of an earlier release have no key and are left out.
    """
    pictures = (
        picture
        for delivery in read_deliveries(engine, day)
        if delivery.channel is Channel.mail
        for picture in _pictures(delivery.content)
    )
    return {key: png for png in pictures if (key := key_of_picture(png)) is not None}


def _pictures(content: str) -> Iterator[bytes]:
    for part in message_from_string(content).walk():
        payload = part.get_payload(decode=True) if part.get_content_type() == "image/png" else None
        if isinstance(payload, bytes):
            yield payload


def _chart(engine: Store, problem: Problem) -> ChartData | None:
    crossing = problem.crossing
    if crossing is None:
        return None
    last = crossing.cutoff_date
    days = read_observations(engine, crossing.series_id, last - timedelta(days=CHART_DAYS), last)
    history = [(day.site_date, float(getattr(day, crossing.statistic))) for day in days]
    forecast = find_forecast(engine, crossing.series_id, crossing.statistic, last)
    return chart_data(problem, history, forecast)
