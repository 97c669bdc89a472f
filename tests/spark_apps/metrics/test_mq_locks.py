"""Locks of queues of distributed queue managers."""

from __future__ import annotations

from spark_apps.metrics import distributed
from tests.spark_apps.rows import levels, samples, sections

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
