from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mqcap.domain.estate import Sysplex
from mqcap.domain.estate.places import Place
from mqcap.settings import Settings, load_settings
from mqcap.steps.daily_roll_up import daily_observations, lowest_hours
from mqcap.steps.observe import observe
from mqcap.store.database import Store
from mqcap.store.observations import read_observations
from mqcap.store.series import read_series
from sizing.rulebook.registry import all_rules
from tests.mqcap.builders import hours, utc, write_hours
from tests.stores import new_store

SERIES = "log_growth_mib_per_s/PLEX1/CSQ1"
YEAR = (date(2026, 1, 1), date(2026, 12, 31))


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.delenv("MQCAP_SETTINGS_FILE", raising=False)
    plex = Sysplex(sysplex="PLEX1", timezone="Europe/Copenhagen", smfids=("SYS1",))
    return load_settings(lake=str(tmp_path / "lake"), estate=(plex,))


@pytest.fixture
def engine(tmp_path: Path) -> Store:
    return new_store(tmp_path / "store.db")


def daily(frame: pd.DataFrame, zone: str = "Europe/Copenhagen") -> list[dict[Any, Any]]:
    return daily_observations(frame, {"PLEX1": zone}, "UTC").to_dict(orient="records")


def test_a_day_is_cut_in_the_time_zone_of_the_sysplex() -> None:
    rows = daily(hours(utc(10, 22), [1.0, 2.0, 3.0]))
    assert [(row["site_date"], row["covered_hours"]) for row in rows] == [
        (date(2026, 3, 10), 1.0),
        (date(2026, 3, 11), 2.0),
    ]


def test_the_spring_day_has_23_hours_and_the_autumn_day_25() -> None:
    spring = daily(hours(utc(28, 23), [1.0] * 23))
    autumn = daily(hours(utc(24, 22, month=10), [1.0] * 25))
    assert [row["covered_hours"] for row in spring] == [23.0]
    assert [row["covered_hours"] for row in autumn] == [25.0]


@pytest.mark.parametrize(
    "zone", ["America/Havana", "Africa/Casablanca", "Atlantic/Azores", "Pacific/Apia", "UTC"]
)
def test_site_dates_are_those_of_the_time_zones_of_python(zone: str) -> None:
    begins = [utc(day, 0, month=month) for month in (3, 4, 9, 11) for day in (1, 29)]
    frame = pd.concat([hours(begin, [1.0] * 48) for begin in begins])
    counted = Counter(
        moment.to_pydatetime().astimezone(ZoneInfo(zone)).date() for moment in frame["hour_utc"]
    )
    found = {row["site_date"]: row["covered_hours"] for row in daily(frame, zone)}
    assert found == counted


def test_the_mean_weighs_hours_by_their_covered_time() -> None:
    full = hours(utc(10, 8), [4.0])
    short = hours(utc(10, 9), [1.0], covered_seconds=1_200.0)
    [row] = daily(pd.concat([full, short]))
    assert row["mean"] == pytest.approx((4.0 * 3_600 + 1.0 * 1_200) / 4_800)
    assert row["covered_hours"] == pytest.approx(4_800 / 3_600)


def test_peak_p95_total_and_the_busiest_hour_are_of_the_day() -> None:
    values = [float(number) for number in range(1, 22)]
    [row] = daily(hours(utc(10, 1), values))
    assert row["peak"] == 42.0
    assert row["p95"] == pytest.approx(20.0)
    assert row["total"] == pytest.approx(sum(values) * 3_600)
    assert row["busiest_hour_utc"] == pd.Timestamp(utc(10, 21))


LOWEST = {"ims_checkpoint_minutes": "ims_checkpoint_minutes_lowest"}


def lowest(*means: float) -> list[dict[Any, Any]]:
    """The lowest hours of a figure with these hourly means from 1 UTC on, beside another series."""
    frame = hours(utc(10, 1), list(means))
    measured = frame.assign(metric="ims_checkpoint_minutes")
    both = pd.concat([frame, measured])
    return lowest_hours(both, LOWEST, {"PLEX1": "UTC"}, "UTC").to_dict(orient="records")


@pytest.mark.parametrize(("least", "is_breach"), [(9.9, True), (10.0, False), (10.1, False)])
def test_the_lowest_hour_of_a_day_is_what_a_floor_is_held_against(
    least: float, is_breach: bool
) -> None:
    [row] = lowest(20.0, least, 19.0)
    assert row["series_id"] == "ims_checkpoint_minutes_lowest/PLEX1/CSQ1"
    assert {row["mean"], row["p95"], row["peak"]} == {least}
    assert row["busiest_hour_utc"] == pd.Timestamp(utc(10, 2))
    assert pd.isna(row["total"])
    rule = all_rules()["IMS-CKPT"]
    assert rule.assess(rule.inputs.model_validate({"minutes": row["mean"]})).breach is is_breach


@pytest.mark.parametrize(("least", "is_breach"), [(199.0, True), (200.0, False), (201.0, False)])
def test_a_floor_of_the_site_is_held_against_the_lowest_hour(least: float, is_breach: bool) -> None:
    [row] = lowest(900.0, least)
    rule = all_rules()["SITE-MIN-SCRATCH_TAPES"]
    values = {"value": row["mean"], "limit": 200.0, "unit": "count"}
    assert rule.assess(rule.inputs.model_validate(values)).breach is is_breach


def test_without_a_figure_of_which_low_is_bad_there_is_no_lowest_hour() -> None:
    frame = hours(utc(10, 1), [1.0])
    assert lowest_hours(frame, LOWEST, {"PLEX1": "UTC"}, "UTC").empty


def test_a_gauge_has_no_total() -> None:
    [row] = daily(hours(utc(10, 1), [1.0, 2.0], total=float("nan")))
    assert pd.isna(row["total"])


def test_observations_are_stored_once_and_a_second_run_finds_nothing_to_do(
    settings: Settings, engine: Store
) -> None:
    write_hours(Path(settings.lake), hours(utc(10), [1.0] * 48))
    first = observe(settings, engine)
    before = read_observations(engine, SERIES, *YEAR)
    second = observe(settings, engine)
    assert first["hour_dates"] == 2
    assert (second["hour_dates"], second["observations"]) == (0, 0)
    assert read_observations(engine, SERIES, *YEAR) == before
    assert [day.site_date.day for day in before] == [10, 11, 12]


def test_dates_of_several_runs_are_read_whether_or_not_a_name_could_be_null(
    settings: Settings, engine: Store
) -> None:
    lake = Path(settings.lake)
    write_hours(lake, pd.concat([hours(utc(10, 8), [1.0, 2.0]), hours(utc(11, 8), [3.0])]))
    [partition] = lake.glob("metric_hourly/hour_date=2026-03-11/*.parquet")
    table = pq.read_table(partition, partitioning=None)
    names = {"metric", "subject"}
    columns = [column.with_nullable(column.name not in names) for column in table.schema]
    pq.write_table(table.cast(pa.schema(columns)), partition)
    observe(settings, engine)
    days = read_observations(engine, SERIES, *YEAR)
    assert [(day.site_date, day.peak) for day in days] == [
        (date(2026, 3, 10), 4.0),
        (date(2026, 3, 11), 6.0),
    ]


@pytest.mark.thorough
def test_late_data_rewrites_its_own_days_only(settings: Settings, engine: Store) -> None:
    lake = Path(settings.lake)
    write_hours(lake, hours(utc(1), [1.0] * 24 * 10))
    observe(settings, engine)
    before = {day.site_date: day for day in read_observations(engine, SERIES, *YEAR)}
    write_hours(lake, hours(utc(5), [7.0] * 24), digest="second")
    observe(settings, engine)
    after = {day.site_date: day for day in read_observations(engine, SERIES, *YEAR)}
    changed = {day for day in after if after[day] != before[day]}
    assert changed == {date(2026, 3, 5), date(2026, 3, 6)}
    assert after[date(2026, 3, 5)].peak == 14.0


@pytest.mark.thorough
def test_a_day_whose_data_was_withdrawn_disappears(settings: Settings, engine: Store) -> None:
    lake = Path(settings.lake)
    write_hours(lake, hours(utc(1), [1.0] * 24 * 4))
    observe(settings, engine)
    for gone in ("02", "03"):
        (lake / f"metric_hourly/hour_date=2026-03-{gone}/part.parquet").unlink()
        sources = lake / f"metric_sources/hour_date=2026-03-{gone}.json"
        sources.write_text('{"sources_digest": "empty"}', encoding="utf-8")
    observe(settings, engine)
    days = [day.site_date.day for day in read_observations(engine, SERIES, *YEAR)]
    assert days == [1, 2, 4, 5]


def test_the_series_knows_its_unit_and_its_span(settings: Settings, engine: Store) -> None:
    write_hours(Path(settings.lake), hours(utc(10), [1.0] * 24))
    observe(settings, engine)
    [facts] = read_series(engine)
    assert (facts.unit, facts.forecast, facts.subject) == ("MiB/s", True, "PLEX1/CSQ1")
    assert (facts.first_site_date, facts.last_site_date) == (date(2026, 3, 10), date(2026, 3, 11))


def test_log_growth_that_the_console_contradicts_is_reported(
    settings: Settings, engine: Store, caplog: pytest.LogCaptureFixture
) -> None:
    frame = hours(utc(10, 22), [50.0, 50.0]).assign(metric="log_growth_deviation_pct")
    write_hours(Path(settings.lake), frame)
    catalogue = Path(settings.lake) / "metric_catalogue.json"
    catalogue.write_text(catalogue.read_text().replace("log_growth_mib_per_s", frame["metric"][0]))
    observe(settings, engine)
    assert "50 % more log growth than the log switches" in caplog.text


@pytest.mark.thorough
def test_a_queue_below_the_floor_of_its_site_has_no_series_until_it_reaches_it(
    tmp_path: Path, engine: Store, caplog: pytest.LogCaptureFixture
) -> None:
    lake, metric = tmp_path / "lake", "mq_queue_depth_used_pct"
    place = Place.model_validate(
        {"site": "EAST", "qmgrs": [{"name": "QM1"}], "queue_floor": {"used_pct": 5}}
    )
    settings = load_settings(lake=str(lake), estate=(place,))

    def seen(day: int, digest: str, **peaks: float) -> list[str]:
        frames = [
            hours(utc(day), [1.0] * 24, subject=f"EAST/QM1/{name}", peak=peak, metric=metric)
            for name, peak in peaks.items()
        ]
        write_hours(lake, pd.concat(frames), digest)
        catalogue = lake / "metric_catalogue.json"
        text = catalogue.read_text().replace("log_growth_mib_per_s", metric)
        catalogue.write_text(text.replace('"queue_manager"', '"distributed_queue"'))
        observe(settings, engine)
        return [facts.subject for facts in read_series(engine, metric)]

    assert seen(10, "first", BUSY=6.0, IDLE=4.9) == ["EAST/QM1/BUSY"]
    assert "1 queue of 1 queue manager never reached queue_floor" in caplog.text
    assert seen(20, "second", BUSY=1.0, IDLE=5.0) == ["EAST/QM1/BUSY", "EAST/QM1/IDLE"]
    assert seen(25, "third", BUSY=1.0, IDLE=1.0) == ["EAST/QM1/BUSY", "EAST/QM1/IDLE"]
    days = read_observations(engine, f"{metric}/EAST/QM1/BUSY", *YEAR)
    assert [(day.site_date.day, day.peak) for day in days] == [(10, 6.0), (20, 1.0), (25, 1.0)]
