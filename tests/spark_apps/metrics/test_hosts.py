"""Hosts of distributed queue managers, their file systems and connections."""

from datetime import timedelta
from typing import Any

import pytest

from spark_apps.metrics import distributed, hosts
from spark_apps.qmgr_settings import EPOCH, FOREVER, SettingPeriod
from tests.spark_apps.rows import START, levels, samples, sections

USER = {"figure": "host_cpu_user_pct", "host": "mq-1", "value": 20.0}
SYSTEM = {"figure": "host_cpu_system_pct", "host": "mq-1", "value": 5.0}


def test_a_host_counts_once_however_many_queue_managers_publish_it() -> None:
    rows = [{**row, "qmgr": qmgr} for row in (USER, SYSTEM) for qmgr in ("QM1", "QM2")]
    found = levels(hosts.hosts(samples(*rows)))
    assert found == {("host_cpu_busy_pct", "EAST/mq-1"): [25.0]}


def test_half_of_the_figure_is_none() -> None:
    other = {**SYSTEM, "qmgr": "QM2"}
    assert levels(hosts.hosts(samples(USER, other))) == {}


def test_free_ram_of_a_host_without_a_name_is_left_out() -> None:
    rows = (
        {"figure": "host_ram_free_pct", "host": host, "value": 58.0}
        for host in ("mq-1", "", "x" * 65)
    )
    found = levels(hosts.hosts(samples(*rows)))
    assert found == {("host_ram_free_pct", "EAST/mq-1"): [58.0]}


def test_a_time_that_the_site_sends_too_counts_once() -> None:
    sent = {"metric": "host_cpu_busy_pct", "subject": "EAST/mq-1", "value": 30.0}
    other = {**sent, "subject": "EAST/mq-2"}
    published = [{**row, "qmgr": "QM1"} for row in (USER, SYSTEM)]
    made = sections(qmgr_sample=published, site_sample=[sent, other])
    found = levels(hosts.hosts(made))
    assert found == {
        ("host_cpu_busy_pct", "EAST/mq-1"): [30.0],
        ("host_cpu_busy_pct", "EAST/mq-2"): [30.0],
    }


LOG = ("mq_log_fs_used_pct", "EAST/QM1")
SIZE = ("mq_log_fs_size_mib", "EAST/QM1")
FREE = {"figure": "log_fs_free_pct", "value": 70.0}
USED = {"figure": "log_fs_used_bytes", "value": 301.0}


@pytest.mark.parametrize(
    ("rows", "level"),
    [
        ([FREE], 30.0),
        ([FREE, USED], 30.0),
        ([FREE, USED, {"figure": "log_fs_size_bytes", "value": 1_000.0}], 30.1),
        ([FREE, USED, {"figure": "log_fs_size_bytes", "value": 0.0}], 30.0),
    ],
)
def test_bytes_count_where_both_are_told(rows: list[dict[str, Any]], level: float) -> None:
    found = levels(hosts.file_systems(samples(*rows)))
    assert found.pop(SIZE, None) == ([1_000 / 1_048_576] if level == 30.1 else None)
    assert found == {LOG: [pytest.approx(level)]}


LIMIT = ("mq_max_active_channels_count", "EAST/QM1")
ACTIVE = ("mq_active_channel_count", "EAST/QM1")


def test_connections_have_their_limit_beside_them() -> None:
    row = {"figure": "connection_count", "value": 42.0}
    limit = (SettingPeriod("EAST", "QM1", EPOCH, FOREVER, None, None, 400),)
    found = levels(distributed.connections(samples(row, periods=limit)))
    assert found == {
        ("mq_connection_count", "EAST/QM1"): [42.0],
        ("mq_max_channels_count", "EAST/QM1"): [400.0],
    }


def test_active_channels_have_the_limit_that_qm_ini_states() -> None:
    row = {"figure": "channel_status", "object": "A", "value": 3.0}
    for stated, expected in ((200, {ACTIVE: [1.0], LIMIT: [200.0]}), (None, {ACTIVE: [1.0]})):
        period = SettingPeriod("EAST", "QM1", EPOCH, FOREVER, 3, 2, 400, 4_096, stated)
        assert levels(distributed.connections(samples(row, periods=(period,)))) == expected


def test_two_files_that_name_connections_differently_do_not_add_up_and_none_is_zero() -> None:
    rows = [
        {"figure": "channel_status", "object": name, "value": 3.0, "file_sha256": file}
        for file, name in (("a", "1"), ("a", "2"), ("b", "3"), ("b", "4"))
    ]
    assert levels(distributed.connections(samples(*rows))) == {ACTIVE: [2.0]}
    row = {"figure": "channel_status", "object": "A", "value": 6.0}
    assert levels(distributed.connections(samples(row))) == {ACTIVE: [0.0]}


def test_connections_that_change_their_labels_all_the_time_make_no_subjects() -> None:
    rows = [
        {
            "figure": "channel_status",
            "object": f"APP/10.0.0.{number % 5}/{number:08x}",
            "value": 3.0,
            "reported_utc": START + number // 10 * timedelta(minutes=5),
        }
        for number in range(1_000)
    ]
    assert levels(distributed.connections(samples(*rows))) == {ACTIVE: [10.0] * 100}
