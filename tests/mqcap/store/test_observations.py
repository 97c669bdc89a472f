from datetime import timedelta

import numpy as np
import pytest
from sqlalchemy import Engine

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import Direction, Statistic, SubjectKind, series_id
from mqcap.store.observations import (
    changed_limits,
    count_measured_series,
    figures_of_series,
    observed_digests,
    peak_hours,
    read_figures,
    read_observations,
    read_training_rows,
    read_window,
    replace_observations,
    require_observed,
    subjects_reaching,
)
from mqcap.store.series import upsert_series
from tests.factories import DAY, NOON, observation, series_facts

ONE_DAY = timedelta(days=1)
NEXT_DAY = DAY + ONE_DAY
ID = observation().series_id


def test_observations_between_two_days_include_both(engine: Engine) -> None:
    days = [DAY + timedelta(days=ahead) for ahead in range(5)]
    replace_observations(engine, days, [observation(day=day) for day in reversed(days)], {})
    read = read_observations(engine, ID, days[1], days[3])
    assert [row.site_date for row in read] == days[1:4]
    assert [row.site_date for row in read_observations(engine, ID)] == days
    assert [row.site_date for row in read_observations(engine, ID, last=days[1])] == days[:2]
    assert read_observations(engine, "other") == []
    expected = [(row.site_date, row.p95) for row in read]
    assert read_figures(engine, ID, Statistic.p95, days[1], days[3]) == expected
    assert read_figures(engine, "other", Statistic.p95, days[1], days[3]) == []


def test_replacing_a_day_removes_what_it_had_and_no_other_day(engine: Engine) -> None:
    days = [DAY, NEXT_DAY]
    rows = [observation(subject, day) for subject in ("PLEX1/CSQ1", "PLEX1/CSQ2") for day in days]
    assert replace_observations(engine, days, rows, {}) == 4
    assert replace_observations(engine, [DAY], [observation(peak=9.0)], {}) == 1
    assert [row.peak for row in read_observations(engine, ID)] == [9.0, 1.5]
    other = observation("PLEX1/CSQ2").series_id
    assert [row.site_date for row in read_observations(engine, other)] == [NEXT_DAY]


def test_rows_may_be_mappings_with_foreign_number_types(engine: Engine) -> None:
    row = observation().model_dump() | {"mean": np.float64(0.25), "peak": np.float64(2.5)}
    replace_observations(engine, [DAY], [row], {})
    [stored] = read_observations(engine, ID)
    assert (stored.mean, stored.peak) == (0.25, 2.5)


def test_the_digest_of_a_partition_that_is_gone_is_deleted(engine: Engine) -> None:
    replace_observations(engine, [], [], {DAY: "one", NEXT_DAY: "one"})
    replace_observations(engine, [], [], {DAY: None, NEXT_DAY: "two"})
    assert observed_digests(engine) == {NEXT_DAY: "two"}


def test_a_window_includes_both_its_days_in_order(engine: Engine) -> None:
    days = [DAY + timedelta(days=ahead) for ahead in range(-1, 3)]
    subjects = ("PLEX1/CSQ2", "PLEX1/CSQ1")
    upsert_series(engine, [series_facts(subject) for subject in subjects])
    rows = [observation(subject, day) for subject in subjects for day in days]
    replace_observations(engine, days, rows, {})
    window = read_window(engine, DAY, NEXT_DAY)
    assert [(row.subject, row.site_date) for row in window] == [
        (subject, day) for subject in sorted(subjects) for day in (DAY, NEXT_DAY)
    ]
    assert window[0].subject_kind is SubjectKind.queue_manager
    assert window[0].value(Statistic.peak) == 1.5
    assert window[0].value(Statistic.mean) == 0.5


@pytest.mark.parametrize(("least", "found"), [(1.4, True), (1.5, True), (1.6, False)])
def test_subjects_are_found_by_the_peak_of_a_day(engine: Engine, least: float, found: bool) -> None:
    facts = series_facts()
    upsert_series(engine, [facts, series_facts("PLEX1/CSQ2")])
    rows = [observation(peak=0.1), observation(day=NEXT_DAY, peak=1.5)]
    replace_observations(engine, [DAY, NEXT_DAY], rows, {})
    assert subjects_reaching(engine, {facts.metric: least}) == ({facts.subject} if found else set())
    assert subjects_reaching(engine, {"other": least}) == set()


def test_an_observation_of_an_undeclared_series_is_not_in_the_window(engine: Engine) -> None:
    replace_observations(engine, [DAY], [observation()], {})
    assert read_window(engine, DAY, DAY) == []


def test_training_uses_nothing_after_the_cutoff_and_no_other_series(engine: Engine) -> None:
    days = [DAY + timedelta(days=ahead) for ahead in (-2, -1, 0, 1)]
    other = series_facts("PLEX1/CSQ2", forecast=False)
    upsert_series(engine, [series_facts(ceiling=100.0), other])
    rows = [observation(subject, day) for subject in ("PLEX1/CSQ1", "PLEX1/CSQ2") for day in days]
    replace_observations(engine, days, rows, {})
    training = read_training_rows(engine, DAY, lookback_days=2)
    assert [(row.statistic, row.site_date) for row in training] == [
        (statistic, day) for statistic in ("mean", "p95", "peak") for day in days[1:3]
    ]
    assert {row.ceiling for row in training} == {100.0}
    assert {row.value for row in training if row.statistic == "peak"} == {1.5}


def test_training_has_the_statistics_that_are_wanted_of_each_metric(engine: Engine) -> None:
    upsert_series(engine, [series_facts(subject) for subject in ("PLEX1/CSQ2", "PLEX1/CSQ1")])
    rows = [observation(subject) for subject in ("PLEX1/CSQ1", "PLEX1/CSQ2")]
    replace_observations(engine, [DAY], rows, {})
    metric = series_facts().metric
    wanted = {(metric, Statistic.peak), (metric, Statistic.mean), ("other", Statistic.p95)}
    training = read_training_rows(engine, DAY, 2, wanted)
    assert [(row.series_id.partition("/")[2], row.statistic) for row in training] == [
        (subject, statistic)
        for subject in ("PLEX1/CSQ1", "PLEX1/CSQ2")
        for statistic in ("mean", "peak")
    ]
    assert read_training_rows(engine, DAY, 2, set()) == []


def test_the_peak_hour_is_that_of_the_worst_day(engine: Engine) -> None:
    days = [
        observation(day=DAY + n * ONE_DAY, peak=peak, busiest_hour_utc=NOON + n * ONE_DAY)
        for n, peak in enumerate([1.0, 3.0, 3.0, 2.0])
    ]
    replace_observations(engine, [row.site_date for row in days], days, {})
    last = DAY + 3 * ONE_DAY
    upward, downward = [(ID, Direction.upward)], [(ID, Direction.downward)]
    assert peak_hours(engine, upward, DAY, last) == {ID: NOON + 2 * ONE_DAY}
    assert peak_hours(engine, downward, DAY, last) == {ID: NOON}
    assert peak_hours(engine, upward, last, last) == {ID: NOON + 3 * ONE_DAY}
    assert peak_hours(engine, [], DAY, DAY) == {}
    assert peak_hours(engine, upward, DAY - ONE_DAY, DAY - ONE_DAY) == {}


def test_measured_series_are_counted_by_day(engine: Engine) -> None:
    rows = [observation(), observation("PLEX1/CSQ2"), observation(day=NEXT_DAY)]
    replace_observations(engine, [DAY, NEXT_DAY], rows, {})
    days = (DAY, NEXT_DAY, DAY - ONE_DAY)
    assert [count_measured_series(engine, day) for day in days] == [2, 1, 0]


@pytest.mark.parametrize(("offset_days", "has_data"), [(-1, False), (0, True), (1, False)])
def test_a_day_without_data_is_an_error_that_names_the_days_with_data(
    engine: Engine, offset_days: int, has_data: bool
) -> None:
    day = DAY + timedelta(days=offset_days)
    require_observed(engine, day)
    upsert_series(engine, [series_facts()])
    replace_observations(engine, [DAY], [observation()], {})
    if has_data:
        require_observed(engine, day)
        return
    with pytest.raises(ConfigurationError, match=f"no data of {day}; found days {DAY} to {DAY}"):
        require_observed(engine, day)


def test_limits_that_have_changed_are_read_with_the_others_of_their_subject(engine: Engine) -> None:
    names = {"A": ("EAST/QM1", [3.0, 6.0]), "B": ("EAST/QM1", [2.0, 2.0]), "C": ("X/Y", [1.0, 1.0])}
    facts = [
        series_facts(subject, metric=name, series_id=series_id(name, subject))
        for name, (subject, _) in names.items()
    ]
    upsert_series(engine, facts)
    days = [DAY, NEXT_DAY]
    rows = [
        observation(series_id=series_id(name, subject), day=day, mean=peak, peak=peak)
        for name, (subject, peaks) in names.items()
        for day, peak in zip(days, peaks, strict=True)
    ]
    replace_observations(engine, days, rows, {})
    assert changed_limits(engine, names, NEXT_DAY, 2) == {
        ("A", "EAST/QM1"): {DAY: 3.0, NEXT_DAY: 6.0},
        ("B", "EAST/QM1"): {DAY: 2.0, NEXT_DAY: 2.0},
    }
    for metrics, day, lookback in ((names, DAY, 2), (names, NEXT_DAY, 1), (["B"], NEXT_DAY, 2)):
        assert changed_limits(engine, metrics, day, lookback) == {}


def test_days_of_several_series_are_read_at_once_in_order(engine: Engine) -> None:
    days = [DAY + timedelta(days=ahead) for ahead in range(3)]
    rows = [observation(day=day) for day in reversed(days)]
    others = [row.model_copy(update={"series_id": "other"}) for row in rows]
    replace_observations(engine, days, [*rows, *others], {})
    keys = [(name, Statistic.peak) for name in (ID, "other", "none")]
    read = figures_of_series(engine, keys, days[1], days[2])
    assert {name: [day for day, _ in found] for (name, _), found in read.items()} == {
        ID: days[1:],
        "other": days[1:],
    }
