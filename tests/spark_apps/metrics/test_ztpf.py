"""z/TPF systems: memory, queues and sweeps by local date."""

from datetime import datetime, timedelta
from typing import Any

from spark_apps.catalogue import catalogue
from spark_apps.metrics import ztpf
from tests.spark_apps.rows import START, between, figures, levels, sections


def reported(file: str = "a", **values: float) -> list[dict[str, Any]]:
    names = {"total": "mqm_total_blocks", "in_use": "mqm_in_use_blocks"}
    common = {"site": "TPFA", "system": "TPF1", "queue": "", "file_sha256": file}
    return [{**common, "figure": names[name], "value": value} for name, value in values.items()]


def found(*rows: dict[str, Any]) -> dict[str, Any]:
    return figures(ztpf.mqm, "TPFA/TPF1", ztpf_sample=list(rows))


def test_without_a_total_there_is_no_share() -> None:
    assert found(*reported(in_use=150.0)) == {"tpf_mqm_in_use_blocks": 150.0}
    assert "tpf_mqm_used_pct" not in found(*reported(in_use=0.0, total=0.0))


def test_a_time_that_display_and_table_have_counts_once() -> None:
    rows = [row for file in "ab" for row in reported(file, in_use=150.0, total=1_000.0)]
    assert found(*rows)["tpf_mqm_used_pct"] == 15.0


def test_more_memory_is_no_fall_of_what_is_forecast() -> None:
    forecast = [metric.name for metric in catalogue()["ztpf.mqm"] if metric.forecast]
    assert forecast == ["tpf_mqm_in_use_blocks"]


MIB = 2.0**20


def of_queue(queue: str, figure: str, value: float) -> dict[str, object]:
    return {"system": "TPF1", "queue": queue, "figure": figure, "value": value}


def test_each_queue_has_its_series() -> None:
    told = {"queue_depth_count": 7.0, "queue_mqm_blocks": 12.0, "queue_swb_count": 0.0}
    rows = [of_queue("A/B", figure, value) for figure, value in told.items()]
    found = figures(ztpf.queues, "EAST/TPF1/A%2FB", ztpf_sample=rows)
    assert found == {f"tpf_{figure}": value for figure, value in told.items()}


def test_what_is_put_is_that_of_all_queues() -> None:
    rows = [of_queue(name, "queue_put_bytes_per_s", MIB) for name in ("A", "B", "C")]
    found = figures(ztpf.queues, "EAST/TPF1", ztpf_sample=rows)
    assert found == {"tpf_put_mib_per_s": 3.0}
    rows.append(of_queue("D", "queue_depth_count", 5.0))
    partly = figures(ztpf.queues, "EAST/TPF1/D", ztpf_sample=rows)
    assert partly == {"tpf_queue_depth_count": 5.0}


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


def test_each_sweep_counts_once_for_its_queue_and_its_system() -> None:
    sweeps = [sweep("00.00.01"), sweep("00.00.02"), sweep("00.00.01", "A/b%")]
    again = [sweep("00.00.01", file="b"), sweep("00.00.03", day=START + DAY, file="b")]
    assert levels(ztpf.sweeps(sections(ztpf_sweep=[*sweeps, *again]))) == {
        ("tpf_sweep_count", "TPFA/TPF1/RES.IN"): [2.0, 1.0],
        ("tpf_sweep_count", "TPFA/TPF1/A%2Fb%25"): [1.0],
        ("tpf_system_sweep_count", "TPFA/TPF1"): [3.0, 1.0],
    }
