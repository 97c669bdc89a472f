"""Connections and channels of distributed queue managers."""

from __future__ import annotations

from datetime import timedelta

from mqcap.domain.distributed.qmgr_figure import ACTIVE_STATES
from spark_apps.metrics import distributed
from spark_apps.qmgr_settings import EPOCH, FOREVER, SettingPeriod
from tests.spark_apps.rows import START, levels, samples

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


def test_instances_in_an_active_state_are_counted() -> None:
    rows = [
        {"figure": "channel_status", "object": str(state), "value": float(state)}
        for state in range(15)
    ]
    found = levels(distributed.connections(samples(*rows)))
    assert found == {ACTIVE: [len(ACTIVE_STATES)]}


def test_active_channels_have_the_limit_that_qm_ini_states() -> None:
    row = {"figure": "channel_status", "object": "A", "value": 3.0}
    for stated, expected in ((200, {ACTIVE: [1.0], LIMIT: [200.0]}), (None, {ACTIVE: [1.0]})):
        period = SettingPeriod("EAST", "QM1", EPOCH, FOREVER, 3, 2, 400, 4_096, stated)
        assert levels(distributed.connections(samples(row, periods=(period,)))) == expected


def test_no_active_instance_is_none_and_not_unknown() -> None:
    row = {"figure": "channel_status", "object": "A", "value": 6.0}
    assert levels(distributed.connections(samples(row))) == {ACTIVE: [0.0]}


def test_two_files_that_name_connections_differently_do_not_add_up() -> None:
    rows = [
        {"figure": "channel_status", "object": name, "value": 3.0, "file_sha256": file}
        for file, name in (("a", "1"), ("a", "2"), ("b", "3"), ("b", "4"))
    ]
    assert levels(distributed.connections(samples(*rows))) == {ACTIVE: [2.0]}


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
