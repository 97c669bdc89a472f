import shutil
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import Sysplex
from mqcap.domain.estate.places import Place
from mqcap.lake.manifest import write_manifest
from mqcap.lake.retention_state import RetentionState
from mqcap.settings import Settings, load_settings
from mqcap.steps.observe import observe
from mqcap.store.database import Store
from mqcap.store.feeds import upsert_source_files
from mqcap.store.observations import read_observations
from mqcap.store.series import read_series
from tests.factories import source_file
from tests.mqcap.builders import hours, utc, write_hours
from tests.spark_apps.manifests import DAY, NEXT, manifest

SERIES = "log_growth_mib_per_s/PLEX1/CSQ1"
YEAR = (date(2026, 1, 1), date(2026, 12, 31))


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.delenv("MQCAP_SETTINGS_FILE", raising=False)
    plex = Sysplex(sysplex="PLEX1", timezone="Europe/Copenhagen", smfids=("SYS1",))
    return load_settings(lake=str(tmp_path / "lake"), estate=(plex,))


def test_observations_are_stored_once_for_all_runs(settings: Settings, engine: Store) -> None:
    write_hours(Path(settings.lake), hours(utc(10), [1.0] * 48))
    first = observe(settings, engine)
    before = read_observations(engine, SERIES, *YEAR)
    second = observe(settings, engine)
    assert first["hour_dates"] == 2
    assert (second["hour_dates"], second["observations"]) == (0, 0)
    assert read_observations(engine, SERIES, *YEAR) == before
    assert [day.site_date.day for day in before] == [10, 11, 12]


def test_dates_of_several_runs_are_read_nulls_or_not(settings: Settings, engine: Store) -> None:
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


def test_a_new_file_of_dates_whose_records_were_removed_is_named_with_the_key(
    settings: Settings, engine: Store, caplog: pytest.LogCaptureFixture
) -> None:
    lake = Path(settings.lake)
    RetentionState(interval_from=NEXT).save(lake)
    write_manifest(lake, manifest("a"))
    write_manifest(lake, manifest("b", hour_dates=(DAY, NEXT)))
    row = {"source": "smf", "received_date": NEXT, "landed_at_utc": utc(11), "bytes_count": 1}
    upsert_source_files(engine, [{**row, "sha256": "b", "name": "OLD.SMF"}])
    assert [observe(settings, engine)["dates_left_out"] for _ in range(2)] == [1, 0]
    assert "OLD.SMF: left out on 1 of its 2 UTC dates (2025-03-10 to 2025-03-10)" in caplog.text
    assert "store.retention.interval_days: 200" in caplog.text


def test_a_lake_without_days_that_the_store_knows_is_refused(
    settings: Settings, engine: Store, tmp_path: Path
) -> None:
    lake = Path(settings.lake)
    write_hours(lake, hours(utc(10), [1.0] * 48))
    first = datetime(2026, 3, 10, tzinfo=UTC)
    span = {"first_interval_utc": first, "last_interval_utc": first + timedelta(days=1)}
    upsert_source_files(engine, [source_file(record_count=24, **span)])
    observe(settings, engine)
    lake.rename(tmp_path / "unmounted")
    lost = r"the store knows days that the lake does not have; found 2 UTC dates missing in .*lake"
    with pytest.raises(ConfigurationError, match=lost):
        observe(settings, engine)
    write_hours(lake, hours(utc(12), [1.0] * 24))
    with pytest.raises(ConfigurationError, match="2026-03-10 to 2026-03-11"):
        observe(settings, engine)
    shutil.rmtree(lake)
    (tmp_path / "unmounted").rename(lake)
    assert observe(settings, engine)["hour_dates"] == 0


def test_what_could_not_be_read_is_logged_once_with_the_name_as_it_was_sent(
    settings: Settings, engine: Store, caplog: pytest.LogCaptureFixture
) -> None:
    problem = "a.smf: 540 bytes could not be read. a.smf record 3 ends early; a.smf is cut."
    write_manifest(Path(settings.lake), manifest("a", name="a.smf", problem=problem))
    row = {"source": "smf", "received_date": DAY, "landed_at_utc": utc(11), "bytes_count": 1}
    upsert_source_files(engine, [{**row, "sha256": "a", "name": "NIGHT.SMF"}])
    observe(settings, engine)
    observe(settings, engine)
    assert caplog.messages == [
        "NIGHT.SMF: 540 bytes could not be read. record 3 ends early; the file is cut."
    ]


def test_what_is_true_of_a_system_is_told_once_for_all_of_its_files(
    settings: Settings, engine: Store, caplog: pytest.LogCaptureFixture
) -> None:
    row = {"source": "csv", "received_date": DAY, "landed_at_utc": utc(11), "bytes_count": 1}
    for name in ("a", "b"):
        problems = ("The time zone of SYS1 is not known.", f"{name}.csv: cut.")
        made = manifest(name, name=f"{name}.csv", problems=problems)
        write_manifest(Path(settings.lake), made)
        upsert_source_files(engine, [{**row, "sha256": name, "name": f"SMF-{name}.csv"}])
    observe(settings, engine)
    assert [text for text in caplog.messages if "zone" in text or "cut" in text] == [
        "The time zone of SYS1 is not known.",
        "SMF-a.csv: cut.",
        "SMF-b.csv: cut.",
    ]
