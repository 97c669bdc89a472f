"""Part rows of literal rows."""

from __future__ import annotations

from datetime import date
from typing import Any

import polars as pl

from mqcap.domain.attribution import PartKind
from spark_apps.attribution.parts import part_rows

DAY = date(2026, 3, 10)


def rows_of(names: list[str | None], subjects: list[str | None], amounts: list[int]) -> Any:
    table = pl.LazyFrame({"name": names, "of": subjects, "counted": amounts}).with_columns(
        hour_date=DAY, site_date=DAY
    )
    figures = [("example_count", pl.col("of"), "counted")]
    return part_rows(table, PartKind.queue, pl.col("name"), figures).collect().rows(named=True)


def test_what_has_no_name_is_no_part_of_that_kind() -> None:
    rows = rows_of(["PAY.IN", " ", None], ["PLEX1/CSQ1"] * 3, [1, 1, 1])
    assert [(row["breakdown"], row["kind"], row["part"]) for row in rows] == [
        ("queue", "queue", "PAY.IN"),
        ("queue", "other", "no queue"),
        ("queue", "other", "no queue"),
    ]


def test_a_part_has_a_subject_and_an_amount_above_zero() -> None:
    rows = rows_of(["A", "B", "C"], ["PLEX1/CSQ1", "PLEX1/CSQ1", None], [1, 0, 1])
    assert [(row["metric"], row["part"], row["amount"]) for row in rows] == [
        ("example_count", "A", 1)
    ]
