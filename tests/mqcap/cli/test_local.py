"""``mqcap local``: the options that reach the run, and its exit code."""

import sys
from pathlib import Path

import pytest

from devtools.local import folders, run
from mqcap.cli import local
from mqcap.domain.errors import ConfigurationError
from tests.mqcap.cli.command_line import invoked


def test_the_exit_code_is_that_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[bool, int]] = []

    def fake(*, serve: bool, days: int) -> int:
        asked.append((serve, days))
        return 3

    monkeypatch.setattr(run, "run", fake)
    assert invoked("local", "run").exit_code == 3
    assert invoked("local", "run", "--no-serve", "--days", "60").exit_code == 3
    assert asked == [(True, 400), (False, 60)]


def test_without_a_checkout_it_is_said_before_an_extra_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(folders, "CHECKOUT", tmp_path)
    monkeypatch.setitem(sys.modules, "psutil", None)
    for name in ("run", "airflow", "processes"):
        monkeypatch.delitem(sys.modules, f"devtools.local.{name}")
    error = invoked("local", "run").exception
    assert isinstance(error, ConfigurationError)
    assert f"{tmp_path} is not a checkout" in str(error)


def test_fewer_than_thirty_days_are_a_usage_error() -> None:
    result = invoked("local", "run", "--days", "29")
    assert result.exit_code == 2
    assert "--days" in result.output


def test_the_class_archive_is_named_when_it_is_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(local, "make_class_archive", lambda: tmp_path / "spark.jsa")
    result = invoked("local", "class-archive")
    assert result.output == f"{tmp_path / 'spark.jsa'} written\n"
