"""A Spark session for the tests of the apps: two cores, two shuffle partitions, UTC."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from mqcap.settings import SparkSettings
from spark_apps.runtime.session import spark_session


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    options = SparkSettings(master="local[2]", shuffle_partitions=2, driver_memory="1g")
    with spark_session("tests", options) as session:
        yield session
