"""Replicas of Native HA."""

from __future__ import annotations

import pytest

from spark_apps.metrics import distributed
from tests.spark_apps.rows import levels, samples


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
