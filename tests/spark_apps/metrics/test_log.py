from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from pyspark.testing import assertDataFrameEqual

from mqcap.domain.units import PAGE_BYTES
from spark_apps.metrics import (
    log,
)
from tests.spark_apps.rows import sections

pytestmark = pytest.mark.spark


def test_log_growth_is_counted_in_bytes_and_shown_in_mib_per_second(spark: SparkSession) -> None:
    rows = log.intervals(sections(spark, section_qjst=[{"qjstbffl": 460_800, "qjstwtb": 90}]))
    expected = spark.createDataFrame(
        [
            ("log_growth_mib_per_s", "PLEX1/CSQ1", 1.0, 460_800 * PAGE_BYTES),
            ("log_buffer_wait_count", "PLEX1/CSQ1", 180.0, 90),
        ],
        "metric string, subject string, level double, amount bigint",
    )
    assertDataFrameEqual(rows.select("metric", "subject", "level", "amount"), expected)
