"""Samples of distributed queue managers as interval rows."""

from datetime import datetime, timedelta
from typing import Any

import polars as pl
import pytest

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from spark_apps.digests import DistributedPlacement
from spark_apps.read import file_schema
from spark_apps.transforms.intervals import INTERVAL_COLUMNS
from spark_apps.transforms.samples import amounts, counted_once, part, placed_samples
from tests.spark_apps.rows import START, intervals_of, records, samples

PLACE = DistributedPlacement({"QM1": "EAST"}, {"EAST": 300.0}, {("EAST", "mq.1"): "mq-1"})


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def once(*rows: tuple[float, float, float, int | None]) -> list[Any]:
    """Begin, end, level and amount of what counts, in minutes."""
    values = [
        ("m", "EAST/QM1", at(start), at(end), float(level), amount, 1.0)
        for start, end, level, amount in rows
    ]
    counted = counted_once(intervals_of(*values))
    assert tuple(counted.collect_schema()) == INTERVAL_COLUMNS
    return [
        (*minutes(row), row.level, row.amount) for row in records(counted, "interval_start_utc")
    ]


def minutes(row: Any) -> list[float]:
    """Begin and end of a row after the first moment."""
    ends = (row.interval_start_utc, row.interval_end_utc)
    return [(moment - START).total_seconds() / 60 for moment in ends]


def test_a_moment_belongs_to_the_figure_that_is_told_next() -> None:
    fine = [(minute, minute + 1, minute, None) for minute in range(1, 5)]
    coarse = (0, 5, 4, None)
    assert once(*fine, coarse) == fine


def test_an_amount_is_cut_in_proportion() -> None:
    assert once((0, 4, 1, 240), (2, 8, 2, 720)) == [(0, 4, 1, 240), (4, 8, 2, 480)]


def test_a_row_without_length_counts_nothing() -> None:
    assert once((0, 0, 7, None), (5, 0, 7, None)) == []


def rates(*rows: dict[str, Any]) -> list[Any]:
    """Begin and end in minutes, and rate a second, of puts."""
    made = samples(*({"figure": "put_count", **row} for row in rows))
    counted = amounts(made, QmgrFigure.put_count, "mq_put_per_s", 1.0)
    return [(*minutes(row), row.level) for row in records(counted, "interval_end_utc")]


@pytest.mark.parametrize(("step", "count"), [(60.0, 1), (300.0, 1), (301.0, 0)])
def test_a_scrape_counts_for_the_interval_of_scrapes_unless_some_are_missing(
    step: float, count: int
) -> None:
    found = rates({"reading": "scrape", "value": 600.0, "step_seconds": step})
    assert found == [(-5, 0, 2.0)] * count


def test_a_delta_counts_for_its_own_interval() -> None:
    delta = {"reading": "delta", "value": 600.0, "step_seconds": 60.0}
    assert rates(delta) == [(-1, 0, 10.0)]


@pytest.mark.parametrize(("minutes", "count"), [(5.0, 1), (7.5, 1), (7.6, 0)])
def test_a_counter_counts_between_neighbours(minutes: float, count: int) -> None:
    first = {"reading": "counter", "value": 100.0}
    second = {"reading": "counter", "value": 400.0, "reported_utc": at(minutes)}
    assert len(rates(first, second)) == count


@pytest.mark.parametrize(
    "values", [(900.0, 0.0, 300.0), (0.0, 2.0**50, 2.0**50 + 300)], ids=["falls", "jumps"]
)
def test_a_counter_that_falls_or_jumps_by_too_much_is_left_out_and_counts_from_there(
    values: tuple[float, ...],
) -> None:
    reported = [
        {"reading": "counter", "value": value, "reported_utc": at(5 * number)}
        for number, value in enumerate(values)
    ]
    assert rates(*reported) == [(5, 10, 1.0)]


def test_two_counters_are_not_subtracted_and_count_once() -> None:
    reported = [
        {"reading": "counter", "value": float(value), "reported_utc": at(minute), "object": name}
        for name, minute, value in (("a", 0, 0), ("a", 5, 300), ("b", 0, 9_000), ("b", 5, 9_300))
    ]
    assert rates(*reported) == [(0, 5, 1.0)]


def placed(place: DistributedPlacement, **values: Any) -> list[tuple[Any, ...]]:
    row = {
        "qmgr": "QM1", "host": "mq.1", "object": "", "figure": "put_count", "reading": "gauge",
        "reported_utc": START, "step_seconds": None, "value": 1.0, "file_sha256": "a", **values,
    }  # fmt: skip
    frame = pl.LazyFrame([row], schema=file_schema("qmgr_sample"))
    return placed_samples(frame, place).select("site", "host", "step_seconds").collect().rows()


def test_a_sample_is_placed_with_the_true_name_of_its_host_and_the_step_of_scrapes() -> None:
    assert placed(PLACE) == [("EAST", "mq-1", 300.0)]
    assert placed(PLACE, step_seconds=60.0) == [("EAST", "mq-1", 60.0)]
    assert placed(PLACE, host="other") == [("EAST", "other", 300.0)]


def test_a_queue_manager_of_no_place_has_no_figures() -> None:
    assert placed(PLACE, qmgr="qm1") == []
    assert placed(DistributedPlacement()) == []


def test_a_name_is_escaped_as_in_the_domain() -> None:
    names = pl.LazyFrame({"name": ["a/b%c"]})
    assert names.select(part("name")).collect().rows() == [("a%2Fb%25c",)]
