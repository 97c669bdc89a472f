"""Queues of distributed queue managers."""

from __future__ import annotations

from datetime import timedelta

from spark_apps.metrics import distributed
from tests.spark_apps.rows import START, levels, records, samples


def test_depth_is_compared_with_the_limit_of_the_same_time() -> None:
    before = [
        {"figure": "queue_depth_count", "object": "A/B", "value": 50.0},
        {"figure": "queue_depth_max_count", "object": "A/B", "value": 200.0},
    ]
    raised = [{**row, "reported_utc": START + timedelta(minutes=5)} for row in before]
    raised[1]["value"] = 500.0
    found = levels(distributed.queues(samples(*before, *raised)))
    assert found[("mq_queue_depth_used_pct", "EAST/QM1/A%2FB")] == [25.0, 10.0]
    assert found[("mq_queue_depth_count", "EAST/QM1/A%2FB")] == [50.0, 50.0]
    assert found[("mq_queue_depth_max_count", "EAST/QM1/A%2FB")] == [200.0, 500.0]


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


def test_bytes_of_puts_are_told_in_mib() -> None:
    row = {"figure": "queue_put_bytes", "object": "A", "reading": "delta", "value": 1_048_576.0}
    [found] = records(distributed.queues(samples(row)))
    assert (found.metric, found.amount) == ("mq_queue_put_mib_per_s", 1_048_576)


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


def test_without_its_limit_a_depth_has_no_share() -> None:
    rows = [
        {"figure": "queue_depth_count", "object": "A", "value": 50.0},
        {"figure": "queue_depth_max_count", "object": "a", "value": 200.0},
        {"figure": "queue_file_mib", "object": "a", "value": 3.0},
    ]
    assert levels(distributed.queues(samples(*rows))) == {
        ("mq_queue_depth_count", "EAST/QM1/A"): [50.0],
        ("mq_queue_file_mib", "EAST/QM1/a"): [3.0],
    }
