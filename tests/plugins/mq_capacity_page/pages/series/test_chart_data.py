"""Data of the chart of days, read from the store."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from mq_capacity_page.pages.series.chart_data import series_chart_data
from mq_capacity_page.pages.series.chart_marks import MARK_DAYS, chart_marks, with_cleaning
from mq_capacity_page.web.context import PageContext
from mqcap.domain.metric import Statistic
from mqcap.store.annotations import save_annotation
from mqcap.store.models import Annotation
from tests.plugins import builder


def annotation(subject: str, first: date) -> Annotation:
    return Annotation(
        subject=subject,
        first_date=first,
        last_date=first,
        note=f"note on {subject}",
        who="anna",
        noted_at_utc=datetime(2026, 1, 22, tzinfo=UTC),
    )


def test_the_chart_has_history_forecast_and_limits_of_one_statistic(context: PageContext) -> None:
    data = series_chart_data(context, builder.LOG, builder.DAY, Statistic.peak)
    assert data is not None
    assert len(data.days) == builder.HISTORY_DAYS - 1
    assert data.forecast is not None
    assert [crossing.rule_id for crossing in data.crossings] == ["LOG-FILL-30MIN"]
    p95 = series_chart_data(context, builder.LOG, builder.DAY, Statistic.p95)
    assert p95 is not None
    assert (p95.forecast, list(p95.crossings)) == (None, [])


def test_an_unknown_series_has_no_chart(context: PageContext) -> None:
    assert series_chart_data(context, "none/PLEX1", builder.DAY, Statistic.peak) is None


def test_nothing_after_the_day_shown_is_drawn(context: PageContext) -> None:
    earlier = builder.DAY - timedelta(days=30)
    data = series_chart_data(context, builder.LOG, earlier, Statistic.peak)
    assert data is not None
    assert max(day.site_date for day in data.days) == earlier
    assert data.forecast is None


def test_without_planned_changes_a_limit_has_no_steps(context: PageContext) -> None:
    data = series_chart_data(context, builder.LOG, builder.DAY, Statistic.peak)
    assert data is not None
    assert dict(data.limit_steps) == {}


def test_notes_of_the_subject_and_its_parents_are_marked_within_the_window(
    context: PageContext,
) -> None:
    day = builder.DAY
    for subject, first in (
        ("PLEX1", day),
        ("PLEX1/CSQ1", day - timedelta(days=MARK_DAYS)),
        ("PLEX1/CSQ1", day - timedelta(days=MARK_DAYS + 1)),
        ("PLEX2", day),
    ):
        save_annotation(context.engine, annotation(subject, first))
    marks = chart_marks(context, "PLEX1/CSQ1", day)
    assert sorted(note.note for note in marks.notes) == ["note on PLEX1", "note on PLEX1/CSQ1"]


def test_stops_of_feeds_below_the_subject_are_marked(context: PageContext) -> None:
    marks = chart_marks(context, "PLEX1/CSQ1/CHINIT", builder.DAY)
    assert [mark.words for mark in marks.stops] == ["PLEX1/CSQ1/CHINIT stopped 02:00 to 03:00 UTC"]


def test_a_series_without_a_forecast_has_no_excluded_days(context: PageContext) -> None:
    marks = chart_marks(context, "PLEX1/CSQ1", builder.DAY)
    days = builder.history(builder.LOG)
    assert with_cleaning(marks, context, builder.facts(builder.LOG), None, days) is marks


def test_an_outage_is_marked_as_excluded_with_its_value(context: PageContext) -> None:
    days = sorted(builder.history(builder.LOG), key=lambda day: day.site_date)
    outage = [
        day.model_copy(update={"peak": 0.0}) if day.site_date == date(2026, 1, 15) else day
        for day in days
    ]
    marks = chart_marks(context, "PLEX1/CSQ1", builder.DAY)
    forecast = builder.forecast(builder.LOG)
    [mark] = with_cleaning(marks, context, builder.facts(builder.LOG), forecast, outage).removed
    assert (mark.site_date, mark.value) == (date(2026, 1, 15), 0.0)
    assert mark.words.startswith("excluded: not above zero")
