"""Queues below the floor of their site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import pytest

from mqcap.domain.estate import Estate
from mqcap.steps.daily_roll_up import without_low_queues

DEPTH, FILE = "mq_queue_depth_used_pct", "mq_queue_file_used_pct"
PUTS, COUNT = "mq_queue_put_per_s", "mq_queue_depth_count"
KINDS = {
    **dict.fromkeys((DEPTH, FILE, PUTS, COUNT), "distributed_queue"),
    "mq_connection_count": "distributed_queue_manager",
}
FLOOR = {"used_pct": 5, "put_per_s": 2}


def estate(floor: Mapping[str, float] | None = None, **qmgr: Any) -> Estate:
    site = {"site": "EAST", "qmgrs": [{"name": "QM1", **qmgr}], "queue_floor": floor}
    return Estate.model_validate({"places": [site, {"site": "WEST"}]})


def kept(
    *rows: tuple[str, str, float],
    known: Estate | None = None,
    reached: frozenset[str] = frozenset(),
) -> tuple[list[str], list[str]]:
    """Subjects that stay, and what is reported, of rows with metric, queue and peak."""
    daily = pd.DataFrame(
        [(metric, f"EAST/QM1/{queue}", peak) for metric, queue, peak in rows],
        columns=["metric", "subject", "peak"],
    )
    place = estate(FLOOR) if known is None else known
    stay, told = without_low_queues(daily, KINDS, place, lambda _: set(reached))
    return [subject.removeprefix("EAST/QM1/") for subject in stay["subject"]], told


@pytest.mark.parametrize(("metric", "least"), [(DEPTH, 5.0), (FILE, 5.0), (PUTS, 2.0)])
@pytest.mark.parametrize(("factor", "stays"), [(0.99, False), (1.0, True), (1.01, True)])
def test_a_queue_that_reaches_the_floor_has_its_series(
    metric: str, least: float, factor: float, stays: bool
) -> None:
    rows = ((metric, "A", least * factor), (COUNT, "A", 7.0))
    assert kept(*rows)[0] == (["A", "A"] if stays else [])


def test_what_stays_has_all_of_its_days() -> None:
    assert kept((DEPTH, "A", 1.0), (DEPTH, "A", 9.0), (DEPTH, "B", 1.0))[0] == ["A", "A"]


def test_a_queue_that_reached_the_floor_earlier_keeps_its_series() -> None:
    assert kept((DEPTH, "A", 1.0), reached=frozenset({"EAST/QM1/A"}))[0] == ["A"]


def test_a_listed_queue_has_its_series_whatever_it_holds() -> None:
    known = estate(FLOOR, queues=[{"name": "A/B"}])
    assert kept((DEPTH, "A%2FB", 1.0), (DEPTH, "A", 1.0), known=known)[0] == ["A%2FB"]


def test_of_what_is_not_known_nothing_is_left_out() -> None:
    assert kept((COUNT, "A", 7.0), ("mq_connection_count", "", 1.0)) == (["A", ""], [])
    only_share = estate({"used_pct": 5})
    assert kept((PUTS, "A", 0.0), known=only_share)[0] == ["A"]


@pytest.mark.parametrize("known", [estate(), Estate()])
def test_without_a_floor_every_queue_has_its_series(known: Estate) -> None:
    assert kept((DEPTH, "A", 0.0), known=known) == (["A"], [])


def test_what_is_left_out_is_counted_and_named() -> None:
    _, [sentence] = kept(*[(DEPTH, f"Q{number}", 1.0) for number in range(7)])
    assert sentence == (
        "EAST: 7 queues of 1 queue manager never reached queue_floor (5 % of MAXDEPTH or of the "
        "queue file or 2 puts/s) and have no series: QM1/Q0, QM1/Q1, QM1/Q2, QM1/Q3, QM1/Q4 and 2 "
        "more."
    )
    _, [sentence] = kept((PUTS, "A", 1.0), known=estate({"put_per_s": 2}))
    assert sentence.endswith("queue_floor (2 puts/s) and have no series: QM1/A.")


def test_a_floor_without_any_figure_is_refused() -> None:
    with pytest.raises(ValueError, match="expected used_pct, put_per_s or both"):
        estate({})
