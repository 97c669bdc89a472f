"""Kinds of monitors and the readers of their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from devtools.simulator.generate import periods_of
from devtools.simulator.monitor.monitor_files import write_samples
from devtools.simulator.monitor.monitor_kind import MonitorKind
from mqcap.ingest.registry import source_for
from tests.devtools.simulator.builders import ANCHOR, queue_manager

SOURCES = {MonitorKind.omegamon: "omegamon", MonitorKind.mq_prometheus: "prometheus"}


@pytest.mark.parametrize("kind", MonitorKind)
def test_the_file_of_each_kind_is_read_by_its_reader(kind: MonitorKind, tmp_path: Path) -> None:
    made = queue_manager(1, sampled_by=kind)
    [path] = write_samples(made, periods_of(ANCHOR, ANCHOR, 1), tmp_path)
    assert source_for(path).name == SOURCES[kind]
