"""Memory of 64-bit queues of z/TPF systems."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from spark_apps.catalogue import catalogue
from spark_apps.metrics import ztpf
from tests.spark_apps.rows import START, levels, sections

USED = ("tpf_mqm_used_pct", "TPFA/TPF1")
BLOCKS = ("tpf_mqm_in_use_blocks", "TPFA/TPF1")


def reported(at: datetime = START, file: str = "a", **values: float) -> list[dict[str, Any]]:
    figures = {"total": "mqm_total_blocks", "in_use": "mqm_in_use_blocks",
               "high": "mqm_high_water_blocks", "level": "sweep_level_pct"}  # fmt: skip
    common = {
        "site": "TPFA",
        "system": "TPF1",
        "queue": "",
        "reported_utc": at,
        "file_sha256": file,
    }
    return [{**common, "figure": figures[name], "value": each} for name, each in values.items()]


def found(*rows: dict[str, Any]) -> dict[tuple[str, str], list[float]]:
    return levels(ztpf.mqm(sections(ztpf_sample=list(rows))))


def test_shares_are_of_the_total_of_the_same_time() -> None:
    later = START + timedelta(minutes=5)
    first = reported(total=1_000.0, in_use=150.0, high=600.0, level=80.0)
    second = reported(later, total=2_000.0, in_use=150.0)
    assert found(*first, *second) == {
        USED: [15.0, 7.5],
        ("tpf_mqm_high_water_pct", "TPFA/TPF1"): [60.0],
        BLOCKS: [150.0, 150.0],
        ("tpf_mqm_high_water_blocks", "TPFA/TPF1"): [600.0],
        ("tpf_mqm_blocks", "TPFA/TPF1"): [1_000.0, 2_000.0],
        ("tpf_mqm_sweep_level_pct", "TPFA/TPF1"): [80.0],
    }


def test_without_a_total_there_is_no_share() -> None:
    assert found(*reported(in_use=150.0)) == {BLOCKS: [150.0]}
    assert USED not in found(*reported(in_use=0.0, total=0.0))


def test_a_time_that_display_and_table_have_counts_once() -> None:
    rows = [
        *reported(in_use=150.0, total=1_000.0),
        *reported(file="b", in_use=150.0, total=1_000.0),
    ]
    assert found(*rows)[USED] == [15.0]


def test_more_memory_is_no_fall_of_what_is_forecast() -> None:
    assert [each.name for each in catalogue()["ztpf.mqm"] if each.forecast] == [
        "tpf_mqm_in_use_blocks"
    ]
