"""Samples of site figures as intervals of their metrics."""

from __future__ import annotations

from datetime import timedelta

import polars as pl

from spark_apps.metrics import site_figures
from spark_apps.read import file_schema
from spark_apps.site_figure_placement import SiteFigurePlacement
from spark_apps.transforms.intervals import Sections
from spark_apps.transforms.samples import placed_site_samples
from tests.spark_apps.rows import START, levels

PLACE = SiteFigurePlacement(
    frozenset({"EAST"}), {"pool": "site_pool", "cpu": "cpu"}, {"pool": "%", "cpu": "%"}, {"cpu": 60}
)
POOL = {"subject": "EAST/mq1", "figure": "pool", "unit": "%", "step_seconds": 300.0, "value": 7.0}


def found(
    *rows: dict[str, object], place: SiteFigurePlacement = PLACE
) -> dict[tuple[str, str], list[float]]:
    values = [{"reported_utc": START, **POOL, **row} for row in rows]
    frame = pl.LazyFrame(values, schema=file_schema("site_sample"))
    placed = placed_site_samples(frame, place)
    return levels(site_figures.intervals(Sections({"site_sample": placed})))


def test_a_figure_is_a_series_of_its_metric() -> None:
    later = {"reported_utc": START + timedelta(seconds=300), "value": 8.0}
    assert found({}, later) == {("site_pool", "EAST/mq1"): [7.0, 8.0]}


def test_what_is_not_declared_or_placed_or_of_another_unit_is_none() -> None:
    others: tuple[dict[str, object], ...] = (
        {"figure": "x"},
        {"subject": "WEST/mq1"},
        {"unit": "MiB"},
        {"step_seconds": None},
    )
    assert found(*others, {"unit": "", "value": 9.0}) == {("site_pool", "EAST/mq1"): [9.0]}
    assert found({}, place=SiteFigurePlacement(frozenset({"EAST"}))) == {}


def test_a_single_value_stands_for_the_declared_step() -> None:
    assert found({"figure": "cpu", "step_seconds": None}) == {("cpu", "EAST/mq1"): [7.0]}


def test_a_moment_counts_once_whichever_file_has_it() -> None:
    assert found({}, {"value": 6.0}) == {("site_pool", "EAST/mq1"): [7.0]}
