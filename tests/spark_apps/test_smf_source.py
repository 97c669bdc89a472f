from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from mqcap.lake.landing import LandedFile
from mqcap.lake.manifest import dataset_files
from spark_apps.decode_file import DecodeOptions, decode_file
from spark_apps.smf_source import SmfDataSource
from tests.mqcap.ingest.reading import read_all
from tests.mqcap.ingest.smf.test_borrowed_intervals import (
    BERLIN,
    TIMES,
    dump,
    half_hours,
    statistics,
    stub,
)
from tests.spark_apps.lakes import RECEIVED, land

pytestmark = pytest.mark.spark


def test_records_without_times_of_their_own_have_them_in_spark(
    spark: SparkSession, tmp_path: Path
) -> None:
    records = statistics(half_hours(BERLIN, datetime(2025, 10, 26, tzinfo=UTC), 6))
    path = dump(tmp_path, [item for each in records for item in (each, stub(each))])
    expected = read_all(path).tables["section_qsgm"].select([*TIMES]).to_pandas()
    lake = tmp_path / "lake"
    (landed,) = land(lake, [path])
    sha256 = landed.name.partition(".")[0]
    file = LandedFile(path=landed, sha256=sha256, received_date=RECEIVED, bytes_count=1)
    manifest = decode_file(file, DecodeOptions(lake, 0.0))
    paths = dataset_files(lake, "section_qsgm", [manifest])
    spark.dataSource.register(SmfDataSource)
    source = spark.read.format("smf").option("dataset", "section_qsgm").load(str(path))
    decoded = pq.ParquetFile(paths[0]).read().sort_by("record_offset_bytes").select([*TIMES])
    sent = source.orderBy("record_offset_bytes").select(*TIMES).toArrow()
    for rows in (decoded.to_pandas(), sent.to_pandas()):
        assert rows.equals(expected.astype(rows.dtypes))
    assert expected["interval_start_utc"].notna().all()
