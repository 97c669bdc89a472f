"""Calendar events fall on the days planners mean."""

from datetime import date

import numpy as np
import pytest

from forecasting.calendars import event_columns, frequent_events
from mqcap.domain.estate.calendar import BusyDays, SiteCalendar
from tests.forecasting.builders import CUTOFF, DAYS, forecast_of_rows, noise


@pytest.mark.parametrize(
    ("name", "first", "last", "country", "expected"),
    [
        ("last_business_day", "2026-01-01", "2026-03-31", None, "01-30 02-27 03-31"),
        ("first_business_day", "2026-01-01", "2026-01-31", None, "01-01"),
        ("first_business_day", "2026-01-01", "2026-01-31", "DE", "01-02"),
        ("quarter_end", "2026-01-01", "2026-12-31", None, "03-31 06-30 09-30 12-31"),
        ("public_holiday", "2026-12-01", "2026-12-31", "DE", "12-25"),  # 26 is a Saturday
        ("month_turn_-1", "2026-01-01", "2026-03-31", None, "01-31 02-28 03-31"),
        ("month_turn_+2", "2026-01-01", "2026-02-28", None, "01-02 02-02"),
        ("quarter_turn", "2026-01-01", "2026-05-31", None, "03-29 03-30 03-31"),
        ("year_end_holiday", "2025-12-20", "2026-01-10", None, "12-25 12-26 01-01"),
    ],
)
def test_an_event_is_on_the_days_that_planners_mean(
    name: str, first: str, last: str, country: str | None, expected: str
) -> None:
    days = np.arange(np.datetime64(first), np.datetime64(last) + 1)
    found = days[event_columns(days, country)[name]]
    assert " ".join(str(day)[5:] for day in found) == expected


def test_an_event_seen_once_is_not_taught() -> None:
    days = np.arange(np.datetime64("2026-01-05"), np.datetime64("2026-03-05"))
    columns = event_columns(days, None)
    assert frequent_events(columns, np.ones(len(days), dtype=bool)) == (
        "last_business_day",
        "first_business_day",
        "month_turn_-3",
        "month_turn_-2",
        "month_turn_-1",
        "month_turn_+1",
        "month_turn_+2",
    )


pytestmark = pytest.mark.thorough


def test_a_pay_day_that_only_the_site_knows_is_forecast() -> None:
    calendar = SiteCalendar(busy=(BusyDays(name="pay day", business_day=10),))
    stamps = np.datetime64(CUTOFF, "D") - np.arange(DAYS)[::-1]
    busy = event_columns(stamps, None, calendar)["busy_pay day"]
    values = 20 + noise(scale=0.2) + 10.0 * busy
    made = forecast_of_rows(values, calendar=calendar.model_dump_json())
    ahead = np.array([point.site_date for point in made.points], dtype="datetime64[D]")
    coming = event_columns(ahead, None, calendar)["busy_pay day"]
    lines = np.array([point.expected for point in made.points])
    assert lines[coming].min() > 27
    assert lines[~coming].max() < 23


def test_the_business_days_of_the_site_replace_those_of_the_country() -> None:
    days = np.arange("2026-01-01", "2026-03-01", dtype="datetime64[D]")
    plain = event_columns(days, "DK")
    own = event_columns(
        days,
        "DK",
        SiteCalendar(
            workdays=("Mon", "Tue", "Wed", "Thu", "Fri", "Sat"),
            closed=(date(2026, 1, 31),),
            open=(date(2026, 1, 1),),
        ),
    )
    assert days[plain["last_business_day"]].tolist() == [date(2026, 1, 30), date(2026, 2, 27)]
    assert days[own["last_business_day"]].tolist() == [date(2026, 1, 30), date(2026, 2, 28)]
    assert days[plain["public_holiday"]].tolist() == [date(2026, 1, 1)]
    assert days[own["public_holiday"]].tolist() == [date(2026, 1, 31)]
    assert days[own["first_business_day"]][0] == np.datetime64("2026-01-01")


def test_a_freeze_is_a_period() -> None:
    freeze = BusyDays(name="freeze", first=date(2026, 1, 5), last=date(2026, 1, 7))
    days = np.arange("2026-01-01", "2026-02-01", dtype="datetime64[D]")
    columns = event_columns(days, None, SiteCalendar(busy=(freeze,)))["busy_freeze"]
    assert days[columns].tolist() == [date(2026, 1, day) for day in (5, 6, 7)]
