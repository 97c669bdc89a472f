"""Forecasts of a CSV file."""

import gzip
from pathlib import Path

import pandas as pd
import pytest

from tests.mqcap.cli.command_line import invoked


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
    arguments = ["forecast-csv", "--history", str(history(tmp_path)), "--horizon", "14"]
    arguments += ["--out", str(out), "--thresholds", str(limits), "--crossings", str(crossings)]
    arguments += ["--status", str(tmp_path / "status.csv")]
    result = invoked(*arguments, "--processes", "1")
    assert result.exit_code == 0, result.output
    assert result.stderr.splitlines()[-1] == "1 series, 1 thresholds"  # progress before it, by time
    assert pd.read_csv(tmp_path / "status.csv")["status"].tolist() == ["modelled"]
    made = pd.read_csv(out)
    assert list(made.columns) == ["unique_id", "ds", "yhat", "lo", "hi"]
    assert len(made) == 14
    assert (made["lo"] <= made["yhat"]).all()
    dated = pd.read_csv(crossings).iloc[0]
    assert "2026-05-15" <= dated["p50"] <= "2026-07-31"


@pytest.mark.parametrize(
    ("horizon", "more", "words"),
    [
        ("7", ("--thresholds", "history.csv"), "both or neither"),
        ("7", ("--freq", "h"), "only daily series are forecast"),
        ("0", (), "--horizon"),
    ],
)
def test_half_of_what_is_needed_another_step_and_no_step_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, horizon: str, more: tuple[str, ...], words: str
) -> None:
    monkeypatch.chdir(history(tmp_path).parent)
    asked = ("--history", "history.csv", "--horizon", horizon, "--out", "f", *more)
    result = invoked("forecast-csv", *asked)
    assert result.exit_code != 0
    assert words in f"{result.exception} {result.output}"


SENT = "unique_id,ds,y\r\nZürich,2026-06-05,1\r\n"


@pytest.mark.parametrize(
    "content",
    [
        SENT.encode(),
        SENT.encode("utf-8-sig"),
        SENT.encode("utf-16"),
        SENT.encode("utf-16-be"),
        SENT.encode() + b"\x1a\0\0",
        gzip.compress(SENT.encode()),
    ],
    ids=["UTF-8", "mark", "UTF-16", "UTF-16 BE without mark", "X'1A'", "gzip"],
)
def test_a_file_is_read_as_it_was_saved(tmp_path: Path, content: bytes) -> None:
    file, out = tmp_path / "history.csv", tmp_path / "out.csv"
    file.write_bytes(content)
    invoked("forecast-csv", "--history", str(file), "--horizon", "2", "--out", str(out))
    assert pd.read_csv(out)["unique_id"].tolist() == ["Zürich"] * 2


def test_a_file_that_cannot_be_unpacked_to_its_end_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "history.csv"
    file.write_bytes(gzip.compress(SENT.encode())[:-9])
    asked = ("--history", str(file), "--horizon", "2", "--out", str(tmp_path / "out.csv"))
    assert "cannot be unpacked" in str(invoked("forecast-csv", *asked).exception)
