"""Movement of the dates of a site's store from night to night, with the reason of each far move.

``python -m devtools.benchmarks.forecast.churn_of_store [--nights N]`` reads the store of the
settings (``MQCAP_SETTINGS_FILE``), takes the limits that have a date on its last evaluated day, and
replays the nights up to it from what was measured up to each. Nothing is written. Moves of more
than 5 days are printed with their reasons, in the words of the page.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

import pandas as pd

from devtools.benchmarks.forecast.churn import FAR_DAYS, percentiles
from forecasting import ForecastOptions, crossing_of, forecast_series
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.estate.series_calendar import estate_facts
from mqcap.domain.forecast import Forecast
from mqcap.presentation.date_changes import reasons, short_reason
from mqcap.settings import Settings, load_settings
from mqcap.store.crossings import crossings_before
from mqcap.store.database import Store, open_store
from mqcap.store.observations import read_training_rows
from sizing.rulebook.registry import all_rules


class StoreNight(NamedTuple):
    """The crossing of one night with the forecast behind it."""

    crossing: Crossing
    forecast: Forecast


def main() -> None:
    """Print the moves of all dates, and far ones with their reasons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nights", type=int, default=60)
    arguments = parser.parse_args()
    settings = load_settings()
    store = open_store(settings.store.url.get_secret_value())
    wanted = [
        each
        for each in crossings_before(store, date.max)
        if each.state is CrossingState.will_cross and each.expected_date is not None
    ]
    moves: list[int] = []
    for last in wanted:
        measured = _measured(settings, store, last)
        nights = _replayed(settings, last, measured, arguments.nights)
        for before, after in itertools.pairwise(nights):
            days = _moved_days(before.crossing, after.crossing)
            if days is None:
                continue
            moves.append(days)
            if days > FAR_DAYS:
                print(_explained(before, after, measured))
    print(f"{len(wanted)} dates, {len(moves)} night-to-night moves of the expected date, in days:")
    print(percentiles(moves))


def _measured(settings: Settings, store: Store, of: Crossing) -> pd.DataFrame:
    """Return the daily values of the series of a crossing, with what the estate says of it."""
    rows = [
        row
        for row in read_training_rows(store, of.cutoff_date, settings.forecast.lookback_days)
        if (row.series_id, row.statistic) == (of.series_id, of.statistic)
    ]
    facts = estate_facts(settings.estate, of.series_id, of.cutoff_date)
    return pd.DataFrame([row._asdict() for row in rows]).assign(**facts)


def _replayed(
    settings: Settings, last: Crossing, measured: pd.DataFrame, count: int
) -> Iterator[StoreNight]:
    """Yield each night up to the last one, with the limit of that one."""
    options = ForecastOptions(
        horizon_days=settings.forecast.horizon_days,
        crossing_days=settings.forecast.crossing_days,
        interval_width=settings.forecast.interval_width,
        lookback_days=settings.forecast.lookback_days,
        final_fit="fast",
    )
    values = list(zip(measured["site_date"], measured["value"], strict=True))
    crossing: Crossing | None = None
    for back in range(count, -1, -1):
        day = last.cutoff_date - timedelta(days=back)
        first = day - timedelta(days=settings.rules.peak_days)
        (made,) = forecast_series(measured, options, day)
        crossing = crossing_of(
            made,
            [item for item in values if first < item[0] <= day],
            limit=last.limit_value,
            direction=last.direction,
            strict=all_rules()[last.rule_id].strict,
            rule_id=last.rule_id,
            unit=last.unit,
            subject=last.subject,
            before=crossing,
        )
        yield StoreNight(crossing, made)


def _moved_days(before: Crossing, after: Crossing) -> int | None:
    """Return by how many days the date moved; ``None`` where one of the nights has none."""
    if before.expected_date is None or after.expected_date is None:
        return None
    return abs((after.expected_date - before.expected_date).days)


def _explained(before: StoreNight, after: StoreNight, measured: pd.DataFrame) -> str:
    was, now = before.crossing, after.crossing
    new = [
        (day, value)
        for day, value in zip(measured["site_date"], measured["value"], strict=True)
        if was.cutoff_date < day <= now.cutoff_date
    ]
    short = short_reason(was, now, before.forecast, after.forecast)
    every = reasons(was, now, before.forecast, after.forecast, new)
    dates = f"{was.expected_date} to {now.expected_date}"
    return f"{now.rule_id} {now.subject} {now.cutoff_date}: {dates}: {'; '.join([short, *every])}"


if __name__ == "__main__":
    main()
