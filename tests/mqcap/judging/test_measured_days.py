"""Windows of a series, and what rules have found in it."""

from __future__ import annotations

from datetime import date, timedelta

from mqcap.domain.metric import Statistic
from mqcap.judging.observed import MeasuredDays
from mqcap.store.models import WindowDay
from tests.mqcap.judging.observations import LOG, SUBJECT, measured, observed

DAYS = [measured(2, 1.0), measured(1, 2.0), measured(0, 3.0)]


def test_a_window_begins_with_its_first_day() -> None:
    days = MeasuredDays(DAYS)
    first = DAYS[1].site_date
    assert [day.peak for day in days.since(first)] == [2.0, 3.0]
    assert [day.peak for day in days.since(first - timedelta(days=1))] == [1.0, 2.0, 3.0]
    assert [day.peak for day in days.since(first + timedelta(days=1))] == [3.0]


def test_a_window_is_made_once_for_all_states_that_share_the_series() -> None:
    days = observed(*DAYS)
    other = days.replaced({("log_task_busy_pct", SUBJECT): lambda: MeasuredDays(())})
    assert other.days(LOG, SUBJECT) is days.days(LOG, SUBJECT)


def test_replaced_days_begin_without_what_was_found_in_the_others() -> None:
    days = observed(*DAYS)
    before = days.measured(LOG, SUBJECT)
    assert before is not None
    before.inputs["key"] = None
    after = days.replaced({(LOG, SUBJECT): lambda: MeasuredDays(DAYS[:1])}).measured(LOG, SUBJECT)
    assert after is not None
    assert after.inputs == {}
    assert after.days == DAYS[:1]
    assert days.measured(LOG, "PLEX1/CSQ9") is None


def test_changed_days_are_made_of_the_window_that_is_read() -> None:
    made: list[date] = []

    def doubled(day: WindowDay) -> WindowDay:
        made.append(day.site_date)
        return day._replace(peak=2 * day.peak)

    days = MeasuredDays(DAYS)
    changed = days.changed(doubled)
    first = DAYS[1].site_date
    assert made == []
    assert [day.peak for day in changed.since(first)] == [4.0, 6.0]
    assert changed.since(first) is changed.since(first)
    assert made == [first, DAYS[2].site_date]
    assert [day.peak for day in changed.changed(doubled).days] == [4.0, 8.0, 12.0]
    assert [day.peak for day in days.days] == [1.0, 2.0, 3.0]
    assert changed.inputs == {}


def test_the_highest_figure_is_that_of_the_window() -> None:
    days = observed(measured(35, 9.0), measured(34, 2.0), measured(0, 1.0))
    assert days.highest(LOG, SUBJECT, Statistic.peak) == 2.0
    assert days.highest(LOG, SUBJECT, Statistic.mean) == 1.0
    assert days.highest(LOG, "PLEX1/CSQ9", Statistic.peak) == 0.0
    assert MeasuredDays(()).highest(DAYS[0].site_date, Statistic.peak) == 0.0
