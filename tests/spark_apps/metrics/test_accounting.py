"""Metrics of accounting records, from their sections."""

from datetime import timedelta

import polars as pl
import pytest

from spark_apps.metrics import accounting
from spark_apps.metrics.accounting import (
    OF_QUEUE,
    OF_TASK,
    accounting_volume,
    task_requests,
    units_of_work,
)
from tests.spark_apps.rows import START, between, levels, records, sections

SERIES = ("accounting_mib_per_day", "PLEX1/CSQ1")
TASKS = ("accounting_tasks_per_day", "PLEX1/CSQ1")
HOUR = between(START, START + timedelta(hours=1))
RECORD_BYTES = 8_324
"""What MP16 states of a transaction with class 3 and two queues."""


def per_day(total_bytes: int) -> float:
    return 24 * total_bytes / 2**20


def test_a_task_with_two_queues_has_the_bytes_of_mp16() -> None:
    found = sections(
        section_wtid=[{"wtidlen": 208, **HOUR}],
        section_wtas=[{"wtaslen": 2_344, **HOUR}],
        section_wqst=[{"wqll": 2_792, "section_index": index, **HOUR} for index in range(2)],
    )
    assert levels(accounting_volume(found)) == {
        SERIES: [pytest.approx(per_day(RECORD_BYTES))],
        TASKS: [24],
    }


def test_a_record_of_channels_has_one_head_and_each_of_its_sections() -> None:
    channels = [{"qcstll": 324, "section_index": index, **HOUR} for index in range(3)]
    assert levels(accounting_volume(sections(section_qcst=channels))) == {
        SERIES: [pytest.approx(per_day(112 + 3 * 324))]
    }


def test_bytes_of_two_hours_are_divided_and_none_is_lost() -> None:
    long = between(START, START + timedelta(hours=2))
    found = sections(section_wtas=[{"wtaslen": 2_345, **long}, {"wtaslen": 10, **HOUR}])
    of_bytes = accounting_volume(found).filter(pl.col("metric") == SERIES[0])
    rows = records(of_bytes, "interval_start_utc")
    assert [row.amount for row in rows] == [1_172 + 10, 1_173]


def test_cpu_of_tasks_and_queues_is_divided_among_the_hours_of_the_task() -> None:
    two_hours = between(START, START + timedelta(hours=2))
    idle = dict.fromkeys((*OF_TASK, *OF_QUEUE), 0.0)
    tasks = [
        {**idle, "wtasotct": 36e6, "wtascmct": 18e6, "wtasbact": 18e6, **two_hours},
        {**idle, "wtaswqct": 1},
    ]
    queues = [
        {**idle, "basename": "A", "getct": 36e6, "putct": 36e6, **two_hours},
        {**idle, "basename": "B", "put1ct": 18e6},
    ]
    rows = accounting.call_cpu(sections(section_wtas=tasks, section_wqst=queues))
    # 72 + 72 s over two hours, and 18 s in the first
    assert levels(rows) == {("call_cpu_pct", "PLEX1/CSQ1"): [2.5, 2.0]}


CSQ1 = "PLEX1/CSQ1"
WORDS = 5 * 20 * 5
"""Numbers of MQCFREQ: verbs, types of requests, figures of each."""


def requests(**words: int) -> str:
    """MQCFREQ as hex; words by ``verb_type_place``."""
    numbers = [0] * WORDS
    for name, number in words.items():
        verb, kind, place = (int(part) for part in name.lstrip("w").split("_"))
        numbers[(verb * 20 + kind) * 5 + place] = number
    return "".join(f"{number:08X}" for number in numbers)


def test_skips_are_divided_by_all_gets_of_all_tasks() -> None:
    rows = [
        {"getn": 10, "getsmsg": 500},
        {"getn": 30, "getsmsg": 0},
        {"basename": "A", "getn": 0, "getsmsg": 0},
    ]
    assert levels(task_requests(sections(section_wqst=rows))) == {("skips_per_get", CSQ1): [12.5]}


def test_opens_of_shared_queues_go_to_the_cf_unless_they_are_counted_as_without() -> None:
    rows = [
        {"cfstrucname": "APPL1", "openn": 30, "opencf0": 20},
        {"cfstrucname": "APPL2", "openn": 10, "opencf0": 10},
        {"cfstrucname": " ", "openn": 999},
    ]
    assert levels(task_requests(sections(section_wqst=rows))) == {("opens_at_cf_pct", CSQ1): [25]}


def test_requests_of_opens_beyond_those_asked_for_are_retries_of_all_sent() -> None:
    sent = requests(w0_0_0=60, w0_0_1=70, w0_13_0=20, w0_13_3=30, w1_0_1=999, w0_0_2=888)
    rows = [
        {"cfstrucname": "APPL1", "mqcfreq": sent},
        {"cfstrucname": " ", "mqcfreq": requests(w0_0_1=5)},
    ]
    assert levels(task_requests(sections(section_wqst=rows))) == {
        ("cf_open_retries_pct", CSQ1): [20.0]
    }


def test_a_count_above_what_was_sent_is_no_retry() -> None:
    rows = [{"cfstrucname": "APPL1", "mqcfreq": requests(w0_5_0=9, w0_5_1=8)}]
    assert levels(task_requests(sections(section_wqst=rows))) == {
        ("cf_open_retries_pct", CSQ1): [0.0]
    }


def test_a_task_of_two_hours_has_half_of_its_gets_in_each() -> None:
    both = between(START, START + timedelta(hours=2))
    rows = [{"getn": 20, "getsmsg": 20, **both}, {"getn": 10, "getsmsg": 0}]
    assert levels(task_requests(sections(section_wqst=rows))) == {
        ("skips_per_get", CSQ1): [0.5, 1.0]
    }


UNITS_OF_WORK = ("uow_messages_count", "PLEX1/CSQ1")


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
    assert levels(rows) == {UNITS_OF_WORK: [200.0]}


def test_a_task_counts_in_each_hour_that_it_touches() -> None:
    long = {"record_hash": 1, **between(START, START + timedelta(hours=2))}
    tasks = [{"wtascmn": 2, "wtasban": 0, **long}, {"record_hash": 2, "wtascmn": 1, "wtasban": 0}]
    queues = [
        {"validput": 10, "validget": 0, **long},
        {"record_hash": 2, "validput": 7, "validget": 0},
    ]
    rows = units_of_work(sections(section_wtas=tasks, section_wqst=queues))
    assert levels(rows) == {UNITS_OF_WORK: [7.0, 5.0]}
