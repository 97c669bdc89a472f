"""Logs, queues and channels of distributed queue managers."""

from datetime import timedelta
from typing import Any

import pytest

from spark_apps.metrics import distributed
from spark_apps.qmgr_settings import EPOCH, FOREVER, SettingPeriod
from tests.spark_apps.rows import HALF_HOUR, START, figures, levels, records, samples, sections

USED = {"figure": "log_primary_used_pct", "value": 150.0}
THREE_AND_TWO = SettingPeriod("EAST", "QM1", EPOCH, FOREVER, 3, 2, None)
QM1 = "EAST/QM1"


def found(*rows: dict[str, Any], periods: tuple[SettingPeriod, ...] = ()) -> dict[str, Any]:
    return figures(distributed.log_use, QM1, samples(*rows, periods=periods))


def test_use_of_all_files_needs_their_numbers_which_are_told_with_it_alone() -> None:
    assert found(USED) == {"mq_log_primary_used_pct": 150.0}
    other = THREE_AND_TWO._replace(qmgr="qm1")
    assert found(USED, periods=(other,)) == {"mq_log_primary_used_pct": 150.0}
    latency = {"figure": "log_write_latency_us", "value": 9.0}
    assert found(latency, periods=(THREE_AND_TWO,)) == {"mq_log_write_latency_us": 9.0}


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
    expected = {f"mq_{figure}": value} if is_told else {}
    assert found({"figure": figure, "value": value}) == expected


def test_numbers_of_the_same_capture_come_before_the_settings() -> None:
    captured = [
        {"figure": f"log_{kind}_files_count", "value": 1.0} for kind in ("primary", "secondary")
    ]
    made = found(USED, *captured, periods=(THREE_AND_TWO,))
    assert made["mq_log_total_used_pct"] == 75.0


def test_settings_hold_from_their_time_on() -> None:
    changed = START + timedelta(minutes=5)
    later = {**USED, "reported_utc": changed}
    then = THREE_AND_TWO._replace(to_utc=changed)
    now = THREE_AND_TWO._replace(from_utc=changed, primary_files=2)
    assert found(USED, later, periods=(then, now))["mq_log_total_used_pct"] == [90.0, 75.0]


def of(figure: str, value: float, **changed: object) -> dict[str, object]:
    return {"figure": f"channel_{figure}", "object": "APP/A", "value": value, **changed}


def instances(*rows: dict[str, object]) -> dict[str, Any]:
    """Figures of a channel, without the beginning that all have."""
    found = figures(distributed.channel_instances, f"{QM1}/CHANNEL/APP%2FA", samples(*rows))
    return {name.removeprefix("mq_channel_"): level for name, level in found.items()}


@pytest.mark.parametrize(
    ("limit", "is_set"),
    [(0.0, False), (1.0, True), (50.0, True), (999_999_998.0, True), (999_999_999.0, False)],
)
def test_instances_have_the_limit_that_is_set_and_a_default_or_unknown_one_is_none(
    limit: float, is_set: bool
) -> None:
    limits = {"instance_max_count": limit} if is_set else {}
    rows = (of("instance_count", 40.0), of("instance_max_count", limit))
    assert instances(*rows) == {"instance_count": 40.0, **limits}


def test_instances_of_one_client_have_a_limit_of_their_own() -> None:
    client = {"client_instance_count": 5.0, "client_instance_max_count": 20.0}
    rows = [of(figure, value) for figure, value in client.items()]
    assert instances(*rows, of("instance_max_count", 50.0)) == client


def test_a_count_that_every_instance_tells_counts_once() -> None:
    rows = (of("instance_count", 3.0, file_sha256=name) for name in "abc")
    assert instances(*rows) == {"instance_count": 3.0}


def test_a_raised_limit_leaves_the_instances_as_they_were() -> None:
    rows = [
        of(figure, value, reported_utc=at)
        for at, limit in ((START, 50.0), (START + HALF_HOUR, 80.0))
        for figure, value in (("instance_count", 40.0), ("instance_max_count", limit))
    ]
    expected = {"instance_count": [40.0, 40.0], "instance_max_count": [50.0, 80.0]}
    assert instances(*rows) == expected


CONTENTION = {"figure": "queue_lock_contention_pct", "object": "APP.IN", "value": 4.5}


def test_the_busiest_queue_counts_at_each_time() -> None:
    rows = samples(CONTENTION, {**CONTENTION, "object": "APP.OUT", "value": 11.0})
    assert figures(distributed.queue_locks, QM1, rows) == {"mq_lock_wait_pct": 11.0}


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
    rows = (
        {"figure": "nha_backlog_bytes", "object": f"inst-{mib}", "value": mib * 2.0**20}
        for mib in (1, 3)
    )
    assert figures(distributed.native_ha, QM1, samples(*rows)) == {"mq_nha_backlog_mib": 3.0}


@pytest.mark.parametrize(("second", "third", "out"), [(1.0, 1.0, 0), (1.0, 0.0, 1), (0.0, 0.0, 2)])
def test_replicas_that_are_not_in_sync_are_counted(second: float, third: float, out: int) -> None:
    rows = (
        {"figure": "nha_in_sync_count", "object": name, "value": value}
        for name, value in (("inst-2", second), ("inst-3", third))
    )
    assert figures(distributed.native_ha, QM1, samples(*rows)) == {"mq_nha_out_of_sync_count": out}


def test_a_queue_file_is_compared_with_what_it_may_grow_to() -> None:
    told = (("file_mib", "A", 5.0), ("file_max_mib", "A", 20.0), ("file_max_mib", "B", 20.0))
    rows = ({"figure": f"queue_{name}", "object": of, "value": value} for name, of, value in told)
    assert figures(distributed.queues, "EAST/QM1/A", samples(*rows)) == {
        "mq_queue_file_mib": 5.0,
        "mq_queue_file_max_mib": 20.0,
        "mq_queue_file_used_pct": 25.0,
    }


def test_puts_are_counted_by_queue() -> None:
    rows = [
        {"figure": "queue_put_count", "object": name, "reading": "delta", "value": 600.0}
        for name in ("A", "B")
    ]
    found = records(distributed.queues(samples(*rows)))
    amounts = {(row.subject, row.amount) for row in found}
    assert amounts == {("EAST/QM1/A", 600), ("EAST/QM1/B", 600)}
