"""Forecast steps of a small site, with figures that change with everything they are made from."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from sqlalchemy import select, update

from forecasting import ForecastOptions
from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import Statistic
from mqcap.lake.tables import read_table
from mqcap.settings import ForecastSettings, Settings
from mqcap.steps.forecast import export_training, store_forecasts
from mqcap.store.database import Store
from mqcap.store.series import read_series, upsert_series
from mqcap.store.tables import ForecastPointRow, ForecastRow, ObservationRow
from spark_apps import forecast as app
from spark_apps import forecast_batches
from spark_apps.forecast_few import without_spark
from spark_apps.forecast_work import forecast_work
from tests.mqcap.rulebook.builders import DAY, days, observe
from tests.stores import new_store

FACILITIES = ("PLEX1/CF01", "PLEX1/CF02", "PLEX1/CF03")
OPTIONS = ForecastSettings(horizon_days=2, crossing_days=3, series_without_spark=0)


def figures(rows: pd.DataFrame, options: ForecastOptions, cutoff_date: date) -> list[Forecast]:
    """Forecasts that are a digest of rows, options and day; of CF02, refusals."""
    made = []
    for (identity, statistic), group in rows.groupby(["series_id", "statistic"]):
        given = f"{group.to_csv(index=False)}{options.model_dump_json()}{cutoff_date}"
        number = int(hashlib.sha256(given.encode()).hexdigest()[:8], 16)
        refusal = f"refused {number}" if "CF02" in str(identity) else None
        points = tuple(
            ForecastPoint(cutoff_date + timedelta(days=ahead), float(number), 0.0, 1.0)
            for ahead in range(1, 3)
        )
        values: dict[str, Any] = {
            "series_id": identity,
            "statistic": Statistic(str(statistic)),
            "cutoff_date": cutoff_date,
            "model": "prophet",
            "horizon_days": 2,
            "trained_days": len(group),
            "interval_width": 0.8,
            "refusal": refusal,
            "points": () if refusal else points,
        }
        made.append(Forecast(**values))
    return made


@dataclass
class InProcess:
    """What the Spark app uses of a session, without Spark."""

    numbers: Iterable[int] = ()
    defaultParallelism: int = 1  # noqa: N815 - Spark's name

    @property
    def sparkContext(self) -> InProcess:  # noqa: N802 - Spark's name
        """The same object."""
        return self

    def range(self, first: int, end: int, _step: int, _count: int) -> InProcess:
        """These numbers."""
        return InProcess(range(first, end))

    def mapInArrow(self, work: Any, _schema: str) -> InProcess:  # noqa: N802 - Spark's name
        """Work on them."""
        list(work(iter([pa.RecordBatch.from_pydict({"id": list(self.numbers)})])))
        return self

    def collect(self) -> None:
        """Return nothing."""


@dataclass
class Site:
    """Three measured series of a day, a lake, and the numbers of series that were forecast."""

    folder: Path
    engine: Store
    options: ForecastSettings = OPTIONS
    day: date = DAY
    fitted: list[int] = field(default_factory=list)
    lake_name: str = "lake"

    @property
    def lake(self) -> Path:
        """Folder of the lake."""
        return self.folder / self.lake_name

    @property
    def settings(self) -> Settings:
        """Settings with these options."""
        return Settings(lake=str(self.lake), estate=(), forecast=self.options)

    @property
    def results(self) -> Path:
        """Folder of the results of the day."""
        return self.lake / "forecast_result" / f"cutoff_date={self.day}"

    def export(self) -> None:
        """Step one."""
        export_training(self.settings, self.engine, self.day)

    def fit(self) -> None:
        """Step two, in this process."""
        counts = without_spark(self.settings, self.day)
        if counts is None:
            work = forecast_work(self.lake, self.options, self.day)
            spark: Any = InProcess()
            counts = app.forecast(spark, self.options, work)
        self.fitted.append(counts["series"])

    def store(self) -> dict[str, int]:
        """Step three."""
        return store_forecasts(self.settings, self.engine, self.day)

    def run(self) -> dict[str, int]:
        """All steps."""
        self.export()
        self.fit()
        return self.store()

    def measure(self, facility: str, value: float) -> None:
        """Change the last day of a series, as late data do."""
        of_day = (ObservationRow.site_date == self.day) & (
            ObservationRow.series_id == f"cf_busy_pct/{facility}"
        )
        with self.engine.begin() as connection:
            connection.execute(update(ObservationRow).where(of_day).values(peak=value, p95=value))

    def stored(self) -> list[str]:
        """All rows of forecasts and points, in order."""
        with self.engine.connect() as connection:
            return sorted(
                str(tuple(row))
                for table in (ForecastRow, ForecastPointRow)
                for row in connection.execute(select(*table.__table__.columns))
            )

    def left(self) -> list[dict[str, str]]:
        """All results of the day in the lake, in order."""
        rows = read_table(self.results / "part-0.parquet").to_pylist()
        return sorted(rows, key=lambda row: (row["series_id"], row["statistic"]))

    def full(self) -> Site:
        """The same measurements and settings in a new lake, without any forecast, run."""
        path = self.folder / "full.db"
        with (
            closing(sqlite3.connect(self.folder / "store.db")) as source,
            closing(sqlite3.connect(path)) as target,
        ):
            source.backup(target)
            target.executescript("DELETE FROM forecast_point; DELETE FROM forecast;")
        engine = new_store(path)
        shutil.rmtree(self.folder / "full", ignore_errors=True)
        site = Site(self.folder, engine, self.options, self.day, lake_name="full")
        site.run()
        return site


def new_site(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A site with three days of three series."""
    monkeypatch.setattr(forecast_batches, "forecast_series", figures)
    monkeypatch.setattr(app, "job_progress", lambda *_: nullcontext())
    site = Site(folder, new_store(folder / "store.db"))
    for number, facility in enumerate(FACILITIES):
        observe(site.engine, "cf_busy_pct", facility, days(3, 40.0 + number), unit="%")
    facts = read_series(site.engine, "cf_busy_pct")
    upsert_series(site.engine, [each.model_copy(update={"forecast": True}) for each in facts])
    return site
