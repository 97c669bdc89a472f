from __future__ import annotations

from spark_apps.metrics import channel_initiators
from tests.spark_apps.rows import levels, sections

CSQ1 = "PLEX1/CSQ1"
CHINIT = f"{CSQ1}/CHINIT"


def test_the_busiest_task_speaks_and_idle_adapters_are_not_used() -> None:
    tasks = [
        {"section_index": 0, "qctreqn": 9, "qcteltm": 60.0, "qctwttm": 40.0},
        {"section_index": 1, "qctreqn": 0, "qcteltm": 0.0, "qctwttm": 100.0},
    ]
    rows = channel_initiators.tasks(
        sections(section_qctdsp=tasks, section_qctadp=tasks, section_qctssl=tasks[:1])
    )
    assert levels(rows) == {
        ("chinit_dispatchers_count", CHINIT): [2.0],
        ("chinit_dispatcher_busy_pct", CHINIT): [60.0],
        ("chinit_adapters_count", CHINIT): [2.0],
        ("chinit_adapters_used_count", CHINIT): [1.0],
        ("chinit_ssltasks_count", CHINIT): [1.0],
        ("chinit_ssltask_busy_pct", CHINIT): [60.0],
    }
