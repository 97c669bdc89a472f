"""Metrics of accounting records, from their sections."""

from datetime import timedelta
from typing import Any

import polars as pl
import pytest

from spark_apps.metrics.accounting import (
    OF_QUEUE,
    OF_TASK,
    accounting_volume,
    call_cpu,
    task_requests,
    units_of_work,
)
from tests.spark_apps.rows import START, between, figures, records, sections

CSQ1 = "PLEX1/CSQ1"
HOUR = between(START, START + timedelta(hours=1))
TWO_HOURS = between(START, START + timedelta(hours=2))
RECORD_BYTES = 8_324
"""What MP16 states of a transaction with class 3 and two queues."""
WORDS = 5 * 20 * 5
"""Numbers of MQCFREQ: verbs, types of requests, figures of each."""


def test_a_task_with_two_queues_has_the_bytes_of_mp16() -> None:
    assert figures(
        accounting_volume,
        CSQ1,
        section_wtid=[{"wtidlen": 208, **HOUR}],
        section_wtas=[{"wtaslen": 2_344, **HOUR}],
        section_wqst=[{"wqll": 2_792, "section_index": index, **HOUR} for index in range(2)],
    ) == {
        "accounting_mib_per_day": pytest.approx(24 * RECORD_BYTES / 2**20),
        "accounting_tasks_per_day": 24,
    }


def test_a_record_of_channels_has_one_head_and_each_of_its_sections() -> None:
    channels = [{"qcstll": 324, "section_index": index, **HOUR} for index in range(3)]
    expected = {"accounting_mib_per_day": pytest.approx(24 * (112 + 3 * 324) / 2**20)}
    assert figures(accounting_volume, CSQ1, section_qcst=channels) == expected


def test_bytes_of_two_hours_are_divided_and_none_is_lost() -> None:
    found = sections(section_wtas=[{"wtaslen": 2_345, **TWO_HOURS}, {"wtaslen": 10, **HOUR}])
    of_bytes = accounting_volume(found).filter(pl.col("metric") == "accounting_mib_per_day")
    assert [row.amount for row in records(of_bytes, "interval_start_utc")] == [1_172 + 10, 1_173]


def test_cpu_of_tasks_and_queues_is_divided_among_the_hours_of_the_task() -> None:
    idle = dict.fromkeys((*OF_TASK, *OF_QUEUE), 0.0)
    tasks = [
        {**idle, "wtasotct": 36e6, "wtascmct": 18e6, "wtasbact": 18e6, **TWO_HOURS},
        {**idle, "wtaswqct": 1},
    ]
    queues = [
        {**idle, "basename": "A", "getct": 36e6, "putct": 36e6, **TWO_HOURS},
        {**idle, "basename": "B", "put1ct": 18e6},
    ]
    # 72 + 72 s over two hours, and 18 s in the first
    found = figures(call_cpu, CSQ1, section_wtas=tasks, section_wqst=queues)
    assert found == {"call_cpu_pct": [2.5, 2.0]}


def requests(**words: int) -> str:
    """MQCFREQ as hex; words by ``verb_type_place``."""
    numbers = [0] * WORDS
    for name, number in words.items():
        verb, kind, place = (int(part) for part in name.lstrip("w").split("_"))
        numbers[(verb * 20 + kind) * 5 + place] = number
    return "".join(f"{number:08X}" for number in numbers)


SENT = requests(w0_0_0=60, w0_0_1=70, w0_13_0=20, w0_13_3=30, w1_0_1=999, w0_0_2=888)
APPL1 = {"cfstrucname": "APPL1"}
ELSEWHERE = {"cfstrucname": " "}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            [{"getn": 10, "getsmsg": 500}, {"getn": 30, "getsmsg": 0}, {"getn": 0, "getsmsg": 0}],
            {"skips_per_get": 12.5},
        ),
        (
            [{"getn": 20, "getsmsg": 20, **TWO_HOURS}, {"getn": 10, "getsmsg": 0}],
            {"skips_per_get": [0.5, 1.0]},
        ),
        (
            [{**APPL1, "openn": 40, "opencf0": 30}, {**ELSEWHERE, "openn": 999}],
            {"opens_at_cf_pct": 25},
        ),
        (
            [{**APPL1, "mqcfreq": SENT}, {**ELSEWHERE, "mqcfreq": requests(w0_0_1=5)}],
            {"cf_open_retries_pct": 20.0},
        ),
        ([{**APPL1, "mqcfreq": requests(w0_5_0=9, w0_5_1=8)}], {"cf_open_retries_pct": 0.0}),
    ],
    ids=[
        "skips are divided by all gets of all tasks",
        "a task of two hours has half of its gets in each",
        "opens of shared queues go to the CF unless they are counted as without",
        "requests of opens beyond those asked for are retries of all sent",
        "a count above what was sent is no retry",
    ],
)
def test_requests_of_tasks(rows: list[dict[str, Any]], expected: dict[str, Any]) -> None:
    assert figures(task_requests, CSQ1, section_wqst=rows) == expected


def test_the_task_with_most_messages_for_each_commit_or_back_out_counts() -> None:
    units = ((8, 2), (1, 0), (0, 0))
    messages = ((1, 1_500, 300), (1, 200, 0), (2, 0, 150), (3, 9_999, 0))
    tasks = [
        {"record_hash": number, "wtascmn": commits, "wtasban": back_outs}
        for number, (commits, back_outs) in enumerate(units, 1)
    ]
    queues = [
        {"record_hash": number, "validput": put, "validget": got} for number, put, got in messages
    ]
    found = figures(units_of_work, CSQ1, section_wtas=tasks, section_wqst=queues)
    assert found == {"uow_messages_count": 200.0}


def test_a_task_counts_in_each_hour_that_it_touches() -> None:
    long, short = {"record_hash": 1, **TWO_HOURS}, {"record_hash": 2}
    tasks = [{"wtascmn": 2, "wtasban": 0, **long}, {"wtascmn": 1, "wtasban": 0, **short}]
    queues = [{"validput": 10, "validget": 0, **long}, {"validput": 7, "validget": 0, **short}]
    found = figures(units_of_work, CSQ1, section_wtas=tasks, section_wqst=queues)
    assert found == {"uow_messages_count": [7.0, 5.0]}
