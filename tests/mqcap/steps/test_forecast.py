import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mqcap.domain.errors import ConfigurationError, InputError, ServiceUnavailable
from mqcap.domain.estate import Sysplex
from mqcap.domain.forecast import DriverCourse, Forecast
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.settings import Settings
from mqcap.settings.analysis import DriverSettings
from mqcap.steps import runner
from mqcap.steps.backfill import MAX_DAYS, backfill
from mqcap.steps.forecast import export_training, store_forecasts
from mqcap.store.database import Store
from mqcap.store.forecasts import read_forecasts
from mqcap.store.series import read_series, upsert_series
from tests.mqcap.rulebook.builders import days, observe, observe_limit

DAY = date(2026, 10, 15)
SERIES = "cf_busy_pct/PLEX1/CF01"


def settings(lake: Path, *plexes: Sysplex) -> Settings:
    return Settings(lake=str(lake), estate=plexes)


def result(lake: Path, day: date, model: str | None = '{"growth": "linear"}') -> Path:
    made = Forecast(
        series_id=SERIES,
        statistic=Statistic.peak,
        cutoff_date=day,
        model="prophet",
        horizon_days=180,
        trained_days=400,
        interval_width=0.8,
        refusal="no data",
    )
    row = {"series_id": SERIES, "statistic": "peak", "document": made.model_dump_json()}
    schema = pa.schema([(name, pa.string()) for name in row])
    folder = lake / "forecast_result" / f"cutoff_date={day}"
    folder.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist([row], schema), folder / "part-0.parquet")
    (folder / "_SUCCESS").touch()
    return folder


def test_models_are_deleted_after_the_days_of_the_settings(tmp_path: Path, engine: Store) -> None:
    old, kept = (result(tmp_path, DAY - timedelta(days=back)) for back in (15, 14))
    result(tmp_path, DAY)
    assert store_forecasts(settings(tmp_path), engine, DAY) == {"forecasts": 0, "refused": 1}
    assert not old.exists()
    assert kept.exists()


def test_forecasts_that_are_gone_from_the_lake_or_incomplete_leave_those_of_the_store(
    tmp_path: Path, engine: Store
) -> None:
    """A later day's run removes old results, and a killed one leaves a part of them."""
    folder = result(tmp_path, DAY)
    store_forecasts(settings(tmp_path), engine, DAY)
    stored = read_forecasts(engine, DAY)
    for lose in ((folder / "_SUCCESS").unlink, partial(shutil.rmtree, folder)):
        lose()
        with pytest.raises(InputError, match="no complete forecasts of 2026"):
            store_forecasts(settings(tmp_path), engine, DAY)
    assert read_forecasts(engine, DAY) == stored != []


def measured_busy(engine: Store, facility: str) -> None:
    observe(engine, "cf_busy_pct", facility, days(3, 40.0), unit="%")
    [facts] = [each for each in read_series(engine, "cf_busy_pct") if each.subject == facility]
    upsert_series(engine, [facts.model_copy(update={"forecast": True})])


def training(lake: Path) -> pa.Table:
    return pq.read_table(lake / "training" / f"cutoff_date={DAY}" / "part-0.parquet")


def test_without_a_driver_file_the_export_has_the_same_bytes(tmp_path: Path, engine: Store) -> None:
    measured_busy(engine, "PLEX1/CF01")
    given = settings(tmp_path / "one")
    other = settings(tmp_path / "two").model_copy(
        update={"drivers": DriverSettings(series={"*": "payments"})}
    )
    for each in (given, other):
        export_training(each, engine, DAY)
    one, two = (
        (Path(each.lake) / "training" / f"cutoff_date={DAY}" / "part-0.parquet").read_bytes()
        for each in (given, other)
    )
    assert one == two
    assert training(Path(given.lake)).num_rows > 0
    assert "driver" not in training(Path(given.lake)).column_names


def test_a_driver_goes_with_the_first_row_of_each_statistic(
    tmp_path: Path, engine: Store, caplog: pytest.LogCaptureFixture
) -> None:
    for facility in ("PLEX1/CF01", "PLEX1/CF02"):
        measured_busy(engine, facility)
    file = tmp_path / "drivers.csv"
    file.write_text(f"driver,time,value\npayments,{DAY},5\na,b,c\n", encoding="utf-8")
    drivers = DriverSettings(file=file, series={SERIES: "payments"})
    given = settings(tmp_path).model_copy(update={"drivers": drivers})
    export_training(given, engine, DAY)
    assert [record.message for record in caplog.records] == [
        f"{file} line 3: 'b' is no day such as 2026-01-31; the line is left out"
    ]
    rows = training(tmp_path).to_pylist()
    first = {row["statistic"]: row for row in reversed(rows) if row["series_id"] == SERIES}
    with_driver = [row for row in rows if row["driver"] is not None]
    assert with_driver == sorted(first.values(), key=lambda row: row["series_number"])
    assert {DriverCourse.model_validate_json(row["driver"]).name for row in with_driver} == {
        "payments"
    }


def test_a_raised_limit_is_no_fall_of_what_is_forecast(tmp_path: Path, engine: Store) -> None:
    subject, kind = "EAST/QM1/APP.IN", SubjectKind.distributed_queue
    before, newest = sorted(days(2, 0.0))
    used, limit = {before: 80.0, newest: 50.0}, {before: 5_000.0, newest: 8_000.0}
    observe(engine, "mq_queue_depth_used_pct", subject, used, kind=kind, unit="%")
    observe_limit(engine, "mq_queue_depth_max_count", subject, limit, kind)
    [facts] = read_series(engine, "mq_queue_depth_used_pct")
    upsert_series(engine, [facts.model_copy(update={"forecast": True})])
    export_training(settings(tmp_path), engine, newest)
    [partition] = (tmp_path / "training").glob("cutoff_date=*")
    rows = pq.read_table(partition).to_pylist()
    assert [row["value"] for row in rows if row["statistic"] == "peak"] == [50.0, 50.0]


FIRST = date(2026, 3, 1)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, date]]:
    made: list[tuple[str, date]] = []

    def step(name: str) -> Any:
        def noted(_settings: Settings, day: date, *, replay: bool = False) -> dict[str, Any]:
            made.append((f"{name} replay" if replay else name, day))
            return {"rows": len(made)}

        noted.__name__ = name
        return noted

    @contextmanager
    def one_session() -> Iterator[None]:
        made.append(("session kept", date.min))
        yield
        made.append(("session ended", date.max))

    forecast = tuple(map(step, ("export_training", "fit", "store_forecasts")))
    monkeypatch.setattr(runner, "LOAD", (step("land"), step("observe")))
    monkeypatch.setattr(runner, "FORECAST", forecast)
    for each in (*forecast, step("size"), step("alert")):
        monkeypatch.setattr(runner, each.__name__, each)
    monkeypatch.setattr(runner, "one_session", one_session)
    return made


def of_day(calls: list[tuple[str, date]], day: date) -> list[str]:
    return [name for name, of in calls if of == day]


def test_all_is_loaded_once_and_each_day_replayed_in_order(calls: list[tuple[str, date]]) -> None:
    days = [FIRST + timedelta(days=number) for number in range(3)]
    backfill(Settings(), days[0], days[-1], lambda _line: None)
    assert of_day(calls, date.min) == ["session kept", "land", "observe"]
    for day in days:
        assert of_day(calls, day) == [
            "export_training", "fit", "store_forecasts", "size", "alert replay",
        ]  # fmt: skip
    assert [of for name, of in calls if name == "size"] == days
    assert calls[-1] == ("session ended", date.max)


def test_a_day_is_complete_before_the_failure_of_the_next_ones_forecasts_is_raised(
    calls: list[tuple[str, date]], monkeypatch: pytest.MonkeyPatch
) -> None:
    second = FIRST + timedelta(days=1)
    noted = runner.FORECAST[0]

    def fails(settings: Settings, day: date) -> dict[str, Any]:
        if day == second:
            raise ServiceUnavailable("no answer")
        return noted(settings, day)

    fails.__name__ = noted.__name__
    monkeypatch.setattr(runner, "FORECAST", (fails, *runner.FORECAST[1:]))
    lines: list[str] = []
    with pytest.raises(ServiceUnavailable, match="no answer"):
        backfill(Settings(), FIRST, second, lines.append)
    assert of_day(calls, FIRST)[-1] == "alert replay"
    assert lines[-1].startswith("2026-03-01: ")
    assert of_day(calls, second) == []


def test_progress_has_a_line_for_each_step_of_load_and_day(calls: list[tuple[str, date]]) -> None:
    lines: list[str] = []
    backfill(Settings(), FIRST, FIRST, lines.append)
    assert [line.partition(": ")[0] for line in lines] == ["land", "observe", "2026-03-01"]
    assert re.fullmatch(rf"2026-03-01: {len(calls) - 1} daily figures; [0-9.]+ s", lines[-1])


@pytest.mark.parametrize("days", [-1, MAX_DAYS])
def test_an_empty_or_endless_range_is_refused(calls: list[tuple[str, date]], days: int) -> None:
    with pytest.raises(ConfigurationError, match="invalid range of days") as raised:
        backfill(Settings(), FIRST, FIRST + timedelta(days=days), lambda _line: None)
    assert f"at most {MAX_DAYS} days" in str(raised.value)
    assert calls == []


def test_the_longest_range_is_ten_years(calls: list[tuple[str, date]]) -> None:
    backfill(Settings(), FIRST, FIRST + timedelta(days=MAX_DAYS - 1), lambda _line: None)
    assert len(calls) == 4 + 5 * MAX_DAYS
