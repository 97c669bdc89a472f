"""Intervals of records and hours, sites of samples, and which source counts."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, Final

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.units import MIB_BYTES
from spark_apps.metrics import site_figures
from spark_apps.read import file_schema
from spark_apps.site_figure_placement import SiteFigurePlacement
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
    hour_parts,
    interval_rows,
    path,
    seconds,
    storage_intervals,
    total,
    union,
    whole,
    whole_hours,
)
from spark_apps.transforms.samples import placed_site_samples
from spark_apps.transforms.site_midnights import SiteDays, begins_within_hours, with_local_date
from tests.spark_apps.rows import HALF_HOUR, START, at, between, frame, levels, records

SUBJECT = ("sysplex", "qmgr")
HOUR: Final = timedelta(hours=1)
PLACE = SiteFigurePlacement(
    frozenset({"EAST"}), {"pool": "site_pool", "cpu": "cpu"}, {"pool": "%", "cpu": "%"}, {"cpu": 60}
)
POOL = {"subject": "EAST/mq1", "figure": "pool", "unit": "%", "step_seconds": 300.0, "value": 7.0}


def qjst(**row: Any) -> pl.LazyFrame:
    return frame("section_qjst", [row])


def numbers_of(*figures: float | None) -> pl.LazyFrame:
    return pl.LazyFrame({"figure": list(figures)}, schema={"figure": pl.Float64})


def value(rows: pl.LazyFrame, expression: pl.Expr) -> Any:
    """What the first row has."""
    return rows.select(expression).collect().row(0)[0]


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
    ratio = highest_ratio(pl.col("figure") + 2, "figure")
    assert value(numbers_of(0.0, 2.0, 4.0), ratio) == 2.0
    assert value(numbers_of(0.0), ratio) is value(numbers_of(2.0, None), ratio) is None


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
    [row] = records(interval_rows(qjst(qjstbffl=900), path(*SUBJECT), counter))
    assert (row.metric, row.subject) == ("growth", "PLEX1/CSQ1")
    assert (row.level, row.amount, row.amount_per_unit) == (0.5, 900 * MIB_BYTES, MIB_BYTES)
    assert row.interval_start_utc == START
    assert row.interval_end_utc == START + HALF_HOUR


def test_a_figure_that_is_null_has_no_row_and_zero_has_one() -> None:
    figures = [
        kind(f"{column} {kind.__name__}", column)
        for column in ("qjstwtb", "qjstbffl")
        for kind in (Gauge, Counter)
    ]
    rows = interval_rows(qjst(qjstbffl=0), path(*SUBJECT), *figures)
    found = {row.metric: row.level for row in records(rows)}
    assert found == {"qjstbffl Gauge": 0.0, "qjstbffl Counter": 0.0}
    assert tuple(rows.collect_schema()) == INTERVAL_COLUMNS


@pytest.mark.parametrize("length", [timedelta(0), timedelta(seconds=-1)])
def test_a_counter_of_no_time_has_no_rate(length: timedelta) -> None:
    row = qjst(qjstbffl=5, **between(START, START + length))
    rows = interval_rows(row, path(*SUBJECT), Counter("c", pl.col("qjstbffl")))
    assert records(rows) == []


def test_frames_are_joined_with_every_row_of_each() -> None:
    first, second = (pl.LazyFrame({"number": [number]}) for number in (1, 2))
    assert [row.number for row in records(union(first, second, first))] == [1, 2, 1]


def test_tasks_that_overlap_cover_their_hours_once_and_lose_no_count() -> None:
    first, second = at("2025-03-10 13:00"), at("2025-03-10 14:00")
    third = at("2025-03-10 15:00")
    rows = [
        ("PLEX1", "CSQ1", first, third, 5),
        ("PLEX1", "CSQ1", at("2025-03-10 13:10"), at("2025-03-10 13:20"), 7),
    ]
    names = ("sysplex", "qmgr", "interval_start_utc", "interval_end_utc", "amount")
    parts = hour_parts(pl.LazyFrame(rows, schema=names, orient="row"))
    hours = records(whole_hours(parts, pl.col("amount").sum().alias("counted")), "hour_us")
    found = [(row.interval_start_utc, row.interval_end_utc, row.counted) for row in hours]
    assert found == [(first, second, 2 + 7), (second, third, 3)]


def ends(events: Sequence[dict[str, Any]]) -> list[float]:
    """The end of each interval in hours, in order of its start."""
    rows = records(storage_intervals(frame("console_event", events)), "interval_start_utc", "text")
    return [(row.interval_end_utc - START) / HOUR for row in rows]


def at_hour(hours: float, **changed: Any) -> dict[str, Any]:
    return {"event_utc": START + hours * HOUR, **changed}


@pytest.mark.parametrize(
    ("gap_hours", "end_hours"), [(0.25, 0.25), (1.999, 1.999), (2.0, 2.0), (2.001, 1.0)]
)
def test_a_value_holds_until_the_next_message_within_two_hours_else_to_its_hour(
    gap_hours: float, end_hours: float
) -> None:
    assert ends([at_hour(0), at_hour(gap_hours)])[0] == end_hours


@pytest.mark.parametrize(("minutes", "end_hours"), [(0, 1.0), (1, 1.0), (59, 1.0), (60, 2.0)])
def test_the_last_value_holds_to_the_end_of_its_utc_hour(minutes: int, end_hours: float) -> None:
    assert ends([at_hour(minutes / 60)]) == [end_hours]


@pytest.mark.parametrize(
    "other", [{"qmgr": "CSQ2"}, {"sysplex": "PLEX2"}, {"message_id": "CSQJ001I"}]
)
def test_another_queue_manager_or_message_ends_no_interval(other: dict[str, Any]) -> None:
    assert ends([at_hour(0), at_hour(0.5, **other)])[0] == 1.0


def test_of_two_messages_at_one_instant_only_the_last_holds() -> None:
    assert ends([at_hour(0, text="a"), at_hour(0, text="b")]) == [0, 1.0]


@pytest.mark.parametrize(
    ("zone", "is_within"),
    [
        ("UTC", False),
        ("America/Chicago", False),
        ("Asia/Kolkata", True),
        ("Asia/Kathmandu", True),
        ("Australia/Lord_Howe", True),
    ],
)
def test_zones_with_parts_of_hours_are_known(zone: str, is_within: bool) -> None:
    assert begins_within_hours(zone) is is_within


@pytest.mark.parametrize(
    ("zone", "day", "begin", "end"),
    [
        ("UTC", "2026-07-09", "07-09 00:00", "07-10 00:00"),
        ("America/New_York", "2026-07-09", "07-09 04:00", "07-10 04:00"),
        ("America/New_York", "2026-03-08", "03-08 05:00", "03-09 04:00"),
        ("America/New_York", "2026-11-01", "11-01 04:00", "11-02 05:00"),
        ("Asia/Kolkata", "2026-07-09", "07-08 18:30", "07-09 18:30"),
        ("America/Havana", "2026-03-08", "03-08 05:00", "03-09 04:00"),
        ("America/Havana", "2026-11-01", "11-01 04:00", "11-02 05:00"),
    ],
    ids=["no zone", "summer", "23 hours", "25 hours", "half hour", "no midnight", "two midnights"],
)
def test_a_local_date_is_an_interval_of_its_zone(zone: str, day: str, begin: str, end: str) -> None:
    frame = pl.LazyFrame({"site": ["EAST", "WEST"], "local_date": [day, day]})
    here, other = records(with_local_date(frame, SiteDays({"EAST": zone}, "Asia/Tokyo")))
    found = [f"{each:%m-%d %H:%M}" for each in (here.interval_start_utc, here.interval_end_utc)]
    assert found == [begin, end]
    assert f"{other.interval_start_utc:%H:%M}" == "15:00"


def found(
    *rows: dict[str, object], place: SiteFigurePlacement = PLACE
) -> dict[tuple[str, str], list[float]]:
    values = [{"reported_utc": START, **POOL, **row} for row in rows]
    frame = pl.LazyFrame(values, schema=file_schema("site_sample"))
    placed = placed_site_samples(frame, place)
    return levels(site_figures.intervals(Sections({"site_sample": placed})))


def test_what_is_not_declared_or_placed_or_of_another_unit_is_none() -> None:
    others: tuple[dict[str, object], ...] = (
        {"figure": "x"},
        {"subject": "WEST/mq1"},
        {"unit": "MiB"},
        {"step_seconds": None},
    )
    assert found(*others, {"unit": "", "value": 9.0}) == {("site_pool", "EAST/mq1"): [9.0]}
    assert found({}, place=SiteFigurePlacement(frozenset({"EAST"}))) == {}
