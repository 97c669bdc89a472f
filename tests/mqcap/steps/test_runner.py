import errno
import shutil
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from mqcap.domain.errors import ConfigurationError, InputError, ServiceUnavailable
from mqcap.lake.manifest import manifests
from mqcap.lake.retention_state import RetentionState
from mqcap.settings import Settings, load_settings
from mqcap.steps import runner
from mqcap.steps.land import land
from mqcap.steps.step_words import step_line
from mqcap.steps.withdraw import withdraw
from mqcap.store.database import Store
from mqcap.store.feeds import read_source_files
from mqcap.store.findings import replace_findings
from mqcap.store.observations import replace_observations
from mqcap.store.series import upsert_series
from mqcap.store.step_runs import read_step_runs
from spark_apps.decode import pending
from spark_apps.decode_file import DecodeOptions, decode_file
from tests.factories import DAY, finding, observation, series_facts
from tests.mqcap.ingest.dumps import small_dump
from tests.stores import new_store


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.model_validate({
        "estate": [],
        "lake": str(tmp_path / "lake"),
        "store": {"url": f"sqlite:///{tmp_path / 'store.db'}"},
        "reports": {"folder": str(tmp_path / "reports")},
    })  # fmt: skip


def test_a_step_is_recorded_with_versions_and_counts(settings: Settings, engine: Engine) -> None:
    @runner.recorded
    def count(_settings: Settings, _day: date, *, files: int) -> dict[str, Any]:
        return {"files": files, "from": DAY}

    assert count(settings, DAY, files=3) == {"files": 3, "from": DAY}
    [run] = read_step_runs(engine, DAY)
    assert (run.step, run.counts) == ("count", {"files": 3, "from": "2026-03-02"})
    assert set(run.versions) == {
        "mqcap", "python", "code_sha256", "rules_sha256", "settings_sha256",
    }  # fmt: skip


def test_a_step_without_a_day_is_recorded_when_it_ran(settings: Settings, engine: Engine) -> None:
    runner.observe(settings, date.min)
    assert read_step_runs(engine, date.min) == []
    assert [run.step for run in read_step_runs(engine, datetime.now(UTC).date())] == ["observe"]


@pytest.mark.parametrize(
    ("raised", "kind", "words"),
    [
        (InputError("a damaged dump"), InputError, "a damaged dump"),
        (OSError(errno.ENOSPC, "x", "/lake/a"), ServiceUnavailable, "step cannot write /lake/a"),
        (PermissionError(errno.EACCES, "denied", "/lake"), ConfigurationError, "may not use /lake"),
        (ConnectionResetError(errno.ECONNRESET, "reset"), ConnectionResetError, "reset"),
    ],
)
def test_a_step_that_fails_is_not_recorded_and_named_where_the_system_refused_it(
    settings: Settings, engine: Engine, raised: Exception, kind: type[Exception], words: str
) -> None:
    @runner.recorded
    def step(_settings: Settings, _day: date) -> dict[str, Any]:
        raise raised

    with pytest.raises(kind, match=words):
        step(settings, DAY)
    assert read_step_runs(engine, DAY) == []


def test_the_last_day_is_the_newest_with_observations(settings: Settings, engine: Engine) -> None:
    assert runner.last_day(settings) is None
    upsert_series(engine, [series_facts()])
    replace_observations(engine, [DAY], [observation()], {})
    assert runner.last_day(settings) == DAY


def test_reports_wait_until_the_day_has_findings(settings: Settings, engine: Engine) -> None:
    with pytest.raises(ServiceUnavailable, match="2026-03-02") as raised:
        runner.reports(settings, DAY)
    assert "daily DAG" in str(raised.value)


@pytest.mark.thorough
def test_one_kind_of_report_is_written_in_every_format(settings: Settings, engine: Engine) -> None:
    replace_findings(engine, DAY, [finding()])
    paths = runner.reports(settings, DAY, "weekly")
    assert sorted(Path(path).name for path in paths) == [
        f"mqcap-weekly-2026-03-02.{form}" for form in ("html", "pdf", "xlsx")
    ]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("imported", "absent"),
    [
        (
            "mqcap.steps.runner, mqcap.steps.land, mqcap.steps.observe",
            {"alembic", "matplotlib", "pandas", "pyspark", "sizing"},
        ),
        ("spark_apps.forecast", {"alembic", "sqlalchemy"}),  # by each of Spark's workers
    ],
)
def test_a_process_of_one_step_imports_nothing_of_others(imported: str, absent: set[str]) -> None:
    code = f"import sys, {imported}; print(sorted(sys.modules.keys() & {absent}))"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("step", "counts", "line"),
    [
        ("land", {"landed": 0, "known": 1, "waiting": []}, "1 file that is in the lake already"),
        ("observe", {"files": 9, "site_dates": 3, "observations": 14}, "14 daily figures"),
        ("decode_and_aggregate", {"problems": 1}, "1 file that cannot be used"),
        ("alert", {"problems": 1, "mail": "nothing_new"}, "1 problem, mail nothing new"),
        ("alert", {"refused": "gone@x.example: 550"}, "refused gone@x.example: 550"),
        ("observe", {}, "nothing new"),
    ],
)  # fmt: skip
def test_a_step_says_what_it_did_in_units(step: str, counts: dict[str, object], line: str) -> None:
    assert step_line(step, counts) == f"{step}: {line}"


@pytest.fixture
def site(tmp_path: Path) -> Settings:
    (tmp_path / "inbox").mkdir()
    ingest = {"inbox": str(tmp_path / "inbox"), "settle_seconds": 0}
    return load_settings(lake=str(tmp_path / "lake"), ingest=ingest)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return new_store(tmp_path / "store.db")


def loaded(site: Settings, store: Store, inputs: list[str] | None = None) -> int:
    land(site, store, inputs)
    lake = Path(site.lake)
    return len([decode_file(file, DecodeOptions(lake, 0.0)) for file in pending(lake)])


def rows_in(site: Settings) -> list[str]:
    lake = Path(site.lake)
    return sorted(str(path.relative_to(lake)) for path in lake.rglob("*.parquet"))


@pytest.mark.parametrize("by_hash", [True, False])
def test_its_rows_are_gone_until_a_new_load(site: Settings, store: Store, *, by_hash: bool) -> None:
    dump = small_dump(site.ingest.inbox)
    assert loaded(site, store) == 1
    rows, [file] = rows_in(site), read_source_files(store)
    for _ in range(2):
        done = withdraw(site, store, file.sha256[:8].upper() if by_hash else dump.name)
    assert (done["sha256"], done["dates_that_stay"]) == (file.sha256, 0)
    assert (rows_in(site), manifests(Path(site.lake))) == ([], [])
    assert "takes it back" in str(read_source_files(store)[0].problem)
    assert loaded(site, store) == 0
    assert loaded(site, store, [str(dump)]) == 1
    assert (rows_in(site), read_source_files(store)) == (rows, [file])


def test_a_file_that_retention_removed_can_be_taken_back(site: Settings, store: Store) -> None:
    dump = small_dump(site.ingest.inbox)
    loaded(site, store)
    lake, [file] = Path(site.lake), read_source_files(store)
    [path] = (lake / "landing").glob("source=*/*/*.smf")
    RetentionState(removed={file.sha256: str(path.relative_to(lake))}).save(lake)
    path.unlink()
    withdraw(site, store, dump.name)
    assert [loaded(site, store), loaded(site, store, [str(dump)])] == [0, 1]


def test_a_name_that_nothing_or_several_files_have_is_refused_with_the_hashes(
    site: Settings, store: Store, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"SYS1\.smf: no delivered file has this name or hash"):
        withdraw(site, store, "SYS1.smf")
    dump = small_dump(tmp_path)
    for number, folder in enumerate((tmp_path / "a", tmp_path / "b")):
        folder.mkdir()
        (folder / "SYS1.smf").write_bytes(dump.read_bytes() * (number + 1))
        loaded(site, store, [str(folder)])
    shutil.rmtree(tmp_path / "a")
    with pytest.raises(InputError, match="2 delivered files have this name") as raised:
        withdraw(site, store, "SYS1.smf")
    assert all(file.sha256[:12] in str(raised.value) for file in read_source_files(store))


def test_days_without_records_stay_and_their_file_is_refused(site: Settings, store: Store) -> None:
    dump = small_dump(site.ingest.inbox)
    loaded(site, store)
    lake = Path(site.lake)
    [manifest] = manifests(lake)
    last: date = max(manifest.hour_dates)
    RetentionState(interval_from=last + timedelta(days=1)).save(lake)
    for path in rows_in(site):
        (lake / path).unlink()
    with pytest.raises(InputError, match=r"removed.*store\.retention\.interval_days"):
        withdraw(site, store, dump.name)
