"""Parquet files of the lake are read alike in a folder and in an object store."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from mqcap.lake import tables
from mqcap.lake.files import replacing
from mqcap.lake.location import Location
from mqcap.progress.shown import show_on
from tests.memory_lake import memory_lake
from tests.mqcap.progress.displays import Noted

TABLE = pa.table({"number": [1, 2, 3], "text": ["a", "b", "c"]})


@pytest.fixture(params=["folder", "object store"])
def paths(request: pytest.FixtureRequest, tmp_path: Path) -> list[Location]:
    lake = tmp_path / "lake" if request.param == "folder" else memory_lake()
    found: list[Location] = [lake / f"{number}.parquet" for number in range(2)]
    for place in found:
        with replacing(place) as path:
            pq.write_table(TABLE, path)
    return found


def test_rows_of_several_files_are_read_with_columns_and_filter(
    paths: list[Location],
) -> None:
    rows = tables.read_rows(paths, ["text"], pc.field("number") > 1)
    assert rows["text"].to_pylist() == ["b", "c", "b", "c"]
    assert tables.read_rows(paths, ["number"]).num_rows == 6
    assert tables.read_rows(paths[:1]).equals(TABLE)
    with tables.opened(paths) as dataset:
        assert dataset.schema.names == TABLE.schema.names
    assert tables.read_metadata(paths[0]).num_rows == 3
    assert pl.read_parquet(tables.parquet_source(paths[0])).height == 3


def test_a_table_of_one_file_has_the_columns_asked_for(paths: list[Location]) -> None:
    assert tables.read_table(paths[0]).equals(TABLE)
    assert tables.read_table(paths[0], columns=["text"]).column_names == ["text"]
    for options in ({}, {"filters": [("number", "<", 3)]}):
        table = tables.read_table(paths[0], columns=["text", "number"], **options)
        assert table.column_names == ["text", "number"]
        assert table["number"].to_pylist() == ([1, 2] if options else [1, 2, 3])


def test_many_files_are_read_in_parts_which_are_shown(
    paths: list[Location], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tables.read_rows(paths, ["text"], pc.field("number") > 1)
    monkeypatch.setattr(tables, "PART_FILES", 1)
    with show_on(display := Noted()):
        assert tables.read_rows(paths, ["text"], pc.field("number") > 1).equals(whole)
        batches = list(tables.shown_batches(paths, ["number"]))
    assert pa.Table.from_batches(batches).num_rows == 6
    shown = ["read the lake begun", "1 of 2 files", "2 of 2 files", "read the lake ended"]
    assert display.calls == [*shown, *shown, "closed"]
