"""Training data of a cutoff date: the rows of each series, and what goes with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import groupby

import pyarrow as pa

from mqcap.domain.estate.series_calendar import estate_facts
from mqcap.domain.forecast import DriverCourse
from mqcap.judging.todays_limits import LIMIT_METRICS, in_todays_limits
from mqcap.settings import Settings
from mqcap.steps.drivers import driver_courses
from mqcap.store.database import Store
from mqcap.store.models import TrainingRow
from mqcap.store.observations import changed_limits, read_training_rows
from sizing.rulebook.registry import watched
from sizing.rulebook.site_rules import watched_site_series

_FACTS = ("country", "calendar", "known_changes")


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

    @property
    def series_count(self) -> int:
        """Number of series and statistics."""
        return sum(1 for _ in groupby(self.rows, key=_key))

    def table(self) -> pa.Table:
        """Return the rows of the training dataset."""
        rows = self.rows
        numbers = (
            number for number, (_, group) in enumerate(groupby(rows, key=_key)) for _ in group
        )
        columns: dict[str, pa.Array] = {
            "series_id": pa.array([row.series_id for row in rows], pa.string()),
            "statistic": pa.array([str(row.statistic) for row in rows], pa.string()),
            "site_date": pa.array([row.site_date for row in rows], pa.date32()),
            "value": pa.array([row.value for row in rows], pa.float64()),
            "ceiling": pa.array([row.ceiling for row in rows], pa.float64()),
            "country": self._facts_column(_FACTS[0]),
            "series_number": pa.array(numbers, pa.int32()),
            "calendar": self._facts_column(_FACTS[1]),
            "known_changes": self._facts_column(_FACTS[2]),
        }
        if self.courses:
            columns["driver"] = pa.array(self._driver_column(), pa.string())
        return pa.table(columns)

    def _facts_column(self, name: str) -> pa.Array:
        return pa.array([self.facts[row.series_id][name] for row in self.rows], pa.string())

    def _driver_column(self) -> Iterator[str | None]:
        """Yield the JSON of each series' driver in the first row of each of its statistics."""
        drivers = self._drivers()
        before = None
        for row in self.rows:
            yield None if _key(row) == before else drivers.get(row.series_id)
            before = _key(row)

    def _drivers(self) -> dict[str, str]:
        """Return the JSON of the driver of each series that has one."""
        texts = {course.name: course.model_dump_json() for course in self.courses.values()}
        return {identity: texts[course.name] for identity, course in self.courses.items()}


def training_data(settings: Settings, engine: Store, day: date) -> TrainingData:
    """Return what a forecast as of ``day`` may use: nothing later, whatever the store holds.

    Only series and statistics that some rule compares with a limit, because every fit costs time.
    Shares of a limit that has changed are shares of its newest value.
    """
    lookback_days = settings.forecast.lookback_days
    wanted = watched() | watched_site_series(settings.site_figures)
    measured = read_training_rows(engine, day, lookback_days, wanted)
    limits = changed_limits(engine, LIMIT_METRICS, day, lookback_days)
    rows = in_todays_limits(measured, limits)
    facts = {
        name: estate_facts(settings.estate, name, day) for name, _ in groupby(rows, key=_series_id)
    }
    courses, problems = driver_courses(settings.drivers, facts, day)
    return TrainingData(rows, facts, courses, problems)


def _key(row: TrainingRow) -> tuple[str, str]:
    return row.series_id, row.statistic


def _series_id(row: TrainingRow) -> str:
    return row.series_id
