"""What the steps and the page ask of the store."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.ticket import TicketState
from mqcap.store.crossings import replace_crossings
from mqcap.store.findings import latest_site_date, previous_findings_date, replace_findings
from mqcap.store.fleet import fleet
from mqcap.store.observations import read_observations, read_training_rows, replace_observations
from mqcap.store.outbox import find_delivery, read_deliveries, save_delivery
from mqcap.store.series import find_series, read_series, upsert_series
from mqcap.store.tickets import save_ticket
from tests import factories
from tests.factories import DAY, crossing, finding, observation, series_facts

NEXT_DAY = DAY + timedelta(days=1)


def test_an_empty_store_has_no_day(engine: Engine) -> None:
    assert latest_site_date(engine) is None
    assert previous_findings_date(engine, DAY) is None
    assert find_delivery(engine, "x") is None
    assert find_series(engine, "x") is None
    assert fleet(engine, DAY) == []


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


def test_the_fleet_lists_the_most_urgent_first(engine: Engine) -> None:
    findings = [
        finding("PLEX1/OK", severity=Severity.ok, breach=False, headroom_ratio=0.7),
        finding("PLEX1/UNKN", severity=Severity.unknown, breach=None, headroom_ratio=None),
        finding("PLEX1/LATE", severity=Severity.watch, breach=False, headroom_ratio=0.3),
        finding("PLEX1/SOON", severity=Severity.watch, breach=False, headroom_ratio=0.4),
        finding("PLEX1/FAR", severity=Severity.ok, breach=False, headroom_ratio=0.8),
        finding("PLEX1/WTCH", severity=Severity.watch, breach=False, headroom_ratio=0.1),
        finding("PLEX1/OVER"),
        finding("PLEX1/MORE", headroom_ratio=-1.9),
    ]
    crossings = [
        crossing("PLEX1/LATE", expected_date=DAY + timedelta(days=80)),
        crossing("PLEX1/SOON", expected_date=None, earliest_date=DAY + timedelta(days=9)),
        crossing("PLEX1/FAR", expected_date=DAY + timedelta(days=300)),
        crossing("PLEX1/OK", state=CrossingState.not_within_horizon, expected_date=None),
    ]
    upsert_series(engine, [series_facts("PLEX1/OVER")])
    replace_findings(engine, DAY, findings)
    replace_crossings(engine, DAY, crossings)
    over_ticket = factories.ticket(dedupe_key="LOG-FILL-30MIN/PLEX1/OVER", external_ref="MQCAP-1")
    save_ticket(engine, over_ticket, "embedded")
    rows = fleet(engine, DAY)
    assert [row.subject.removeprefix("PLEX1/") for row in rows] == [
        "MORE", "OVER", "SOON", "LATE", "WTCH", "UNKN", "FAR", "OK",
    ]  # fmt: skip
    over = rows[1]
    assert over.subject_kind is SubjectKind.queue_manager
    assert over.ticket_ref == "MQCAP-1"
    assert over.sysplex == "PLEX1"
    assert rows[0].subject_kind is None
    assert rows[2].earliest_date == DAY + timedelta(days=9)


def test_a_closed_ticket_is_not_shown_in_the_fleet(engine: Engine) -> None:
    replace_findings(engine, DAY, [finding()])
    save_ticket(engine, factories.ticket(state=TicketState.closed), "embedded")
    assert fleet(engine, DAY)[0].ticket_ref is None
