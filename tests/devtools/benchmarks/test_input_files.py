"""The inputs of the benchmarks are what the readers take them for, of the size that is stated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from devtools.benchmarks import input_files
from devtools.benchmarks.input_files import (
    FIGURES,
    amqsrua_day,
    data_provider_lines,
    prometheus_year,
)
from mqcap.ingest.registry import source_for


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten minutes for a year, in answers of four samples."""
    monkeypatch.setattr(input_files, "MINUTES_PER_YEAR", 10)
    monkeypatch.setattr(input_files, "SAMPLES", 4)


@pytest.mark.parametrize(
    ("write", "source", "dataset"),
    [
        (partial(prometheus_year, bytes_max=10**6), "prometheus", "qmgr_sample"),
        (
            partial(prometheus_year, bytes_max=None, has_all_digits=True),
            "prometheus",
            "qmgr_sample",
        ),
        (partial(amqsrua_day, publications=9), "amqsrua", "qmgr_sample"),
        (partial(data_provider_lines, minutes=5), "omegamon", "zos_sample"),
    ],
)
def test_each_input_is_recognised_and_read_without_a_problem(
    tmp_path: Path, write: Callable[[Path], None], source: str, dataset: str
) -> None:
    path = tmp_path / "input"
    write(path)
    found = source_for(path)
    assert found.name == source
    reading = found.read(path, "f" * 64)
    rows = sum(table.num_rows for _, table in reading.tables())
    summary = reading.summary()
    assert summary.problems == ()
    assert summary.rows_by_dataset == {dataset: rows}


@pytest.mark.parametrize("has_all_digits", [False, True])
def test_a_year_has_each_minute_of_every_figure_once(
    tmp_path: Path, *, has_all_digits: bool
) -> None:
    path = tmp_path / "year.json"
    prometheus_year(path, None, has_all_digits=has_all_digits)
    reading = source_for(path).read(path, "f" * 64)
    rows = [row for _, table in reading.tables() for row in table.to_pylist()]
    counts = Counter((row["figure"], row["reading"], row["object"]) for row in rows)
    assert len(counts) <= FIGURES
    assert sum(counts.values()) == 10 * FIGURES
    assert {row["step_seconds"] for row in rows} == {60}


@pytest.mark.parametrize("bytes_max", [5_000, 10_000])
def test_an_answer_ends_with_the_series_that_reaches_its_size(
    tmp_path: Path, bytes_max: int
) -> None:
    path = tmp_path / "part.json"
    prometheus_year(path, bytes_max)
    assert bytes_max <= path.stat().st_size < bytes_max + 400


def test_a_day_of_amqsrua_has_six_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "day.txt"
    amqsrua_day(path, publications=86)
    assert 100 * path.stat().st_size == pytest.approx(6e6, rel=0.1)
