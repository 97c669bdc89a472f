"""Interval rows of gauges and counters."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.units import MIB_BYTES
from spark_apps.transforms.intervals import (
    INTERVAL_COLUMNS,
    Counter,
    Gauge,
    Sections,
    at_least_0,
    at_most,
    divided,
    highest,
    highest_ratio,
    interval_rows,
    numbered,
    path,
    seconds,
    total,
    union,
    whole,
)
from tests.spark_apps.rows import HALF_HOUR, START, between, frame, records

SUBJECT = ("sysplex", "qmgr")


def qjst(**row: Any) -> pl.LazyFrame:
    return frame("section_qjst", [row])


def numbers_of(*figures: float | None) -> pl.LazyFrame:
    return pl.LazyFrame({"figure": list(figures)}, schema={"figure": pl.Float64})


def value(rows: pl.LazyFrame, expression: pl.Expr) -> Any:
    """What the first row has."""
    return rows.select(expression).collect().row(0)[0]


def test_a_subject_is_its_parts_from_columns_and_expressions() -> None:
    pool = numbered("BP", "qjstwtb")
    assert value(qjst(qjstwtb=3), path(*SUBJECT, pool)) == "PLEX1/CSQ1/BP03"


def test_a_subject_of_which_a_part_is_null_is_none() -> None:
    assert value(qjst(qmgr=None), path(*SUBJECT, pl.lit("CHINIT"))) is None


@pytest.mark.parametrize(
    ("figure", "expected"),
    [(0.49999999999999994, 0), (0.5, 1), (1.5, 2), (2.5, 3), (-0.5, -1), (None, None)],
)
def test_halves_are_rounded_away_from_zero(figure: float | None, expected: int | None) -> None:
    assert value(numbers_of(figure), whole(pl.col("figure"))) == expected


@pytest.mark.parametrize(("made", "expected"), [(total, 3.0), (highest, 2.0)])
def test_of_a_group_with_an_absent_part_neither_sum_nor_highest_is_known(
    made: Callable[[str], pl.Expr], expected: float
) -> None:
    assert value(numbers_of(1.0, 2.0), made("figure")) == expected
    for absent in ((1.0, None, 2.0), (None,), ()):
        assert value(numbers_of(*absent), made("figure")) is None


def test_the_highest_ratio_is_of_parts_that_have_something_to_divide_by() -> None:
    figure = pl.col("figure")
    assert value(numbers_of(0.0, 2.0, 4.0), highest_ratio(figure + 2, figure)) == 2.0
    assert value(numbers_of(0.0), highest_ratio(figure + 2, figure)) is None
    assert value(numbers_of(2.0, None), highest_ratio(figure + 2, figure)) is None


def test_a_bound_of_a_figure_is_no_figure() -> None:
    assert value(numbers_of(None), at_most(pl.col("figure"), 100.0)) is None
    assert value(numbers_of(5.0), at_most(pl.lit(1.0), pl.col("figure"))) == 1.0
    assert value(numbers_of(None), at_most(pl.lit(1.0), pl.col("figure"))) is None
    assert value(numbers_of(None), at_least_0(pl.col("figure"))) is None
    assert value(numbers_of(-1.0), at_least_0(pl.col("figure"))) == 0.0


@given(st.integers(0, 10**15), st.sampled_from([3.0, 49.0, 60.0, 3_600.0, 1e6]))
def test_a_quotient_by_a_constant_is_rounded_as_any_other(figure: int, by: float) -> None:
    assert value(numbers_of(float(figure)), divided(pl.col("figure"), by)) == figure / by


def test_the_length_of_an_interval_keeps_fractions_of_a_second() -> None:
    end = START + timedelta(seconds=1, microseconds=500_001)
    assert value(qjst(**between(START, end)), seconds()) == 1.500001


def test_a_counter_is_its_amount_and_the_rate_of_it_in_the_unit() -> None:
    counter = Counter("growth", pl.col("qjstbffl") * MIB_BYTES, float(MIB_BYTES))
    [row] = records(interval_rows(qjst(qjstbffl=900), path(*SUBJECT), [counter]))
    assert (row.metric, row.subject) == ("growth", "PLEX1/CSQ1")
    assert (row.level, row.amount, row.amount_per_unit) == (0.5, 900 * MIB_BYTES, MIB_BYTES)
    assert row.interval_start_utc == START
    assert row.interval_end_utc == START + HALF_HOUR


def test_a_rate_per_hour_divides_by_hours() -> None:
    counter = Counter("waits", pl.col("qjstwtb"), 1 / 3_600)
    [row] = records(interval_rows(qjst(qjstwtb=90), path(*SUBJECT), [counter]))
    assert row.level == pytest.approx(180)


def test_a_gauge_has_a_level_and_no_amount() -> None:
    gauge = Gauge("buffers", pl.col("qjstwtb"))
    [row] = records(interval_rows(qjst(qjstwtb=7), path(*SUBJECT), [gauge]))
    assert (row.level, row.amount, row.amount_per_unit) == (7.0, None, None)


def test_a_figure_that_is_null_has_no_row_and_zero_has_one() -> None:
    figures: list[Gauge | Counter] = [
        Gauge("null gauge", pl.col("qjstwtb")),
        Counter("null counter", pl.col("qjstwtb")),
        Gauge("zero gauge", pl.col("qjstbffl")),
        Counter("zero counter", pl.col("qjstbffl")),
    ]
    rows = interval_rows(qjst(qjstbffl=0), path(*SUBJECT), figures)
    assert {row.metric: row.level for row in records(rows)} == {
        "zero gauge": 0.0,
        "zero counter": 0.0,
    }
    assert tuple(rows.collect_schema()) == INTERVAL_COLUMNS


@pytest.mark.parametrize("length", [timedelta(0), timedelta(seconds=-1)])
def test_a_counter_of_no_time_has_no_rate(length: timedelta) -> None:
    row = qjst(qjstbffl=5, **between(START, START + length))
    rows = interval_rows(row, path(*SUBJECT), [Counter("c", pl.col("qjstbffl"))])
    assert records(rows) == []


def test_frames_are_joined_with_every_row_of_each() -> None:
    first, second = (pl.LazyFrame({"number": [number]}) for number in (1, 2))
    assert [row.number for row in records(union([first, second, first]))] == [1, 2, 1]


def test_a_dataset_is_looked_up_by_its_name() -> None:
    rows = qjst()
    sections = Sections({"section_qjst": rows})
    assert sections["section_qjst"] is rows
    with pytest.raises(KeyError, match="section_qpst"):
        sections["section_qpst"]
