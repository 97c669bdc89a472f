"""What the steps and the page ask of the store."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine

from mqcap.domain.metric import SubjectKind
from mqcap.store.findings import latest_site_date, previous_findings_date, replace_findings
from mqcap.store.observations import read_observations, read_training_rows, replace_observations
from mqcap.store.outbox import find_delivery, read_deliveries, save_delivery
from mqcap.store.series import find_series, read_series, upsert_series
from tests import factories
from tests.factories import DAY, finding, observation, series_facts

NEXT_DAY = DAY + timedelta(days=1)


def test_an_empty_store_has_no_day(engine: Engine) -> None:
    assert latest_site_date(engine) is None
    assert previous_findings_date(engine, DAY) is None
    assert find_delivery(engine, "x") is None
    assert find_series(engine, "x") is None


def test_the_latest_day_is_that_of_findings_before_observations(engine: Engine) -> None:
    replace_observations(engine, [NEXT_DAY], [observation(day=NEXT_DAY)], {})
    assert latest_site_date(engine) == NEXT_DAY
    replace_findings(engine, DAY, [finding()])
    assert latest_site_date(engine) == DAY
    assert previous_findings_date(engine, NEXT_DAY) == DAY
    assert previous_findings_date(engine, DAY) is None


def test_observations_of_a_window_include_both_ends(engine: Engine) -> None:
    days = [DAY + timedelta(days=ahead) for ahead in range(5)]
    replace_observations(engine, days, [observation(day=day) for day in days], {})
    found = read_observations(engine, observation().series_id, days[1], days[3])
    assert [row.site_date for row in found] == days[1:4]


def test_training_sees_nothing_after_the_cutoff_and_no_other_series(engine: Engine) -> None:
    days = [DAY + timedelta(days=ahead) for ahead in (-2, -1, 0, 1)]
    other = series_facts("PLEX1/CSQ2", forecast=False)
    upsert_series(engine, [series_facts(ceiling=100.0), other])
    rows = [observation(subject, day) for subject in ("PLEX1/CSQ1", "PLEX1/CSQ2") for day in days]
    replace_observations(engine, days, rows, {})
    training = read_training_rows(engine, DAY, lookback_days=2)
    assert [(row.statistic, row.site_date) for row in training] == [
        ("mean", days[1]),
        ("mean", days[2]),
        ("p95", days[1]),
        ("p95", days[2]),
        ("peak", days[1]),
        ("peak", days[2]),
    ]
    assert {row.ceiling for row in training} == {100.0}
    assert {row.value for row in training if row.statistic == "peak"} == {1.5}


def test_series_can_be_asked_for_by_metric(engine: Engine) -> None:
    cpu = series_facts(
        "PLEX1/CF01",
        series_id="cf_busy_pct/PLEX1/CF01",
        metric="cf_busy_pct",
        subject_kind=SubjectKind.coupling_facility,
    )
    upsert_series(engine, [series_facts(), cpu])
    assert read_series(engine, "cf_busy_pct") == [cpu]
    assert find_series(engine, cpu.series_id) == cpu
    assert [row.series_id for row in read_series(engine)] == sorted(
        [cpu.series_id, series_facts().series_id]
    )


def test_deliveries_of_all_days_come_in_order(engine: Engine) -> None:
    later = factories.delivery(delivery_id="l", site_date=NEXT_DAY)
    for one in (later, factories.delivery()):
        save_delivery(engine, one)
    assert read_deliveries(engine) == [factories.delivery(), later]
    assert find_delivery(engine, "l") == later
