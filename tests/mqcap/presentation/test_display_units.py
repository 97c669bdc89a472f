"""Dates, units, counts and labels as they are shown."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from mqcap.domain.estate import SystemClass
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import ABSENT
from mqcap.lake.aggregated import metric_catalogue
from mqcap.lake.layout import metric_catalogue_path
from mqcap.presentation import dates, display_units, labels
from mqcap.presentation.display_units import DisplayZones, Scale
from mqcap.presentation.feed_text import data_words
from mqcap.settings import Settings
from tests.factories import differing_sources, feed_day

MOMENT = datetime(2026, 7, 1, 22, 30, tzinfo=UTC)
DAY = date(2026, 1, 31)
EARLY = datetime(2026, 1, 5, 6, 14, tzinfo=UTC)


def test_log_growth_is_scaled_to_the_unit_of_planners_and_nothing_else_is() -> None:
    assert display_units.scale("MiB/s") == Scale(3_600, "MB/hour")
    assert display_units.scale("%") == Scale(1.0, "%")


def test_an_instant_keeps_its_value_in_a_local_zone() -> None:
    local = DisplayZones(zone="Europe/Berlin").at(MOMENT)
    assert local == MOMENT
    assert f"{local:%Y-%m-%d %H:%M}" == "2026-07-02 00:30"
    assert DisplayZones().at(MOMENT).tzinfo is UTC


def test_a_choice_ends_with_its_context_and_is_inherited_by_its_threads() -> None:
    def request() -> DisplayZones:
        display_units.use(display_units.DisplayZones(always_utc=True))
        with ThreadPoolExecutor() as pool:
            return pool.submit(copy_context().run, display_units.current).result()

    assert copy_context().run(request).always_utc
    assert display_units.current() == DisplayZones()


def test_an_instant_names_its_zone() -> None:
    assert dates.instant(EARLY) == "5 Jan 2026 06:14 UTC"
    assert dates.instant(None) == ABSENT
    assert dates.span(EARLY, EARLY.replace(hour=7, minute=2)) == "06:14 to 07:02 UTC"


def test_an_instant_is_in_the_zone_of_the_sysplex_that_it_is_about() -> None:
    settings = Settings.model_validate({
        "site": {"timezone": "Europe/Copenhagen"},
        "estate": [{"sysplex": "PLEX2", "timezone": "America/New_York"}],
    })  # fmt: skip
    display_units.use_zones_of(settings)
    assert dates.instant(EARLY) == "5 Jan 2026 07:14 CET"
    assert dates.instant(EARLY, "PLEX1/CSQ1") == "5 Jan 2026 07:14 CET"
    assert dates.instant(EARLY, "PLEX2/CSQ9") == "5 Jan 2026 01:14 EST"
    assert dates.span(EARLY, EARLY, "PLEX2/CSQ9") == "01:14 to 01:14 EST"
    display_units.use_zone_of_subject("PLEX2/CSQ9")
    assert dates.instant(EARLY) == "5 Jan 2026 01:14 EST"
    display_units.use(display_units.DisplayZones(always_utc=True))
    display_units.use_zones_of(settings)
    assert dates.instant(EARLY, "PLEX2/CSQ9") == "5 Jan 2026 06:14 UTC"


def test_a_day_has_no_leading_zeros_and_a_near_one_its_year_only_when_it_is_another() -> None:
    assert dates.day_words(date(2026, 1, 5)) == "Mon 5 Jan 2026"
    assert dates.short_day(date(2026, 1, 5)) == "5 Jan 2026"
    assert dates.near_day(date(2026, 12, 5), DAY) == "5 Dec"
    assert dates.near_day(date(2027, 1, 3), DAY) == "3 Jan 2027"


def test_feeds_that_lack_records_and_sources_that_differ_are_counted_apart() -> None:
    assert data_words([]) == ""
    assert data_words([feed_day()]) == "1 feed of records incomplete"
    assert data_words([differing_sources()]) == "1 figure differs between two sources"
    assert data_words([feed_day(), differing_sources(), differing_sources("PLEX1/CSQ2")]) == (
        "1 feed of records incomplete, 2 figures differ between two sources"
    )


def test_everything_that_is_listed_has_a_label() -> None:
    assert set(labels.SEVERITY_LABELS) == set(labels.SEVERITY_SIGNS) == set(Severity)
    assert set(labels.CLASS_LABELS) == set(SystemClass)
    assert all(map(labels.kind_label, SubjectKind))
    assert labels.kind_label("buffer_pool") == "Buffer pool"


@pytest.mark.parametrize(
    ("metric", "label"),
    [
        ("log_growth_mib_per_s", "Log growth"),
        ("page_set_used_pct", "Page set used"),
        ("cf_busy_pct", "CF busy"),
        ("buffer_pool_io_count", "Buffer pool I/O"),
        ("strange", "Strange"),
    ],
)
def test_a_metric_of_an_older_release_is_named_without_its_unit(metric: str, label: str) -> None:
    assert labels.metric_label(metric) == label


def test_a_declared_label_counts_in_the_context_that_took_it(tmp_path: Path) -> None:
    catalogue = [{"name": "cf_busy_pct", "label": "CF processor busy"}, {"name": "old_pct"}]
    metric_catalogue_path(tmp_path).write_text(json.dumps(catalogue), encoding="utf-8")

    def report() -> tuple[str, str]:
        labels.use_metric_labels(metric_catalogue(tmp_path))
        return labels.metric_label("cf_busy_pct"), labels.metric_label("old_pct")

    assert copy_context().run(report) == ("CF processor busy", "Old")
    assert labels.metric_label("cf_busy_pct") == "CF busy"
    metric_catalogue_path(tmp_path).unlink()
    assert copy_context().run(report) == ("CF busy", "Old")


def test_a_sentence_begins_with_a_capital_letter() -> None:
    assert labels.as_sentence("archiving of CSQ1 failed") == "Archiving of CSQ1 failed"
    assert (labels.as_sentence("4.1 h of 12 h"), labels.as_sentence("")) == ("4.1 h of 12 h", "")
