"""The steps of a day, the sample and forecasts of a CSV file on the command line."""

import gzip
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sqlalchemy import Engine
from typer.testing import CliRunner

from devtools.local import folders, run
from mqcap.cli import local
from mqcap.cli.app import app
from mqcap.ingest.capture_kits import KitKind, kit_text
from mqcap.lake.manifest import write_manifest
from mqcap.settings import Settings
from mqcap.steps import runner
from mqcap.store.step_runs import save_step_run
from tests.factories import step_run
from tests.mqcap.cli.command_line import invoked, output_of, refusal
from tests.mqcap.ingest.dumps import small_dump
from tests.spark_apps.manifests import manifest


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Steps that only note that they were called, with their day."""
    made: list[tuple[str, Any]] = []

    def step(name: str) -> Any:
        def noted(_settings: Settings, day: date, **options: Any) -> dict[str, Any]:
            made.append((name, options.get("replay", day)))
            return {"rejected": []} if name == "land" else {"rows": 1}

        noted.__name__ = name
        return noted

    steps = {name: step(name) for name in ("land", "decode_and_aggregate", "observe", "alert")}
    for name, function in steps.items():
        monkeypatch.setattr(runner, name, function)
    monkeypatch.setattr(runner, "LOAD", tuple(steps.values())[:3])
    monkeypatch.setattr(runner, "FORECAST", (step("fit"),))
    monkeypatch.setattr(runner, "size", step("size"))
    return made


@pytest.mark.thorough
def test_land_takes_what_it_can_and_names_the_rest(settings: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "dumps"
    folder.mkdir()
    small_dump(folder)
    result = invoked("land", str(folder), "s9://bucket")
    assert result.exit_code == 1
    assert "error: " in result.output
    assert "s9://" in result.output
    [line] = [line for line in result.output.splitlines() if line.startswith("land: ")]
    assert line == "land: 1 new file, 1 file refused"
    assert invoked("land", str(folder)).exit_code == 0


def test_land_without_inputs_takes_the_inbox_and_creates_it(
    settings: Settings, tmp_path: Path
) -> None:
    assert invoked("land").exit_code == 0
    assert (tmp_path / "inbox").is_dir()


def test_load_runs_the_steps_up_to_the_daily_observations(
    settings: Settings, calls: list[tuple[str, Any]]
) -> None:
    result = invoked("load", "a.smf")
    assert result.exit_code == 0
    assert [name for name, _ in calls] == ["land", "decode_and_aggregate", "observe"]
    assert result.output.splitlines() == [
        "land: nothing new", "decode_and_aggregate: 1 daily figure", "observe: 1 daily figure",
    ]  # fmt: skip


def test_load_says_that_smf_counts_where_it_has_what_was_sampled(
    settings: Settings, calls: list[tuple[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = Path(settings.lake)
    write_manifest(lake, manifest("a", rows={"section_qis1": 1}))

    def decode_and_aggregate(_settings: Settings, _day: date) -> dict[str, Any]:
        write_manifest(lake, manifest("b", name="kmq.jsonl", rows={"zos_sample": 1}))
        return {}

    monkeypatch.setattr(runner, "LOAD", (runner.land, decode_and_aggregate))
    result = invoked("load", "kmq.jsonl")
    assert result.exit_code == 0
    assert result.output.splitlines()[-1].startswith(
        "kmq.jsonl: SMF was loaded for 1 of the 1 UTC date sampled; in an hour in which"
    )
    assert "error" not in result.output


def test_run_evaluates_the_day_and_notifies_last(
    settings: Settings, calls: list[tuple[str, Any]]
) -> None:
    assert invoked("run", "--day", "2026-03-02").exit_code == 0
    day = date(2026, 3, 2)
    assert calls[3:] == [("fit", day), ("size", day), ("alert", False)]


def test_a_run_whose_inputs_are_rejected_judges_the_day_and_ends_with_1(
    settings: Settings, calls: list[tuple[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    rejected = ["bad.smf: this is no dump"]
    monkeypatch.setattr(runner, "land", lambda *_, **__: {"landed": 0, "rejected": rejected})
    result = invoked("run", "--day", "2026-03-02")
    assert result.exit_code == 1
    assert "error: bad.smf: this is no dump" in result.output
    assert calls[-1] == ("alert", False)


def test_a_bad_file_that_lies_unchanged_in_the_inbox_is_an_error_once_and_then_a_line(
    settings: Settings, tmp_path: Path
) -> None:
    bad = tmp_path / "inbox" / "bad.smf"
    bad.parent.mkdir()
    bad.write_bytes(b"\x02 packed on the mainframe")
    first, second = invoked("land"), invoked("land")
    assert (first.exit_code, second.exit_code) == (1, 0)
    assert "error: bad.smf: not an SMF dump" in first.output
    assert "error: " not in second.output
    assert "As reported before, and unchanged: bad.smf: not an SMF dump" in second.output
    assert "land: 1 file refused" in second.output
    assert invoked("land", str(bad)).exit_code == 1
    bad.write_bytes(b"\x02 packed on the mainframe again")
    assert [invoked("land").exit_code for _ in range(2)] == [1, 0]


def test_half_an_archive_that_lies_unchanged_in_the_inbox_is_an_error_once(
    settings: Settings, tmp_path: Path
) -> None:
    archive = tmp_path / "inbox" / "week.zip"
    archive.parent.mkdir()
    archive.write_bytes(b"PK\x03\x04 and no more")
    assert [invoked("land").exit_code for _ in range(2)] == [1, 0]


def test_a_replay_is_handed_to_the_step_that_notifies(
    settings: Settings, calls: list[tuple[str, Any]]
) -> None:
    assert invoked("run", "--day", "2026-03-02", "--replay").exit_code == 0
    assert calls[-1] == ("alert", True)


@pytest.mark.parametrize("last", ["2026-10-14", "2036-12-31"])
def test_a_backfill_of_no_or_too_many_days_is_refused(last: str) -> None:
    error = refusal("backfill", "2026-10-15", last)
    assert "expected a first day" in str(error)


def test_a_backfill_is_given_both_days_and_prints_its_progress(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replayed(_settings: Settings, first: date, last: date, report: Any) -> None:
        report(f"{first} to {last}")

    monkeypatch.setattr("mqcap.cli.steps.replay_days", replayed)
    result = invoked("backfill", "2026-10-15", "2026-10-17")
    assert result.output == "2026-10-15 to 2026-10-17\n"


def test_verification_prints_counts_and_accuracy(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "score", lambda _settings, _day: {"forecasts": 3})
    monkeypatch.setattr(runner, "record", lambda _settings, day: [f"accuracy on {day}"])
    result = invoked("verify", "--day", "2026-10-15")
    assert result.exit_code == 0
    assert result.stderr == "score: 3 forecasts\n"
    assert result.stdout == "accuracy on 2026-10-15\n"


def test_a_day_that_is_no_date_is_a_usage_error() -> None:
    result = invoked("verify", "--day", "15.10.2026")
    assert result.exit_code == 2
    assert "does not match" in result.output


@pytest.mark.thorough
def test_an_estate_is_simulated_for_the_days_asked_for(tmp_path: Path) -> None:
    result = invoked("simulate", "--out", str(tmp_path), "--days", "3", "--last-day", "2026-10-15")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "dumps" / "PLEX1.2026-10-15.smf").stat().st_size > 100_000
    assert (tmp_path / "platform.yaml").is_file()
    assert f"settings: {tmp_path / 'platform.yaml'}, ground truth: " in result.output


def test_a_specification_with_an_unknown_key_is_refused(tmp_path: Path) -> None:
    spec = tmp_path / "estate.yaml"
    spec.write_text("sysplexs: []\n", encoding="utf-8")
    error = refusal(
        "simulate", "--out", str(tmp_path / "out"), "--last-day", "2026-10-15",
        "--estate", str(spec),
    )  # fmt: skip
    assert "estate.yaml" in str(error)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", KitKind)
def test_the_kit_is_printed_as_it_is(kind: KitKind) -> None:
    result = CliRunner().invoke(app, ["capture", "--kind", kind])
    assert result.exit_code == 0
    assert result.output.rstrip("\n") == kit_text(kind).rstrip("\n")


def test_another_platform_is_named_as_wrong() -> None:
    result = CliRunner().invoke(app, ["capture", "--kind", "vms"])
    assert result.exit_code == 2


def test_a_file_has_what_is_printed_otherwise(
    settings: Settings, engine: Engine, tmp_path: Path
) -> None:
    save_step_run(engine, step_run())
    printed = output_of("metrics")
    assert 'mqcap_step_runs{step="alert"} 1\n' in printed
    assert output_of("metrics", "--out", str(tmp_path / "a" / "mqcap.prom")) == ""
    assert (tmp_path / "a" / "mqcap.prom").read_text(encoding="utf-8") == printed
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["mqcap.prom"]


def test_a_file_that_cannot_be_written_is_an_error(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    error = refusal("metrics", "--out", str(tmp_path / "file" / "mqcap.prom"))
    assert "the metrics cannot be written" in str(error)


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
    error = refusal("local", "run")
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


def test_a_file_is_read_as_it_was_saved(tmp_path: Path) -> None:
    file, out = tmp_path / "history.csv", tmp_path / "out.csv"
    file.write_bytes(gzip.compress(SENT.encode("utf-16")))
    invoked("forecast-csv", "--history", str(file), "--horizon", "2", "--out", str(out))
    assert pd.read_csv(out)["unique_id"].tolist() == ["Zürich"] * 2


def test_a_file_that_cannot_be_unpacked_to_its_end_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "history.csv"
    file.write_bytes(gzip.compress(SENT.encode())[:-9])
    asked = ("--history", str(file), "--horizon", "2", "--out", str(tmp_path / "out.csv"))
    assert "cannot be unpacked" in str(invoked("forecast-csv", *asked).exception)
