"""Hosts of distributed queue managers, their file systems and connections."""

from datetime import timedelta
from typing import Any

import pytest

from spark_apps.metrics.distributed import connections
from spark_apps.metrics.hosts import file_systems, hosts
from spark_apps.qmgr_settings import EPOCH, FOREVER, SettingPeriod
from tests.spark_apps.rows import START, figures, levels, samples, sections

USER = {"figure": "host_cpu_user_pct", "host": "mq-1", "value": 20.0}
SYSTEM = {"figure": "host_cpu_system_pct", "host": "mq-1", "value": 5.0}
FREE = {"figure": "log_fs_free_pct", "value": 70.0}
USED = {"figure": "log_fs_used_bytes", "value": 301.0}
QM1 = "EAST/QM1"


def test_a_host_counts_once_however_many_queue_managers_publish_it() -> None:
    rows = [{**row, "qmgr": qmgr} for row in (USER, SYSTEM) for qmgr in ("QM1", "QM2")]
    assert figures(hosts, "EAST/mq-1", samples(*rows)) == {"host_cpu_busy_pct": 25.0}


def test_half_of_the_figure_is_none() -> None:
    assert levels(hosts(samples(USER, {**SYSTEM, "qmgr": "QM2"}))) == {}


def test_free_ram_of_a_host_without_a_name_is_left_out() -> None:
    ram = {"figure": "host_ram_free_pct", "value": 58.0}
    rows = ({**ram, "host": host} for host in ("mq-1", "", "x" * 65))
    assert figures(hosts, "EAST/mq-1", samples(*rows)) == {"host_ram_free_pct": 58.0}


def test_a_time_that_the_site_sends_too_counts_once() -> None:
    sent = [
        {"metric": "host_cpu_busy_pct", "subject": f"EAST/{name}", "value": 30.0}
        for name in ("mq-1", "mq-2")
    ]
    published = [{**row, "qmgr": "QM1"} for row in (USER, SYSTEM)]
    assert levels(hosts(sections(qmgr_sample=published, site_sample=sent))) == {
        ("host_cpu_busy_pct", "EAST/mq-1"): [30.0],
        ("host_cpu_busy_pct", "EAST/mq-2"): [30.0],
    }


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
    found = figures(file_systems, QM1, samples(*rows))
    size = 1_000 / 1_048_576 if level == 30.1 else None
    assert found.pop("mq_log_fs_size_mib", None) == size
    assert found == {"mq_log_fs_used_pct": pytest.approx(level)}


def test_connections_have_their_limit_beside_them() -> None:
    limit = (SettingPeriod("EAST", "QM1", EPOCH, FOREVER, None, None, 400),)
    rows = samples({"figure": "connection_count", "value": 42.0}, periods=limit)
    expected = {"mq_connection_count": 42.0, "mq_max_channels_count": 400.0}
    assert figures(connections, QM1, rows) == expected


@pytest.mark.parametrize("stated", [200, None])
def test_active_channels_have_the_limit_that_qm_ini_states(stated: int | None) -> None:
    period = SettingPeriod("EAST", "QM1", EPOCH, FOREVER, 3, 2, 400, 4_096, stated)
    rows = samples(status("A"), periods=(period,))
    limit = {"mq_max_active_channels_count": stated} if stated else {}
    assert figures(connections, QM1, rows) == {"mq_active_channel_count": 1.0, **limit}


def status(name: str, value: float = 3.0, **changed: Any) -> dict[str, Any]:
    return {"figure": "channel_status", "object": name, "value": value, **changed}


def test_two_files_that_name_connections_differently_do_not_add_up_and_none_is_zero() -> None:
    rows = [status(name, file_sha256=file) for file, name in ("a1", "a2", "b3", "b4")]
    assert figures(connections, QM1, samples(*rows)) == {"mq_active_channel_count": 2.0}
    none = samples(status("A", 6.0))
    assert figures(connections, QM1, none) == {"mq_active_channel_count": 0.0}


def test_connections_that_change_their_labels_all_the_time_make_no_subjects() -> None:
    rows = [
        status(
            f"APP/10.0.0.{number % 5}/{number:08x}",
            reported_utc=START + number // 10 * timedelta(minutes=5),
        )
        for number in range(1_000)
    ]
    assert figures(connections, QM1, samples(*rows)) == {"mq_active_channel_count": [10.0] * 100}
