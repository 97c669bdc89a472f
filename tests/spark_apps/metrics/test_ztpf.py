"""z/TPF systems: memory, queues and sweeps by local date."""

from datetime import datetime, timedelta
from typing import Any

import polars as pl

from spark_apps.catalogue import catalogue
from spark_apps.metrics import ztpf
from tests.spark_apps.rows import START, between, levels, sections

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


MIB = 2.0**20


def of_queue(queue: str, figure: str, value: float) -> dict[str, object]:
    return {"system": "TPF1", "queue": queue, "figure": figure, "value": value}


def test_each_queue_has_its_series() -> None:
    rows = [
        of_queue("A/B", "queue_depth_count", 7.0),
        of_queue("A/B", "queue_mqm_blocks", 12.0),
        of_queue("A/B", "queue_swb_count", 0.0),
    ]
    assert levels(ztpf.queues(sections(ztpf_sample=rows))) == {
        ("tpf_queue_depth_count", "EAST/TPF1/A%2FB"): [7.0],
        ("tpf_queue_mqm_blocks", "EAST/TPF1/A%2FB"): [12.0],
        ("tpf_queue_swb_count", "EAST/TPF1/A%2FB"): [0.0],
    }


def test_what_is_put_is_that_of_all_queues() -> None:
    rows = [of_queue(name, "queue_put_bytes_per_s", MIB) for name in ("A", "B", "C")]
    made = levels(ztpf.queues(sections(ztpf_sample=rows)))
    assert made == {("tpf_put_mib_per_s", "EAST/TPF1"): [3.0]}
    rows.append(of_queue("D", "queue_depth_count", 5.0))
    partly = levels(ztpf.queues(sections(ztpf_sample=rows)))
    assert partly == {("tpf_queue_depth_count", "EAST/TPF1/D"): [5.0]}


def test_figures_of_a_system_are_none_of_a_queue_and_the_other_way_round() -> None:
    system = sections(ztpf_sample=[of_queue("", "mqm_in_use_blocks", 5.0)])
    assert levels(ztpf.queues(system)) == {}
    queue = sections(ztpf_sample=[of_queue("A", "queue_mqm_blocks", 5.0)])
    assert levels(ztpf.mqm(queue)) == {}


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
