import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine

from mqcap.domain.estate import Estate
from mqcap.files import write_json
from mqcap.lake.layout import manifest_path
from mqcap.lake.manifest import Manifest
from mqcap.lake.retention_state import RetentionState
from mqcap.settings import Settings
from mqcap.settings.models import Retention
from mqcap.steps import runner
from mqcap.steps.land import land
from mqcap.steps.prune import active_days, first_retained, remove_old
from mqcap.store.step_runs import read_step_runs
from spark_apps.aggregate import aggregation_plan
from spark_apps.decode import pending
from tests.mqcap.ingest.dumps import small_dump

pytestmark = pytest.mark.thorough

NEWEST = date(2026, 6, 30)
RETENTION = {"raw_days": 60, "interval_days": 90, "hourly_days": 200, "working_days": 10}


@pytest.fixture
def settings(tmp_path: Path, engine: Engine) -> Settings:
    (tmp_path / "inbox").mkdir()
    store = {"url": str(engine.url), "retention": RETENTION}
    ingest = {"inbox": tmp_path / "inbox", "settle_seconds": 0}
    forecast = {"keep_models_days": 9}
    given = {"lake": str(tmp_path / "lake"), "store": store, "ingest": ingest, "estate": []}
    given["forecast"] = forecast
    return Settings.model_validate(given)


def decoded(lake: Path, day: date, *, landed: bool = True, manifest: bool = True) -> str:
    sha256 = f"{day:%Y%m%d}".ljust(64, "0")
    row = Manifest(
        sha256=sha256, source="smf", name=f"{day}.smf", received_date=day, decoder_version="1",
        rows={"section_qjst": 1}, hour_dates=(day,),
    )  # fmt: skip
    files = [
        lake / "section_qjst" / f"received_date={day}" / f"{sha256}.parquet",
        *(lake / name / f"hour_date={day}" / "part-0.parquet"
          for name in ("metric_hourly", "metric_interval", "feed_interval")),
        *(lake / name / f"cutoff_date={day}" / "part-0.parquet"
          for name in ("training", "forecast_result")),
    ]  # fmt: skip
    if landed:
        files.append(lake / "landing" / "source=smf" / f"received_date={day}" / f"{sha256}.smf")
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x" * 10)
    if manifest:
        path = manifest_path(lake, sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(row.model_dump_json(), encoding="utf-8")
    write_json(lake / "metric_sources" / f"hour_date={day}.json", {"sources_digest": "first"})
    return sha256


def days_of(lake: Path, dataset: str) -> set[int]:
    result = (path.parent.name.partition("=")[2] for path in (lake / dataset).rglob("*.*")
             if path.parent.name.partition("=")[2])  # fmt: skip
    return {(NEWEST - date.fromisoformat(day)).days for day in result}


AGES = (0, 59, 60, 89, 90, 199, 200)


def test_each_level_keeps_its_days_once_and_for_all(settings: Settings, engine: Engine) -> None:
    lake = Path(settings.lake)
    for age in AGES:
        decoded(lake, NEWEST - timedelta(days=age))
    planned = remove_old(settings, engine, NEWEST, dry_run=True)
    assert days_of(lake, "landing") == set(AGES)
    counts = runner.prune(settings, NEWEST)
    assert {**counts, "rows": {}} == {**planned, "rows": {}}
    assert days_of(lake, "landing") == {0, 59}
    assert days_of(lake, "section_qjst") == {0, 59, 60, 89}
    assert days_of(lake, "metric_interval") == {0, 59, 60, 89}
    assert days_of(lake, "metric_hourly") == days_of(lake, "feed_interval") == set(AGES) - {200}
    assert days_of(lake, "training") == days_of(lake, "forecast_result") == {0}
    assert counts["files"] == {
        "feed_interval": 1, "forecast_result": 6, "landing": 5, "metric_hourly": 1,
        "metric_interval": 3, "metric_sources": 1, "section_qjst": 3, "training": 6,
    }  # fmt: skip
    again = runner.prune(settings, NEWEST)
    assert (again["files"], again["bytes"], again["raw"]) == ({}, 0, [])


def test_removed_files_are_recorded_with_their_run(settings: Settings, engine: Engine) -> None:
    sha256 = decoded(Path(settings.lake), NEWEST - timedelta(days=61))
    runner.prune(settings, NEWEST)
    [ran] = read_step_runs(engine, NEWEST)
    assert ran.step == "prune"
    assert ran.counts["raw"] == [sha256]
    assert ran.counts["first_kept"]["raw"] == "2026-05-02"


def test_a_file_not_decoded_yet_stays_however_old(settings: Settings, engine: Engine) -> None:
    lake = Path(settings.lake)
    decoded(lake, NEWEST - timedelta(days=500), manifest=False)
    remove_old(settings, engine, NEWEST)
    assert [file.path.name.endswith(".smf") for file in pending(lake)] == [True]


def test_dates_whose_intervals_are_gone_are_not_remade(settings: Settings, engine: Engine) -> None:
    lake = Path(settings.lake)
    old, recent = NEWEST - timedelta(days=120), NEWEST - timedelta(days=3)
    for day in (old, recent):
        decoded(lake, day)
    assert set(aggregation_plan(lake, Estate()).stale) == {old, recent}
    remove_old(settings, engine, NEWEST)
    assert set(aggregation_plan(lake, Estate()).stale) == {recent}


def test_a_removal_of_nothing_keeps_no_history_out(settings: Settings, engine: Engine) -> None:
    lake = Path(settings.lake)
    remove_old(settings, engine, NEWEST)
    old, older = NEWEST - timedelta(days=120), NEWEST - timedelta(days=330)
    decoded(lake, old)
    remove_old(settings, engine, NEWEST)
    decoded(lake, older)
    assert set(aggregation_plan(lake, Estate()).stale) == {older}


def test_a_removed_file_that_is_still_in_the_inbox_is_not_landed_again(
    settings: Settings, engine: Engine, tmp_path: Path
) -> None:
    small_dump(tmp_path / "inbox")
    assert land(settings, engine)["landed"] == 1
    lake = Path(settings.lake)
    [landed] = pending(lake)
    path = manifest_path(lake, landed.sha256)
    path.parent.mkdir(parents=True)
    row = Manifest(
        sha256=landed.sha256, source="smf", name="old.smf", received_date=landed.received_date,
        decoder_version="1", hour_dates=(date(2020, 1, 1),),
    )  # fmt: skip
    path.write_text(row.model_dump_json(), encoding="utf-8")
    assert remove_old(settings, engine, NEWEST)["raw"] == [landed.sha256]
    (lake / "landing" / "looked_at.json").unlink()
    assert (land(settings, engine)["landed"], pending(lake)) == (0, [])


def test_a_removal_that_was_killed_is_completed_by_the_next(
    settings: Settings, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = Path(settings.lake)
    sha256 = decoded(lake, NEWEST - timedelta(days=300))
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", lambda *_args, **_named: (_ for _ in ()).throw(OSError("x")))
        with pytest.raises(OSError, match="x"):
            remove_old(settings, engine, NEWEST)
    assert list(json.loads((lake / "kept.json").read_text())["removed"]) == [sha256]
    remove_old(settings, engine, NEWEST)
    assert days_of(lake, "landing") == days_of(lake, "section_qjst") == set()
    assert RetentionState.load(lake).removed.keys() == {sha256}


@given(
    st.builds(
        Retention,
        raw_days=st.integers(7, 300), interval_days=st.integers(7, 300),
        hourly_days=st.integers(7, 900), daily_days=st.integers(400, 2_000),
    )
)  # fmt: skip
def test_no_settings_remove_what_a_rerun_in_the_active_window_needs(retention: Retention) -> None:
    settings = Settings.model_validate({"store": {"retention": retention}, "estate": []})
    kept, active = first_retained(settings, NEWEST), active_days(settings)
    oldest = NEWEST - timedelta(days=active - 1)
    assert active > settings.rules.peak_days
    assert kept["raw"] <= oldest
    assert kept["interval"] <= oldest
    assert kept["hourly"] <= kept["interval"] - timedelta(days=2)
    assert kept["hourly"] <= oldest - timedelta(days=settings.rules.peak_days + 2)
    look_back = timedelta(days=settings.forecast.lookback_days - 1)
    assert kept["observation_daily"] <= oldest - look_back
