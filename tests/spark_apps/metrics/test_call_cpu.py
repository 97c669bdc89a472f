from __future__ import annotations

from datetime import timedelta

from spark_apps.metrics import accounting
from spark_apps.metrics.accounting import OF_QUEUE, OF_TASK
from tests.spark_apps.rows import START, between, levels, sections


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
