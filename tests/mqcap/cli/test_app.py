from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from mqcap.cli import app
from mqcap.domain.errors import ConfigurationError
from tests.mqcap.ingest.dumps import small_dump

RUNNER = CliRunner()


@pytest.fixture(autouse=True)
def no_settings_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MQCAP_SETTINGS_FILE", raising=False)


def test_an_error_of_ours_is_one_line_and_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "argv", ["mqcap", "settings", "check"])
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(tmp_path / "[/nowhere]"))
    with pytest.raises(SystemExit) as ended:
        app.main()
    printed = capsys.readouterr().err
    assert ended.value.code == 1
    assert "[/nowhere]" in printed
    assert "Traceback" not in printed


def test_the_settings_are_printed_without_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MQCAP_STORE__URL", "postgresql://user:hunter2@db/mqcap")
    result = RUNNER.invoke(app.app, ["settings", "check"])
    assert result.exit_code == 0
    assert "horizon_days" in result.output
    assert "hunter2" not in result.output


def test_an_empty_store_says_what_to_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MQCAP_STORE__URL", f"sqlite:///{tmp_path}/store.db")
    result = RUNNER.invoke(app.app, ["report"])
    assert isinstance(result.exception, ConfigurationError)
    assert "mqcap load" in str(result.exception)


def test_an_estate_is_simulated_for_the_days_asked_for(tmp_path: Path) -> None:
    arguments = ["simulate", "--out", str(tmp_path), "--days", "3", "--last-day", "2026-10-15"]
    result = RUNNER.invoke(app.app, arguments)
    assert result.exit_code == 0, result.output
    assert (tmp_path / "dumps" / "PLEX1.2026-10-15.smf").stat().st_size > 100_000
    assert (tmp_path / "platform.yaml").is_file()


def history(folder: Path) -> Path:
    days = pd.date_range("2026-01-01", periods=120, freq="D")
    rows = pd.DataFrame({"unique_id": "S1", "ds": days, "y": [10 + 0.1 * n for n in range(120)]})
    file = folder / "history.csv"
    rows.to_csv(file, index=False)
    return file


def test_a_csv_of_history_becomes_forecasts_and_dated_crossings(tmp_path: Path) -> None:
    limits = tmp_path / "limits.csv"
    limits.write_text("unique_id,threshold,origin\nS1,25,2026-04-30\n", encoding="utf-8")
    out, crossings = tmp_path / "forecast.csv", tmp_path / "crossings.csv"
    arguments = ["forecast", "--history", str(history(tmp_path)), "--horizon", "14"]
    arguments += ["--out", str(out), "--thresholds", str(limits), "--crossings", str(crossings)]
    arguments += ["--status", str(tmp_path / "status.csv")]
    result = RUNNER.invoke(app.app, [*arguments, "--processes", "1"])
    assert result.exit_code == 0, result.output
    assert pd.read_csv(tmp_path / "status.csv")["status"].tolist() == ["modelled"]
    made = pd.read_csv(out)
    assert list(made.columns) == ["unique_id", "ds", "yhat", "lo", "hi"]
    assert len(made) == 14
    assert (made["lo"] <= made["yhat"]).all()
    dated = pd.read_csv(crossings).iloc[0]
    assert "2026-05-15" <= dated["p50"] <= "2026-07-31"


def test_thresholds_without_a_file_for_their_dates_are_refused(tmp_path: Path) -> None:
    file = history(tmp_path)
    arguments = ["forecast", "--history", str(file), "--horizon", "7", "--out", str(tmp_path / "f")]
    result = RUNNER.invoke(app.app, [*arguments, "--thresholds", str(file)])
    assert isinstance(result.exception, ConfigurationError)


def test_land_takes_what_it_can_and_tells_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MQCAP_STORE__URL", f"sqlite:///{tmp_path}/store.db")
    monkeypatch.setenv("MQCAP_LAKE", str(tmp_path / "lake"))
    monkeypatch.setenv("MQCAP_INGEST__INBOX", str(tmp_path / "inbox"))
    given = tmp_path / "given"
    given.mkdir()
    small_dump(given)
    result = RUNNER.invoke(app.app, ["land", str(given), "s9://bucket"])
    assert result.exit_code == 1
    assert "addresses with s9:// are not known" in result.output
    assert '"landed": 1' in result.output
    assert RUNNER.invoke(app.app, ["land", str(given)]).exit_code == 0
    assert RUNNER.invoke(app.app, ["land"]).exit_code == 0
    assert (tmp_path / "inbox").is_dir()


@pytest.mark.parametrize("last", ["2026-10-14", "2036-12-31"])
def test_a_backfill_of_no_or_too_many_days_is_refused(last: str) -> None:
    result = RUNNER.invoke(app.app, ["backfill", "2026-10-15", last])
    assert isinstance(result.exception, ConfigurationError)
    assert "no range of days" in str(result.exception)
