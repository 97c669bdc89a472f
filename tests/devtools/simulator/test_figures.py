"""What a simulated estate holds, as the product's own readers read it: ``figures.txt``.

Of every dataset the rows, and of every column its distinct values or its least, mean and largest
figure; beside them the settings and the truth that are written. Figures have four significant
digits, which all processors agree on.
"""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final

import polars as pl
import pyarrow as pa
import pytest
import yaml

from devtools.simulator import SimulationResult
from devtools.simulator.generate import write_sample
from mqcap.ingest.parquet import plain
from mqcap.ingest.registry import source_for
from mqcap.settings import load_settings

GOLDEN: Final = Path(__file__).with_name("figures.txt")
LAST: Final = date(2026, 10, 25)
"""A day of 25 hours."""
DAYS: Final = 8
SHOWN: Final = 6
"""So many distinct values are listed."""
_PLACE: Final = {"file_sha256", "record_offset_bytes", "record_hash", "line_hash", "key_hash"}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> SimulationResult:
    return write_sample(tmp_path_factory.mktemp("sample"), last_date=LAST, days=DAYS)


def _columns(table: pl.DataFrame) -> Iterator[str]:
    for name, column in zip(table.columns, table.get_columns(), strict=True):
        if name in _PLACE or column.null_count() == len(column):
            continue
        absent = f", {column.null_count()} null" if column.null_count() else ""
        if column.dtype.is_numeric() and column.n_unique() > SHOWN:
            figures: tuple[Any, ...] = (column.min(), column.mean(), column.max())
            yield f"  {name}: {' '.join(f'{figure:.4g}' for figure in figures)}{absent}"
        elif column.dtype.is_temporal() or column.dtype.is_nested():
            yield f"  {name}: {column.n_unique()} values{absent}"
        else:
            values = column.drop_nulls().unique().sort().to_list()
            more = f" and {len(values) - SHOWN} more" if len(values) > SHOWN else ""
            yield f"  {name}: {', '.join(str(value) for value in values[:SHOWN])}{more}{absent}"


def _by_name(frame: pl.DataFrame, named: str) -> Iterator[str]:
    """Yield the rows of each figure or message, and its values where it has some."""
    for (name,), rows in sorted(frame.group_by(named), key=lambda group: str(group[0])):
        values = rows["value"] if "value" in frame.columns else pl.Series(dtype=pl.Float64)
        figures: tuple[Any, ...] = (values.min(), values.mean(), values.max())
        shown = [f"{value:.4g}" for value in figures if value]
        yield f"  {named} {name}: {len(rows)} rows {' '.join(shown)}".rstrip()


def _datasets(sample: SimulationResult, folder: Path) -> Iterator[str]:
    written = yaml.safe_load(sample.settings_file.read_text("utf-8"))
    estate = load_settings(**written).complete_estate()
    tables: dict[str, list[pa.Table]] = defaultdict(list)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if path in {sample.truth_file, sample.settings_file}:
            continue
        zones = estate.zone_by_system(path.name.partition(".")[0])
        reading = source_for(path, zones).read(path, "0" * 64)
        parts = [(name, plain(table)) for name, table in reading.tables()]
        summary = reading.summary()
        assert (summary.quarantined_bytes, summary.problems) == (0, ()), path.name
        kinds = ", ".join(sorted({name for name, _ in parts}))
        yield f"{path.relative_to(folder)}: {kinds}"
        for name, table in parts:
            tables[name].append(table)
    for name, several in sorted(tables.items()):
        frame = pl.from_arrow(pa.concat_tables(several))
        assert isinstance(frame, pl.DataFrame)
        yield f"{name}: {len(frame)} rows"
        yield from _columns(frame)
        for named in ("figure", "message_id"):
            if named in frame.columns:
                yield from _by_name(frame, named)


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_rounded(inner) for inner in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def _documents(sample: SimulationResult) -> Iterator[str]:
    yield "settings"
    yield yaml.safe_dump(yaml.safe_load(sample.settings_file.read_text("utf-8")), width=100)
    yield "truth"
    truth = json.loads(sample.truth_file.read_text("utf-8"))
    yield yaml.safe_dump(_rounded(truth), width=100)


def test_the_sample_holds_the_figures_that_it_held(sample: SimulationResult) -> None:
    folder = sample.truth_file.parent
    text = "\n".join([*_datasets(sample, folder), *_documents(sample)])
    if os.environ.get("MQCAP_GOLDEN") == "write":
        GOLDEN.write_text(text, "utf-8")
    assert text == GOLDEN.read_text("utf-8")
