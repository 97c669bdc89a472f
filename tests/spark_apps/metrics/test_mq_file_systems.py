"""File systems of distributed queue managers."""

from __future__ import annotations

from typing import Any

import pytest

from spark_apps.metrics import hosts
from tests.spark_apps.rows import levels, samples

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


def test_the_file_system_of_the_queue_manager_is_told_as_free() -> None:
    row = {"figure": "qmgr_fs_free_pct", "value": 58.75}
    found = levels(hosts.file_systems(samples(row)))
    assert found == {("mq_qmgr_fs_used_pct", "EAST/QM1"): [41.25]}
