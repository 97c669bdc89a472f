"""Results of forecasts with their digests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from mqcap.domain.forecast import ForecastKey
from mqcap.lake.forecast_results import SCHEMA, result_digests, results_with

ONE, TWO = ("a/P/C", "mean"), ("a/P/C", "peak")


def results(folder: Path, digests: Mapping[ForecastKey, str | None]) -> Path:
    rows = [
        {"series_id": key[0], "statistic": key[1], "document": "{}", "input_sha256": digest}
        for key, digest in digests.items()
    ]
    pq.write_table(pa.Table.from_pylist(rows, SCHEMA), folder / "part-0.parquet")
    return folder


def test_digests_count_when_the_results_are_complete(tmp_path: Path) -> None:
    folder = results(tmp_path, {ONE: "1", TWO: None})
    assert result_digests(folder) == {}
    (folder / "_SUCCESS").touch()
    assert result_digests(folder) == {ONE: "1", TWO: None}
    assert result_digests(folder / "none") == {}


def test_results_without_digests_or_that_are_damaged_have_none(tmp_path: Path) -> None:
    table = pa.table({"series_id": ["a/P/C"], "statistic": ["mean"], "document": ["{}"]})
    pq.write_table(table, tmp_path / "part-0.parquet")
    (tmp_path / "_SUCCESS").touch()
    for content in (None, b"", b"PAR1"):
        if content is not None:
            (tmp_path / "part-0.parquet").write_bytes(content)
        assert result_digests(tmp_path) == {}
        assert list(results_with(tmp_path, {ONE: "1"})) == []


def test_only_results_with_the_digest_wanted_are_read(tmp_path: Path) -> None:
    folder = results(tmp_path, {ONE: "1", TWO: None})
    [table] = results_with(folder, {ONE: "1", TWO: "2"})
    assert table["statistic"].to_pylist() == ["mean"]
    assert list(results_with(folder, {ONE: "2"})) == []
