"""Sweeps of z/TPF systems by local date."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import polars as pl

from spark_apps.metrics import ztpf
from tests.spark_apps.rows import START, between, levels, sections

DAY = timedelta(days=1)


def sweep(
    time: str, queue: str = "RES.IN", day: datetime = START, file: str = "a"
) -> dict[str, Any]:
    return {"site": "TPFA", "system": "TPF1", "queue": queue, **between(day, day + DAY),
            "local_time": time, "file_sha256": file}  # fmt: skip


def rows(*sweeps: dict[str, Any]) -> pl.LazyFrame:
    return ztpf.sweeps(sections(ztpf_sweep=list(sweeps)))


def test_each_sweep_counts_once_for_its_queue_and_its_system() -> None:
    sweeps = [sweep("00.00.01"), sweep("00.00.02"), sweep("00.00.01", "A/b%")]
    again = [sweep("00.00.01", file="b"), sweep("00.00.03", day=START + DAY, file="b")]
    assert levels(rows(*sweeps, *again)) == {
        ("tpf_sweep_count", "TPFA/TPF1/RES.IN"): [2.0, 1.0],
        ("tpf_sweep_count", "TPFA/TPF1/A%2Fb%25"): [1.0],
        ("tpf_system_sweep_count", "TPFA/TPF1"): [3.0, 1.0],
    }
