"""Notes, stops, releases and excluded days of a series."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from mq_capacity_page.pages.series.chart_marks import MARK_DAYS, chart_marks, with_cleaning
from mq_capacity_page.web.context import PageContext
from mqcap.domain.feed import FeedKind
from mqcap.domain.resource import ResourceKind
from mqcap.settings import load_settings
from mqcap.store.annotations import save_annotation
from mqcap.store.console_states import replace_states
from mqcap.store.feeds import replace_feed_days
from tests.factories import DAY, NOON, console_state
from tests.plugins import builder
from tests.plugins.mq_capacity_page.marked import note, upgraded


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
        about = {"subject": subject, "note": f"note on {subject}"}
        save_annotation(context.engine, note(first_date=first, last_date=first, **about))
    marks = chart_marks(context, "PLEX1/CSQ1", day)
    assert sorted(each.note for each in marks.notes) == [
        "note on PLEX1",
        "note on PLEX1/CSQ1",
    ]


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


def test_a_release_is_marked_once_for_all_feeds_that_show_it(context: PageContext) -> None:
    both = [upgraded(), upgraded().model_copy(update={"kind": FeedKind.channel_initiator})]
    replace_feed_days(context.engine, builder.DAY, builder.DAY, both)
    [mark] = chart_marks(context, "PLEX1/CSQ1", builder.DAY).releases
    assert (mark.site_date, mark.words) == (builder.DAY, "CSQ1: MQ 9.3.5 → 9.4.5")


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (12, 12, ["change listed in the estate"]),
        (13, 31, []),
        (1, 11, []),
        (11, 13, ["change listed in the estate"]),
    ],
    ids=["on-both-ends", "before-the-first", "after-the-last", "between"],
)
def test_known_changes_of_the_estate_are_marked_between_two_days(
    site_folder: Path, empty_context: PageContext, first: int, last: int, words: list[str]
) -> None:
    announced = "known_changes: [{day: 2026-01-12}]\n    qmgrs: [{name: CSQ1}]"
    file = site_folder / "platform.yaml"
    stated = file.read_text("utf-8").replace("qmgrs: [{name: CSQ1}]", announced)
    file.write_text(stated, "utf-8")
    context = empty_context._replace(settings=load_settings())
    days = (date(2026, 1, last), date(2026, 1, first))
    marks = chart_marks(context, "PLEX1/CSQ1", *days)
    assert [mark.words for mark in marks.changes] == words
    assert chart_marks(context, "PLEX2/TST1", *days).changes == []


def test_what_the_console_reported_of_the_resources_of_a_metric_is_marked(
    context: PageContext,
) -> None:
    day = builder.DAY - timedelta(days=3)
    instant = NOON + (day - DAY)
    log = console_state(site_date=day, last_date=builder.DAY, first_utc=instant)
    pool = console_state(
        "CSQP020E", subject="PLEX1/CSQ1/BP03", resource_kind=ResourceKind.buffer_pool,
        site_date=day, last_date=day,
    )  # fmt: skip
    replace_states(context.engine, [], [log, pool])
    marks = chart_marks(context, "PLEX1/CSQ1", builder.DAY, metric="log_growth_mib_per_s")
    [mark] = marks.states
    assert (mark.site_date, mark.at_utc) == (day, instant)
    assert mark.words.startswith("out of active log space (CSQJ111A, 2026-01-28 ")
    assert not chart_marks(context, "PLEX1/CSQ1", builder.DAY).states
    late = chart_marks(context, "PLEX1/CSQ1", builder.DAY, builder.DAY, "log_growth_mib_per_s")
    assert not late.states
