"""Forecast: export daily series for the Spark app, and read its forecasts into the store."""

import csv
import logging
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from mqcap.domain.datasets import FORECAST_RESULT, TRAINING
from mqcap.domain.errors import InputError
from mqcap.domain.estate import estate_facts
from mqcap.domain.forecast import DriverCourse
from mqcap.domain.numbers import counted
from mqcap.ingest.text import TextFile
from mqcap.judging.todays_limits import LIMIT_METRICS, in_todays_limits
from mqcap.lake.files import remove, remove_before, remove_unfinished, replace_folder
from mqcap.lake.forecast_results import results_of
from mqcap.lake.layout import COMPLETE, cutoff_partition
from mqcap.lake.location import Location, open_lake
from mqcap.lake.tables import read_table
from mqcap.locks import LakePart, exclusive
from mqcap.settings import Settings
from mqcap.settings.analysis import DriverSettings
from mqcap.store.database import Store
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.models import TrainingRow
from mqcap.store.observations import changed_limits, read_training_rows
from sizing.rulebook.registry import watched
from sizing.rulebook.site_rules import watched_site_series

_SCHEMA: Final = pa.schema(
    (name, pa.type_for_alias({"date": "date32", "int": "int32"}.get(kind, kind)))
    for name, kind in TRAINING.columns.items()
    if name != "cutoff_date"
)


@dataclass(frozen=True)
class TrainingData:
    """Rows up to the cutoff date by series and statistic, with what the estate knows of them."""

    rows: list[TrainingRow]
    facts: Mapping[str, Mapping[str, str | None]]
    """Country, calendar and known changes by series."""
    courses: Mapping[str, DriverCourse]
    """Business driver by series, where it has one."""
    problems: tuple[str, ...] = ()
    """What is wrong with the file of the drivers."""

    def table(self) -> pa.Table:
        """Return the rows of the training dataset."""
        rows, schema = self.rows, _SCHEMA
        series = [
            list(group) for _, group in groupby(rows, key=attrgetter("series_id", "statistic"))
        ]
        columns: dict[str, list[Any]] = {
            name: [getattr(row, name) for row in rows] for name in TrainingRow._fields
        }
        for name in ("country", "calendar", "known_changes"):
            columns[name] = [self.facts[row.series_id][name] for row in rows]
        columns["series_number"] = [number for number, group in enumerate(series) for _ in group]
        if self.courses:  # in the first row of a series and statistic
            texts = {course.name: course.model_dump_json() for course in self.courses.values()}
            drivers = {identity: texts[course.name] for identity, course in self.courses.items()}
            columns["driver"] = [
                value
                for first, *others in series
                for value in (drivers.get(first.series_id), *[None] * len(others))
            ]
            schema = schema.append(pa.field("driver", pa.string()))
        return pa.table(columns, schema)


def training_data(settings: Settings, engine: Store, day: date) -> TrainingData:
    """Return what a forecast as of ``day`` may use: series of rules, shares of newest limits."""
    lookback_days = settings.forecast.lookback_days
    wanted = watched() | watched_site_series(settings.site_figures)
    measured = read_training_rows(engine, day, lookback_days, wanted)
    limits = changed_limits(engine, LIMIT_METRICS, day, lookback_days)
    rows = in_todays_limits(measured, limits)
    facts = {
        name: estate_facts(settings.estate, name, day)
        for name, _ in groupby(rows, attrgetter("series_id"))
    }
    courses, problems = driver_courses(settings.drivers, facts, day)
    return TrainingData(rows, facts, courses, problems)


_log = logging.getLogger(__name__)

_ROW_GROUP_ROWS: Final = 20_000
"""What one task of the Spark app reads."""
_FILE: Final = "part-0.parquet"


def export_training(
    settings: Settings, engine: Store, day: date, dataset: str = TRAINING.name
) -> dict[str, int]:
    """Write the observations up to ``day`` as the training dataset of that cutoff. Returns counts.

    Forecasts of an earlier export with other rows are incomplete from then on.
    """
    data = training_data(settings, engine, day)
    for problem in data.problems:
        _log.warning("%s", problem)
    folder = _partition(settings, dataset, day)
    table = data.table()
    with exclusive(settings, LakePart.forecast):
        file = folder / _FILE
        if dataset == TRAINING.name and not (file.is_file() and read_table(file).equals(table)):
            remove(_partition(settings, FORECAST_RESULT.name, day) / COMPLETE)
        remove_unfinished(folder.parent.glob(f".{folder.name}.*"))
        write = partial(pq.write_table, table, row_group_size=_ROW_GROUP_ROWS)
        replace_folder(folder, {_FILE: write}, durable=True)
    return {"rows": table.num_rows, "series": len(table["series_number"].unique())}


def store_forecasts(settings: Settings, engine: Store, day: date) -> dict[str, int]:
    """Replace the stored forecasts of cutoff ``day`` by those of the Spark app. Returns counts.

    Raises InputError, and leaves the store, where the output of that day is missing or incomplete.
    """
    folder = _partition(settings, FORECAST_RESULT.name, day)
    with exclusive(settings, LakePart.forecast):
        if not (folder / COMPLETE).is_file():
            raise InputError(
                f"no complete forecasts of {day}",
                file=str(folder),
                found=f"no file {COMPLETE}",
                expected=f"the file {COMPLETE}, which the step fit writes last",
                remedy="Run the steps `export_training` and `fit` of that day again; a run of a "
                "later day may have deleted them (forecast.keep_models_days).",
            )
        made = list(results_of(folder))
        replace_forecasts(engine, day, made)
        first = day - timedelta(days=settings.forecast.keep_models_days)
        remove_before(open_lake(settings.lake), FORECAST_RESULT.name, first)
    refused = sum(1 for forecast in made if forecast.refusal is not None)
    return {"forecasts": len(made) - refused, "refused": refused}


def _partition(settings: Settings, dataset: str, day: date) -> Location:
    return cutoff_partition(open_lake(settings.lake), dataset, day)


def driver_courses(
    settings: DriverSettings, series: Iterable[str], day: date
) -> tuple[dict[str, DriverCourse], tuple[str, ...]]:
    """Return the driver of each series that has a value up to ``day``, and what is wrong."""
    if settings.file is None:
        return {}, ()
    read = read_driver_file(settings.file)
    problems = list(read.problems)
    by_name = {
        name: DriverCourse(
            name=name,
            values={when: value for when, value in days.items() if when <= day},
            plans=settings.plans.get(name, ()),
            gain_min_ratio=settings.gain_min_ratio,
        )
        for name, days in read.values.items()
    }
    courses: dict[str, DriverCourse] = {}
    for identity in sorted(series):
        name = settings.driver_of(identity)
        course = by_name.get(name or "")
        if course is not None and course.values:
            courses[identity] = course
        elif name is not None:
            problems.append(f"{settings.file}: no value of {name}, the driver of {identity}")
    return courses, tuple(problems)


HEADINGS: Final = ("driver", "time", "value")


class DriverFile(NamedTuple):
    """Values by driver and day, and the sentences about what was left out."""

    values: dict[str, dict[date, float]]
    problems: tuple[str, ...]


def read_driver_file(path: Path) -> DriverFile:
    """Return the values above zero of each driver, the first of a day; bad lines are reported."""
    try:
        text = TextFile(path)
        if not text.head and path.stat().st_size:
            return DriverFile({}, (f"{path}: drivers cannot be read: the file is no text",))
        headings, *rows = list(csv.reader(text.lines())) or [[]]
    except (OSError, csv.Error) as error:
        return DriverFile({}, (f"{path}: drivers cannot be read: {error}",))
    found = [cell.strip().lower() for cell in headings]
    if found != list(HEADINGS):
        expected = (
            f"expected the headings {','.join(HEADINGS)}, found {','.join(found) or 'nothing'}"
        )
        return DriverFile({}, (f"{path} line 1: {expected}; no driver is used",))
    unread: list[str] = []
    repeated: list[str] = []
    lines: dict[tuple[str, date], int] = {}
    values: dict[str, dict[date, float]] = {}
    for line, cells in enumerate(rows, start=2):
        if not any(cell.strip() for cell in cells):
            continue
        try:
            driver, day, value = _row(cells)
        except ValueError as error:
            unread.append(f"{path} line {line}: {error}; the line is left out")
            continue
        first = lines.setdefault((driver, day), line)
        if first == line:
            values.setdefault(driver, {})[day] = value
        else:
            given = f"{day} of {driver} is given again; line {first} counts"
            repeated.append(f"{path} line {line}: {given}")
    gaps = (gap for driver, days in values.items() for gap in _gaps(path, driver, days, lines))
    return DriverFile(values, (*unread, *repeated, *gaps))


def _row(cells: list[str]) -> tuple[str, date, float]:
    if len(cells) != len(HEADINGS):
        raise ValueError(f"expected {len(HEADINGS)} cells, found {len(cells)}")
    driver, time, text = (cell.strip() for cell in cells)
    if not driver:
        raise ValueError("the driver has no name")
    try:
        day = datetime.fromisoformat(time).date()
    except ValueError as error:
        raise ValueError(f"{time!r} is no day such as 2026-01-31") from error
    try:
        value = float(text)
    except ValueError as error:
        raise ValueError(f"{text!r} is no number") from error
    if not math.isfinite(value) or value <= 0:
        raise ValueError(f"{text} is not above zero")
    return driver, day, value


def _gaps(
    path: Path, driver: str, days: dict[date, float], lines: dict[tuple[str, date], int]
) -> Iterator[str]:
    first, last = min(days), max(days)
    count = (last - first).days
    missing = [day for n in range(count) if (day := first + timedelta(days=n)) not in days]
    if missing:
        before = lines[driver, missing[0] - timedelta(days=1)]
        yield (
            f"{path} line {before}: {counted(len(missing), 'day')} of {driver} missing between "
            f"{first} and {last}, the first is {missing[0]}; they are drawn through"
        )
