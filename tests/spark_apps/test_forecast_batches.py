"""Batches of series are forecast apart and put together, in a folder and in an object store."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from forecasting import ForecastOptions
from mqcap.domain.forecast import Forecast
from mqcap.lake.files import replace_folder
from mqcap.lake.layout import COMPLETE, cutoff_partition
from mqcap.lake.location import Location
from mqcap.lake.tables import read_table
from spark_apps.forecast_batches import ForecastBatches
from tests.memory_lake import memory_lake

CUTOFF = date(2025, 6, 30)
SERIES = ("a/PLEX1/CF01", "b/PLEX1/CF01", "c/PLEX1/CF01")


@pytest.fixture(params=["folder", "object store"])
def batches(request: pytest.FixtureRequest, tmp_path: Path) -> ForecastBatches:
    """Two batches of three series, which are too short for more than a reason."""
    lake: Location = tmp_path if request.param == "folder" else memory_lake()
    source = cutoff_partition(lake, "training", CUTOFF)
    rows = [
        {
            "series_id": name,
            "statistic": "peak",
            "site_date": CUTOFF - timedelta(days=back),
            "value": 20.0 + back,
            "ceiling": None,
            "country": None,
            "series_number": number,
        }
        for number, name in enumerate(SERIES)
        for back in range(3)
    ]
    table = pa.Table.from_pylist(rows).cast(_SCHEMA)
    replace_folder(source, {"part-0.parquet": lambda path: pq.write_table(table, path)})
    target = cutoff_partition(lake, "forecast_result", CUTOFF)
    return ForecastBatches(source, target, range(3), 2, ForecastOptions(), CUTOFF)


_SCHEMA = pa.schema(
    {
        "series_id": pa.string(),
        "statistic": pa.string(),
        "site_date": pa.date32(),
        "value": pa.float64(),
        "ceiling": pa.float64(),
        "country": pa.string(),
        "series_number": pa.int64(),
    }
)


def test_results_of_all_batches_are_one_file_in_order_and_marked_as_complete(
    batches: ForecastBatches,
) -> None:
    for number in (1, 0, 1):
        batches.write(number)
    assert not (batches.target / COMPLETE).is_file()
    batches.replace(batches.shares(), {})
    rows = read_table(batches.target / "part-0.parquet").to_pylist()
    assert [row["series_id"] for row in rows] == list(SERIES)
    assert all(Forecast.model_validate_json(row["document"]).refusal for row in rows)
    assert (batches.target / COMPLETE).read_bytes() == b""
    assert [place.name for place in batches.target.parent.glob("*")] == [batches.target.name]


def test_results_are_replaced_and_a_batch_that_is_missing_leaves_them(
    batches: ForecastBatches,
) -> None:
    for number in range(2):
        batches.write(number)
    batches.replace(batches.shares(), {})
    batches.write(0)
    with pytest.raises(FileNotFoundError):
        batches.replace(batches.shares(), {})
    assert read_table(batches.target / "part-0.parquet").num_rows == len(SERIES)
    assert batches.count == 2
