"""Frames as Arrow tables."""

from __future__ import annotations

from datetime import UTC, date, datetime

import polars as pl
import pyarrow as pa

from spark_apps.arrow import arrow_table

FRAME = pl.DataFrame(
    {"text": ["a", None], "count": [1, 2], "at": [datetime(2026, 1, 1, tzinfo=UTC)] * 2,
     "day": [date(2026, 1, 1)] * 2},
    schema_overrides={"at": pl.Datetime("us", "UTC")},
)  # fmt: skip


def test_types_are_those_that_readers_of_the_lake_know() -> None:
    table = arrow_table(FRAME)
    types = [pa.string(), pa.int64(), pa.timestamp("us", tz="UTC"), pa.date32()]
    assert table.schema.types == types
    assert table["text"].to_pylist() == ["a", None]
    assert table.to_pylist() == FRAME.to_dicts()


def test_rows_are_in_one_piece_however_many_frames_they_come_from() -> None:
    many = pl.concat([FRAME, FRAME], rechunk=False)
    assert arrow_table(many)["count"].num_chunks == 1
    assert arrow_table(FRAME.clear()).num_rows == 0
