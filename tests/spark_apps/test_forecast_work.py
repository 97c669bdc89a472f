"""What there is to forecast is told without Spark."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mqcap.domain.errors import InputError
from mqcap.lake.forecast_inputs import ForecastInputs, SeriesInputs, forecast_basis, write_inputs
from mqcap.settings import ForecastSettings, Settings
from spark_apps.forecast_batches import begun
from spark_apps.forecast_few import without_spark
from spark_apps.forecast_work import ForecastWork, forecast_work

CUTOFF = date(2025, 6, 30)
OPTIONS = ForecastSettings()
SERIES = tuple(SeriesInputs("a/P/C", statistic, "1") for statistic in ("mean", "p95", "peak"))


def export(
    lake: Path,
    stored: Iterable[int] | None,
    series: tuple[SeriesInputs, ...],
    dataset: str = "training",
) -> Path:
    """An export of three series, with digests where any are marked as stored."""
    folder = lake / dataset / f"cutoff_date={CUTOFF}"
    folder.mkdir(parents=True)
    pq.write_table(pa.table({"series_number": [0, 0, 1, 2]}), folder / "part-0.parquet")
    if stored is not None:
        basis = forecast_basis(OPTIONS, CUTOFF)
        write_inputs(folder, ForecastInputs(basis, series, frozenset(stored)))
    return folder


def work(lake: Path, options: ForecastSettings = OPTIONS) -> ForecastWork:
    return forecast_work(lake, options, CUTOFF)


@pytest.mark.parametrize(("stored", "to_fit"), [((), [0, 1, 2]), ((1,), [0, 2])])
def test_what_is_stored_is_not_forecast(
    tmp_path: Path, stored: tuple[int, ...], to_fit: list[int]
) -> None:
    export(tmp_path, stored, SERIES)
    assert list(work(tmp_path).series) == to_fit
    options = OPTIONS.model_copy(update={"series_without_spark": len(to_fit) - 1})
    settings = Settings(lake=str(tmp_path), estate=(), forecast=options)
    assert without_spark(settings, CUTOFF) is None


@pytest.mark.parametrize("left", [".{}.share-0", "..{}.share-0.123", ".{}.123"])
def test_what_a_killed_fit_has_left_is_removed_by_the_next(tmp_path: Path, left: str) -> None:
    export(tmp_path, (), SERIES)
    target = work(tmp_path).target
    assert isinstance(target, Path)
    target.parent.mkdir(parents=True)
    (target.parent / left.format(target.name)).write_bytes(b"part")
    begun(work(tmp_path), OPTIONS, 1)
    assert list(target.parent.iterdir()) == []


def test_where_all_is_stored_no_spark_is_needed(tmp_path: Path) -> None:
    export(tmp_path, range(3), SERIES)
    options = OPTIONS.model_copy(update={"series_without_spark": 2})
    settings = Settings(lake=str(tmp_path), estate=(), forecast=options)
    counts = {"series": 0, "batches": 0, "unchanged": 3}
    assert without_spark(settings, CUTOFF) == counts
    export(tmp_path, None, SERIES, "hold_out_training")
    assert without_spark(settings, CUTOFF) is None


def test_without_digests_or_with_those_of_other_series_all_is_forecast(tmp_path: Path) -> None:
    export(tmp_path / "without", None, SERIES)
    export(tmp_path / "other", range(2), SERIES[:2])
    for lake in (tmp_path / "without", tmp_path / "other"):
        assert (list(work(lake).series), work(lake).inputs) == ([0, 1, 2], None)


def test_digests_of_another_basis_are_made_anew_and_all_is_forecast(tmp_path: Path) -> None:
    export(tmp_path, range(3), SERIES)
    options = OPTIONS.model_copy(update={"final_fit": "fast"})
    made = work(tmp_path, options)
    assert made.has_other_basis
    assert list(made.series) == [0, 1, 2]
    assert made.inputs == ForecastInputs(forecast_basis(options, CUTOFF), SERIES)


def test_without_an_export_the_error_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="exports it first"):
        without_spark(Settings(lake=str(tmp_path), estate=()), CUTOFF)


@pytest.mark.thorough
def test_neither_pyspark_nor_prophet_is_imported_to_tell() -> None:
    code = (
        "import sys, spark_apps.forecast_work, mqcap.steps.backfill, mqcap.steps.forecast;"
        "sys.exit(any(name in sys.modules for name in ('pyspark', 'prophet')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
