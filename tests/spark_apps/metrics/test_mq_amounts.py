"""What distributed queue managers write and put."""

from __future__ import annotations

from spark_apps.metrics import distributed
from tests.spark_apps.rows import levels, samples


def test_amounts_are_rates_in_their_units() -> None:
    rows = [
        {"figure": "log_written_bytes", "reading": "scrape", "value": 300.0 * 2**20},
        {"figure": "put_count", "reading": "scrape", "value": 600.0},
        {"figure": "put_bytes", "reading": "delta", "value": 150.0 * 2**20},
        {"figure": "log_extents_grown_count", "reading": "delta", "value": -3.0},
        {"figure": "log_extents_unreclaimed_count", "reading": "delta", "value": 1.0},
    ]
    assert levels(distributed.amounts_per_second(samples(*rows))) == {
        ("mq_log_written_mib_per_s", "EAST/QM1"): [1.0],
        ("mq_put_per_s", "EAST/QM1"): [2.0],
        ("mq_put_mib_per_s", "EAST/QM1"): [0.5],
        ("mq_log_extents_grown_per_day", "EAST/QM1"): [-3 * 86_400 / 300],
        ("mq_log_extents_unreclaimed_per_day", "EAST/QM1"): [86_400 / 300],
    }
