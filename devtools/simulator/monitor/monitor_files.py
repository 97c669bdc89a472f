"""Files of the monitors that sample queue managers on z/OS."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import numpy as np

from devtools.simulator.monitor.data_provider import data_provider_lines
from devtools.simulator.monitor.monitor_kind import MonitorKind
from devtools.simulator.monitor.zos_answer import zos_answer
from devtools.simulator.mq_statistics import Slice
from devtools.simulator.queue_manager import SimulatedQueueManager
from devtools.simulator.timeline import NamedPeriod, day_number

FOLDER: Final = "monitors"


def write_samples(
    qmgr: SimulatedQueueManager, periods: Iterable[NamedPeriod], out_dir: Path
) -> Iterator[Path]:
    """Write a file per period into ``monitors/``; nothing for one that nobody samples."""
    kind = qmgr.spec.sampled_by
    if kind is None:
        return
    for period in periods:
        days = [day_number(period.first), day_number(period.last) + 1]
        low, high = np.searchsorted(qmgr.grid.local_day, days).tolist()
        if high <= low:
            continue
        part = Slice(qmgr, low, high)
        is_lines = kind is MonitorKind.omegamon
        suffix = "jsonl" if is_lines else "json"
        path = out_dir / FOLDER / f"{qmgr.sysplex}.{qmgr.spec.name}.{period.name}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data_provider_lines(part).encode() if is_lines else zos_answer(part))
        yield path
