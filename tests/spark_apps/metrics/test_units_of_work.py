"""Messages of the largest units of work, from rows of class 3 accounting."""

from __future__ import annotations

from datetime import timedelta

from spark_apps.metrics.accounting import units_of_work
from tests.spark_apps.rows import START, between, levels, sections

SERIES = ("uow_messages_count", "PLEX1/CSQ1")


def test_the_task_with_most_messages_for_each_commit_or_back_out_counts() -> None:
    tasks = [
        {"record_hash": 1, "wtascmn": 8, "wtasban": 2},
        {"record_hash": 2, "wtascmn": 1, "wtasban": 0},
        {"record_hash": 3, "wtascmn": 0, "wtasban": 0},
    ]
    queues = [
        {"record_hash": 1, "validput": 1_500, "validget": 300},
        {"record_hash": 1, "validput": 200, "validget": 0},
        {"record_hash": 2, "validput": 0, "validget": 150},
        {"record_hash": 3, "validput": 9_999, "validget": 0},
    ]
    rows = units_of_work(sections(section_wtas=tasks, section_wqst=queues))
    assert levels(rows) == {SERIES: [200.0]}


def test_a_task_counts_in_each_hour_that_it_touches() -> None:
    long = {"record_hash": 1, **between(START, START + timedelta(hours=2))}
    tasks = [{"wtascmn": 2, "wtasban": 0, **long}, {"record_hash": 2, "wtascmn": 1, "wtasban": 0}]
    queues = [
        {"validput": 10, "validget": 0, **long},
        {"record_hash": 2, "validput": 7, "validget": 0},
    ]
    rows = units_of_work(sections(section_wtas=tasks, section_wqst=queues))
    assert levels(rows) == {SERIES: [7.0, 5.0]}
