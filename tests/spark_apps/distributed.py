"""Reference data of distributed queue managers: files loaded into a lake, and what they expect."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq
import yaml
from pyspark.sql import SparkSession

from mqcap.domain.datasets import METRIC_HOURLY
from mqcap.domain.estate import Estate
from mqcap.settings import Settings
from mqcap.steps.daily_roll_up import daily_observations
from spark_apps.aggregate import aggregate, aggregation_plan
from spark_apps.decode import decode_options, pending
from spark_apps.decode_file import decode_file
from tests.shared import shared_dir
from tests.spark_apps.lakes import land

MEAN_TOLERANCE = 0.005
PEAK_TOLERANCE = 1e-6
COMPARED_SECONDS_MIN = 3_600


class Expected(NamedTuple):
    """An observation of the reference data, or of ours."""

    mean: float
    peak: float
    covered_seconds: float


Observations = dict[tuple[str, str, str], Expected]


def data_dir() -> Path:
    """The folder of the reference data."""
    folder = shared_dir()
    assert folder is not None
    return folder / "data" / "distributed"


def settings_of_data(lake: Path) -> Settings:
    """The settings of the reference data, with this lake."""
    document = yaml.safe_load((data_dir() / "platform.yaml").read_text("utf-8"))
    return Settings(lake=str(lake), **{key: document[key] for key in ("site", "estate")})


def expected_observations(case: str) -> Observations:
    """Observations of a case that are compared: those of at least an hour."""
    path = data_dir() / "expected" / case / "observations.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        (row["metric"], row["subject"], row["site_date"]): Expected(
            float(row["mean"]), float(row["peak"]), float(row["covered_seconds"])
        )
        for row in rows
        if float(row["covered_seconds"]) >= COMPARED_SECONDS_MIN
    }


def observations_of(spark: SparkSession, lake: Path, files: Sequence[Path]) -> Observations:
    """Observations of files that are loaded into an empty lake."""
    settings = settings_of_data(lake)
    estate: Estate = settings.complete_estate()
    land(lake, files)
    for landed in pending(lake):
        decode_file(landed, decode_options(settings))
    aggregate(spark, aggregation_plan(lake, estate, settings.site.timezone))
    hours = pq.read_table(lake / METRIC_HOURLY.name, partitioning=None).to_pandas()
    hours["hour_utc"] = hours["hour_utc"].dt.tz_convert("UTC")
    daily = daily_observations(hours, settings.zones(), settings.site.timezone)
    return {
        (row["metric"], row["subject"], str(row["site_date"])): Expected(
            row["mean"], row["peak"], row["covered_hours"] * 3_600
        )
        for row in daily.to_dict(orient="records")
    }


def differences(expected: Observations, found: Observations) -> Iterator[str]:
    """A line for each observation that differs by more than the tolerance, or is missing."""
    for key, wanted in expected.items():
        made = found.get(key)
        if made is None:
            yield f"{key}: missing"
        elif (
            abs(made.mean - wanted.mean) > MEAN_TOLERANCE * abs(wanted.mean)
            or abs(made.peak - wanted.peak) > PEAK_TOLERANCE * abs(wanted.peak)
            or abs(made.covered_seconds - wanted.covered_seconds) > 1
        ):
            yield f"{key}: expected {wanted}, found {made}"
