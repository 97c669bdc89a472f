"""Files of monitors: one for each day, named as the dumps are."""

from __future__ import annotations

from pathlib import Path

import pytest

from devtools.simulator.generate import periods_of
from devtools.simulator.monitor.monitor_files import write_samples
from devtools.simulator.monitor.monitor_kind import MonitorKind
from tests.devtools.simulator.builders import ANCHOR, queue_manager


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (None, []),
        (MonitorKind.omegamon, ["PLEXA.MQA1.2026-03-16.jsonl"]),
        (MonitorKind.mq_prometheus, ["PLEXA.MQA1.2026-03-16.json"]),
    ],
)
def test_each_kind_of_monitor_has_its_files(
    tmp_path: Path, kind: MonitorKind | None, names: list[str]
) -> None:
    made = queue_manager(1, sampled_by=kind)
    files = list(write_samples(made, periods_of(ANCHOR, ANCHOR, 1), tmp_path))
    assert [path.relative_to(tmp_path).as_posix() for path in files] == [
        f"monitors/{name}" for name in names
    ]


def test_days_before_the_first_start_have_no_file(tmp_path: Path) -> None:
    made = queue_manager(9, sampled_by=MonitorKind.omegamon, first_day_offset=-1)
    days = periods_of(ANCHOR.replace(day=10), ANCHOR, 7)
    assert [path.name for path in write_samples(made, days, tmp_path)] == [
        "PLEXA.MQA1.2026-03-15.jsonl",
        "PLEXA.MQA1.2026-03-16.jsonl",
    ]
