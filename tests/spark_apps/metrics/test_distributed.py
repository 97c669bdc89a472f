"""Logs, queues and channels of distributed queue managers."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from spark_apps.metrics import distributed
from spark_apps.qmgr_settings import EPOCH, FOREVER, SettingPeriod
from tests.spark_apps.rows import HALF_HOUR, START, levels, records, samples, sections

USED = {"figure": "log_primary_used_pct", "value": 150.0}
PRIMARY = ("mq_log_primary_used_pct", "EAST/QM1")
TOTAL = ("mq_log_total_used_pct", "EAST/QM1")


def found(
    *rows: dict[str, Any], periods: tuple[SettingPeriod, ...] = ()
) -> dict[tuple[str, str], list[float]]:
    return levels(distributed.log_use(samples(*rows, periods=periods)))


def period(begin: datetime, end: datetime, primary: int | None, secondary: int) -> SettingPeriod:
    return SettingPeriod("EAST", "QM1", begin, end, primary, secondary, None)


def test_use_of_all_files_needs_their_numbers_which_are_told_with_it_alone() -> None:
    assert found(USED) == {PRIMARY: [150.0]}
    other = period(EPOCH, FOREVER, 3, 2)._replace(qmgr="qm1")
    assert found(USED, periods=(other,)) == {PRIMARY: [150.0]}
    latency = {"figure": "log_write_latency_us", "value": 9.0}
    made = found(latency, periods=(period(EPOCH, FOREVER, 3, 2),))
    assert set(made) == {("mq_log_write_latency_us", "EAST/QM1")}


@pytest.mark.parametrize(
    ("figure", "value", "is_told"),
    [
        ("log_media_mib", 48.0, True),
        ("log_workload_pct", 146.05, True),
        ("log_media_extent_count", 0.0, False),
        ("log_media_extent_count", 1.0, True),
        ("log_media_extent_count", 1_199.0, True),
        ("log_write_latency_us", 0.0, False),
        ("log_write_latency_us", 0.5, True),
    ],
)
def test_a_figure_of_the_log_is_told_unless_it_is_an_extent_or_a_latency_of_zero(
    figure: str, value: float, is_told: bool
) -> None:
    expected = {(f"mq_{figure}", "EAST/QM1"): [value]}
    assert found({"figure": figure, "value": value}) == (expected if is_told else {})


def test_numbers_of_the_same_capture_come_before_the_settings() -> None:
    captured = [
        {"figure": "log_primary_files_count", "value": 1.0},
        {"figure": "log_secondary_files_count", "value": 1.0},
    ]
    made = found(USED, *captured, periods=(period(EPOCH, FOREVER, 3, 2),))
    assert made[TOTAL] == [75.0]


def test_settings_hold_from_their_time_on() -> None:
    changed = START + timedelta(minutes=5)
    later = {**USED, "reported_utc": changed}
    periods = (period(EPOCH, changed, 3, 2), period(changed, FOREVER, 2, 2))
    assert found(USED, later, periods=periods)[TOTAL] == [90.0, 75.0]


SUBJECT = "EAST/QM1/CHANNEL/APP%2FA"


def of(figure: str, value: float, **changed: object) -> dict[str, object]:
    return {"figure": figure, "object": "APP/A", "value": value, **changed}


@pytest.mark.parametrize(
    ("limit", "is_set"),
    [(0.0, False), (1.0, True), (50.0, True), (999_999_998.0, True), (999_999_999.0, False)],
)
def test_instances_have_the_limit_that_is_set_and_a_default_or_unknown_one_is_none(
    limit: float, is_set: bool
) -> None:
    rows = samples(of("channel_instance_count", 40.0), of("channel_instance_max_count", limit))
    found = levels(distributed.channel_instances(rows))
    assert found.pop(("mq_channel_instance_max_count", SUBJECT), None) == (
        [limit] if is_set else None
    )
    assert found == {("mq_channel_instance_count", SUBJECT): [40.0]}


def test_instances_of_one_client_have_a_limit_of_their_own() -> None:
    rows = samples(
        of("channel_client_instance_count", 5.0),
        of("channel_client_instance_max_count", 20.0),
        of("channel_instance_max_count", 50.0),
    )
    assert levels(distributed.channel_instances(rows)) == {
        ("mq_channel_client_instance_count", SUBJECT): [5.0],
        ("mq_channel_client_instance_max_count", SUBJECT): [20.0],
    }


def test_a_count_that_every_instance_tells_counts_once() -> None:
    rows = samples(*[of("channel_instance_count", 3.0, file_sha256=name) for name in "abc"])
    assert levels(distributed.channel_instances(rows)) == {
        ("mq_channel_instance_count", SUBJECT): [3.0]
    }


def test_a_raised_limit_leaves_the_instances_as_they_were() -> None:
    later = {"reported_utc": START + HALF_HOUR}
    rows = samples(
        of("channel_instance_count", 40.0),
        of("channel_instance_max_count", 50.0),
        of("channel_instance_count", 40.0, **later),
        of("channel_instance_max_count", 80.0, **later),
    )
    found = levels(distributed.channel_instances(rows))
    assert found[("mq_channel_instance_count", SUBJECT)] == [40.0, 40.0]
    assert found[("mq_channel_instance_max_count", SUBJECT)] == [50.0, 80.0]


CONTENTION = {"figure": "queue_lock_contention_pct", "object": "APP.IN", "value": 4.5}


def test_the_busiest_queue_counts_at_each_time() -> None:
    other = {**CONTENTION, "object": "APP.OUT", "value": 11.0}
    found = levels(distributed.queue_locks(samples(CONTENTION, other)))
    assert found == {("mq_lock_wait_pct", "EAST/QM1"): [11.0]}


def test_a_time_that_the_site_sends_too_counts_once() -> None:
    sent = {"metric": "mq_lock_wait_pct", "subject": "EAST/QM1", "value": 3.0}
    made = sections(
        qmgr_sample=[{"qmgr": "QM1", **CONTENTION}],
        site_sample=[sent, {**sent, "subject": "EAST/QM2"}, {**sent, "metric": "site_pool"}],
    )
    assert levels(distributed.queue_locks(made)) == {
        ("mq_lock_wait_pct", "EAST/QM1"): [4.5],
        ("mq_lock_wait_pct", "EAST/QM2"): [3.0],
    }


def test_the_replica_that_is_furthest_behind_counts() -> None:
    rows = [
        {"figure": "nha_backlog_bytes", "object": name, "value": mib * 2.0**20}
        for name, mib in (("inst-1", 1), ("inst-2", 3))
    ]
    found = levels(distributed.native_ha(samples(*rows)))
    assert found == {("mq_nha_backlog_mib", "EAST/QM1"): [3.0]}


@pytest.mark.parametrize(("second", "third", "out"), [(1.0, 1.0, 0), (1.0, 0.0, 1), (0.0, 0.0, 2)])
def test_replicas_that_are_not_in_sync_are_counted(second: float, third: float, out: int) -> None:
    rows = [
        {"figure": "nha_in_sync_count", "object": name, "value": value}
        for name, value in (("inst-2", second), ("inst-3", third))
    ]
    found = levels(distributed.native_ha(samples(*rows)))
    assert found == {("mq_nha_out_of_sync_count", "EAST/QM1"): [out]}


def test_a_queue_file_is_compared_with_what_it_may_grow_to() -> None:
    rows = [
        {"figure": "queue_file_mib", "object": "A", "value": 5.0},
        {"figure": "queue_file_max_mib", "object": "A", "value": 20.0},
        {"figure": "queue_file_max_mib", "object": "B", "value": 20.0},
    ]
    assert levels(distributed.queues(samples(*rows))) == {
        ("mq_queue_file_mib", "EAST/QM1/A"): [5.0],
        ("mq_queue_file_max_mib", "EAST/QM1/A"): [20.0],
        ("mq_queue_file_used_pct", "EAST/QM1/A"): [25.0],
    }


def test_puts_are_counted_by_queue() -> None:
    rows = [
        {"figure": "queue_put_count", "object": name, "reading": "delta", "value": 600.0}
        for name in ("A", "B")
    ]
    found = records(distributed.queues(samples(*rows)))
    assert {(row.subject, row.amount) for row in found} == {
        ("EAST/QM1/A", 600),
        ("EAST/QM1/B", 600),
    }
