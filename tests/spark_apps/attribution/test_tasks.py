"""Log, messages and CPU are divided by the names of tasks."""

from __future__ import annotations

import pytest

from spark_apps.metrics.accounting import OF_QUEUE, OF_TASK
from tests.spark_apps.attribution.parts import parts_of, values

IDLE = dict.fromkeys((*OF_TASK, *OF_QUEUE), 0.0)


@pytest.mark.thorough
def test_tasks_are_parts_by_application_user_channel_and_connection() -> None:
    tasks = [
        {"record_hash": 1, "wtidccn": "PAYJOB", "wtidopid": "PAY", "wtidchl": "", "wtidchlc": ""},
        {"record_hash": 2, "wtidccn": "CSQ1CHIN", "wtidopid": "CHI", "wtidchl": "A.TO.B",
         "wtidchlc": "10.0.0.1"},
    ]  # fmt: skip
    figures = [
        {"record_hash": 1, "wtaswqct": 1, "wtasjwb": 471_859_200, **IDLE, "wtasotct": 18_000_000.0},
        {"record_hash": 2, "wtaswqct": 0, "wtasjwb": 943_718_400, **IDLE, "wtascmct": 9_000_000.0},
    ]
    queues = [
        {
            "record_hash": 1,
            "basename": "PAY.IN",
            "putn": 90,
            "put1n": 0,
            **IDLE,
            "putct": 9_000_000.0,
        }
    ]
    rows = parts_of(
        section_wtid=tasks,
        section_wtas=figures,
        section_wqst=queues,
        section_qjst=[{"qjstbffl": 460_800}],
    )
    log = values(rows, "log_growth_mib_per_s")
    assert log["application", "application", "PAYJOB"] == 0.25
    assert log["user", "user", "CHI"] == 0.5
    assert log["channel", "channel", "A.TO.B"] == 0.5
    assert log["channel", "other", "no channel"] == 0.25
    assert log["connection", "connection", "10.0.0.1"] == 0.5
    cpu = values(rows, "call_cpu_pct")
    assert cpu["", "whole", ""] == 1.0  # 36 s in the hour that the tasks touch
    assert cpu["application", "application", "PAYJOB"] == 0.75
    assert cpu["queue", "queue", "PAY.IN"] == 0.25
