"""Ends of months, peaks of weeks, and the quarter before."""

from __future__ import annotations

from datetime import date, timedelta

from mq_capacity_page.charts.series_figure import (
    month_end_lines,
    month_ends,
    quarter_earlier,
    weekly_peaks,
)

SUNDAY = date(2026, 3, 1)


def test_the_last_day_of_each_month_is_an_end_both_ends_included() -> None:
    assert month_ends(date(2026, 1, 31), date(2026, 2, 28)) == [
        date(2026, 1, 31),
        date(2026, 2, 28),
    ]
    assert month_ends(date(2026, 2, 1), date(2026, 2, 27)) == []
    assert month_ends(date(2028, 2, 27), date(2028, 3, 1)) == [date(2028, 2, 29)]


def test_a_month_end_is_a_short_line_at_its_day() -> None:
    [line] = month_end_lines([date(2026, 2, 28)], "grey")
    assert (line["x0"], line["x1"]) == ("2026-02-28", "2026-02-28")
    assert (line["y0"], line["y1"]) == (0, 0.03)


def test_a_week_has_its_highest_day_and_the_last_one_its_full_width() -> None:
    peaks = {SUNDAY: 7.0, SUNDAY + timedelta(days=1): 2.0, SUNDAY + timedelta(days=7): 3.0}
    assert weekly_peaks(peaks) == (
        [date(2026, 2, 23), date(2026, 3, 2), date(2026, 3, 9)],
        [7.0, 3.0, 3.0],
    )


def test_a_week_without_a_measured_day_is_a_gap() -> None:
    peaks = {SUNDAY: 7.0, SUNDAY + timedelta(days=14): 2.0}
    assert weekly_peaks(peaks)[1] == [7.0, None, 2.0, 2.0]


def test_without_values_there_is_no_week() -> None:
    assert weekly_peaks({}) == ([], [])


def test_a_day_is_compared_with_the_same_day_of_the_week_13_weeks_before() -> None:
    earlier = SUNDAY - timedelta(weeks=13)
    assert quarter_earlier([SUNDAY, SUNDAY + timedelta(days=1)], {earlier: 4.0}) == [4.0, None]
    assert earlier.weekday() == SUNDAY.weekday()
