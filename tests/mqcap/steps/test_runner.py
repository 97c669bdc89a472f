"""Steps recorded with versions and counts, and what a full disk or a missing day means."""

from __future__ import annotations

import errno
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from mqcap.domain.errors import ConfigurationError, InputError, ServiceUnavailable
from mqcap.settings import Settings
from mqcap.steps import runner
from mqcap.store.findings import replace_findings
from mqcap.store.observations import replace_observations
from mqcap.store.series import upsert_series
from mqcap.store.step_runs import read_step_runs
from tests.factories import DAY, finding, observation, series_facts
from tests.stores import new_store


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.model_validate({
        "estate": [],
        "lake": str(tmp_path / "lake"),
        "store": {"url": f"sqlite:///{tmp_path / 'store.db'}"},
        "reports": {"folder": str(tmp_path / "reports")},
    })  # fmt: skip


@pytest.fixture
def engine(settings: Settings, tmp_path: Path) -> Engine:
    return new_store(tmp_path / "store.db")


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


def test_a_step_without_a_day_is_recorded_under_the_day_on_which_it_ran(
    settings: Settings, engine: Engine
) -> None:
    runner.observe(settings, date.min)
    assert read_step_runs(engine, date.min) == []
    assert [run.step for run in read_step_runs(engine, datetime.now(UTC).date())] == ["observe"]


def test_a_step_that_fails_is_not_recorded(settings: Settings, engine: Engine) -> None:
    @runner.recorded
    def fail(_settings: Settings, _day: date) -> dict[str, Any]:
        raise InputError("a damaged dump")

    with pytest.raises(InputError):
        fail(settings, DAY)
    assert read_step_runs(engine, DAY) == []


@pytest.mark.parametrize(
    ("number", "remedy"),
    [
        (errno.ENOSPC, "mqcap store prune"),
        (errno.EDQUOT, "mqcap store prune"),
        (errno.EFBIG, "mqcap store prune"),
        (errno.EROFS, "Mount it for writing"),
    ],
)
def test_a_full_or_read_only_disk_is_named_with_its_remedy(
    settings: Settings, engine: Engine, number: int, remedy: str
) -> None:
    @runner.recorded
    def write(_settings: Settings, _day: date) -> dict[str, Any]:
        raise OSError(number, "no space", "/lake/part-0.parquet")

    with pytest.raises(ServiceUnavailable, match=remedy) as raised:
        write(settings, DAY)
    assert "write cannot write /lake/part-0.parquet" in str(raised.value)


def test_any_other_error_of_the_system_is_raised_as_it_is(
    settings: Settings, engine: Engine
) -> None:
    @runner.recorded
    def write(_settings: Settings, _day: date) -> dict[str, Any]:
        raise ConnectionResetError(errno.ECONNRESET, "reset")

    with pytest.raises(ConnectionResetError):
        write(settings, DAY)


def test_a_refused_permission_names_the_step_and_the_folder(
    settings: Settings, engine: Engine
) -> None:
    @runner.recorded
    def write(_settings: Settings, _day: date) -> dict[str, Any]:
        raise PermissionError(errno.EACCES, "denied", "/lake")

    with pytest.raises(ConfigurationError, match="write may not use /lake; found denied"):
        write(settings, DAY)
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


def test_a_consistent_store_passes_its_check(settings: Settings, engine: Engine) -> None:
    runner.check_store(settings)


@pytest.mark.thorough
def test_a_process_that_runs_one_step_imports_none_of_the_others() -> None:
    code = (
        "import sys; import mqcap.steps.runner;"
        "import mqcap.steps.land; import mqcap.steps.observe;"
        "print(sorted(sys.modules.keys() & {'matplotlib', 'pandas', 'pyspark', 'sizing'}))"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "[]"
