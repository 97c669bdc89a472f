"""Queues of z/TPF systems."""

from __future__ import annotations

from spark_apps.metrics import ztpf
from tests.spark_apps.rows import levels, sections

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
