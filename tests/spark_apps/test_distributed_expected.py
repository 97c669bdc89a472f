"""Figures of distributed queue managers against the expected ones of the reference data."""

import csv
from collections import Counter
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from mqcap.lake.exported_events import exported_events
from spark_apps.decode import decode_options, pending
from spark_apps.decode_file import decode_file
from tests.shared import shared_cases
from tests.spark_apps.distributed import (
    data_dir,
    differences,
    expected_observations,
    observations_of,
    settings_of_data,
)
from tests.spark_apps.lakes import land

CASES = ("prometheus", "displays", "amqsrua", "mq_json", "amqsevt", "amqsmon", "odp", "ztpf")
REFUSED = ("01", "02", "05", "09", "10", "11", "12", "13", "14", "16")
ACCEPTED = ("03", "04", "06", "07", "08", "15")
"""Numbers of files whose kind is read, by their verdict."""
pytestmark = [pytest.mark.spark, pytest.mark.thorough]


@pytest.mark.parametrize("case", shared_cases(CASES))
def test_every_format_gives_the_expected_figures(
    spark: SparkSession, tmp_path: Path, case: str
) -> None:
    files = [path for path in sorted((data_dir() / "formats" / case).rglob("*")) if path.is_file()]
    found = observations_of(spark, tmp_path / "lake", files)
    assert list(differences(expected_observations(case), found)) == []


@pytest.mark.parametrize("case", shared_cases(["bad"]))
def test_bad_files_are_refused_or_count_in_part(
    spark: SparkSession, tmp_path: Path, case: str
) -> None:
    """All are loaded at once; each is about a queue manager of its own.

    Metrics that the expected results do not have at all are not compared.
    """
    files = [
        path
        for path in sorted((data_dir() / case).iterdir())
        if path.name.startswith((*REFUSED, *ACCEPTED))
    ]
    found = observations_of(spark, tmp_path / "lake", files)
    names = tuple(f"EAST/BAD{number}" for number in ACCEPTED)
    expected = {
        key: value for key, value in expected_observations(case).items() if key[1].startswith(names)
    }
    assert list(differences(expected, found)) == []
    named = {key[0] for each in (case, *CASES) for key in expected_observations(each)}
    assert {key[:2] for key in found if key[0] in named} == {key[:2] for key in expected}


@pytest.mark.parametrize("case", shared_cases(["errorlog"]))
def test_every_event_of_error_logs_is_found_once(tmp_path: Path, case: str) -> None:
    lake = tmp_path / "lake"
    files = [path for path in (data_dir() / "formats" / case).rglob("*") if path.is_file()]
    settings = settings_of_data(lake)
    land(lake, files)
    for landed in pending(lake):
        decode_file(landed, decode_options(settings))
    found = Counter(
        tuple(event.row().values()) for event in exported_events(lake, settings.complete_estate())
    )
    with (data_dir() / "expected" / case / "events.csv").open(encoding="utf-8") as file:
        expected = Counter(tuple(row.values()) for row in csv.DictReader(file))
    assert expected - found == Counter()
    assert {name for _, _, name in found - expected} == {"AMQ8004"}
