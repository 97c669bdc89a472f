"""Command ``export``: files for programs of the site."""

import csv
import json
from pathlib import Path
from unittest.mock import patch

import pyarrow.parquet as pq
import pytest
from sqlalchemy import Engine

from mqcap.cli.export import SUFFIXES
from mqcap.progress.shown import show_on
from mqcap.store.crossings import replace_crossings
from mqcap.store.exported import CROSSING_COLUMNS, OBSERVATION_COLUMNS
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.observations import replace_observations
from mqcap.store.series import upsert_series
from tests.factories import DAY, crossing, finding, forecast, observation, series_facts
from tests.mqcap.cli.command_line import invoked, refusal
from tests.mqcap.progress.displays import Noted

pytestmark = pytest.mark.usefixtures("settings")


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_observations_are_written_with_their_headings(engine: Engine, tmp_path: Path) -> None:
    upsert_series(engine, [series_facts()])
    replace_observations(engine, [DAY], [observation(mean=0.125)], {})
    out = tmp_path / "o.csv"
    assert invoked("export", "observations", "--out", str(out)).exit_code == 0
    [row] = rows_of(out)
    assert (row["subject"], row["site_date"], row["mean"]) == ("PLEX1/CSQ1", str(DAY), "0.125")


def test_findings_are_those_of_the_day(engine: Engine, tmp_path: Path) -> None:
    replace_findings(engine, DAY, [finding()])
    out = tmp_path / "f.csv"
    assert invoked("export", "findings", "--day", str(DAY), "--out", str(out)).exit_code == 0
    [row] = rows_of(out)
    assert (row["rule"], row["crossing_expected"]) == ("LOG-FILL-30MIN", "")


def test_forecasts_have_a_row_for_each_day_ahead(engine: Engine, tmp_path: Path) -> None:
    upsert_series(engine, [series_facts()])
    made = forecast()
    replace_forecasts(engine, made.cutoff_date, [made])
    out = tmp_path / "f.csv"
    day = str(made.cutoff_date)
    assert invoked("export", "forecasts", "--day", day, "--out", str(out)).exit_code == 0
    rows = rows_of(out)
    assert [row["site_date"] for row in rows] == [str(each.site_date) for each in made.every_day]
    assert (rows[0]["subject"], rows[0]["unit"]) == ("PLEX1/CSQ1", "MiB/s")
    assert float(rows[0]["expected"]) == made.points[0].expected


def test_crossings_have_their_dates_and_probabilities(engine: Engine, tmp_path: Path) -> None:
    replace_findings(engine, DAY, [finding()])
    replace_crossings(engine, DAY, [crossing(cutoff_date=DAY)])
    out = tmp_path / "c.csv"
    assert invoked("export", "crossings", "--day", str(DAY), "--out", str(out)).exit_code == 0
    [row] = rows_of(out)
    assert tuple(row) == tuple(CROSSING_COLUMNS)
    assert (row["rule"], row["subject"]) == ("LOG-FILL-30MIN", "PLEX1/CSQ1")


@pytest.mark.parametrize("name", ["findings", "crossings"])
def test_a_day_without_findings_is_an_error_and_no_file(
    name: str, engine: Engine, tmp_path: Path
) -> None:
    replace_findings(engine, DAY, [finding()])
    out = tmp_path / "f.csv"
    refusal("export", name, "--day", "2020-01-01", "--out", str(out))
    assert not out.exists()


def test_the_suffix_is_the_format(engine: Engine, tmp_path: Path) -> None:
    upsert_series(engine, [series_facts()])
    replace_observations(engine, [DAY], [observation(mean=0.125)], {})
    for suffix in SUFFIXES:
        invoked("export", "observations", "--out", str(tmp_path / f"o{suffix}"))
    table = pq.read_table(tmp_path / "o.parquet")
    assert table.column_names == list(OBSERVATION_COLUMNS)
    assert str(table.schema.field("site_date").type) == "date32[day]"
    [line] = (tmp_path / "o.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["mean"] == table.to_pylist()[0]["mean"] == 0.125
    assert json.loads(line)["site_date"] == str(DAY)


def test_a_file_of_another_suffix_is_an_error(tmp_path: Path) -> None:
    error = refusal("export", "observations", "--out", str(tmp_path / "o.xlsx"))
    assert str(error).endswith("found o.xlsx; expected .csv or .parquet or .jsonl.")


def test_a_folder_that_does_not_exist_is_an_error_and_is_not_created(tmp_path: Path) -> None:
    out = tmp_path / "misspelt" / "o.csv"
    error = refusal("export", "observations", "--out", str(out))
    assert f"found {out.parent}; expected an existing folder" in str(error)
    assert not out.parent.exists()


def test_a_file_without_folder_is_written_where_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert invoked("export", "events", "--out", "e.csv").exit_code == 0
    assert (tmp_path / "e.csv").is_file()


def test_without_events_the_file_has_only_headings(tmp_path: Path) -> None:
    out = tmp_path / "e.csv"
    assert invoked("export", "events", "--out", str(out)).exit_code == 0
    assert out.read_text(encoding="utf-8") == "subject,time_utc,id\n"


def test_an_export_shows_what_it_writes(engine: Engine, tmp_path: Path) -> None:
    replace_findings(engine, DAY, [finding(site_date=DAY)])
    display = Noted()
    with patch("mqcap.cli.app.shown_on", lambda *_: show_on(display)):
        invoked("export", "findings", "--out", str(tmp_path / "findings.csv"))
    assert display.calls == [
        "read what findings.csv will hold begun",
        "read what findings.csv will hold ended",
        "write findings.csv begun",
        "1 of 1 rows",
        "write findings.csv ended",
        "closed",
    ]
