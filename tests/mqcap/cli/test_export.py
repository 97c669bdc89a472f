"""Command ``export``: CSV files for programs of the site."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.store.findings import replace_findings
from mqcap.store.observations import replace_observations
from mqcap.store.series import upsert_series
from tests.factories import DAY, finding, observation, series_facts
from tests.mqcap.cli.command_line import invoked

pytestmark = pytest.mark.usefixtures("settings")


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_observations_are_written_with_their_headings(engine: Engine, tmp_path: Path) -> None:
    upsert_series(engine, [series_facts()])
    replace_observations(engine, [DAY], [observation(mean=0.125)], {})
    out = tmp_path / "made" / "o.csv"
    assert invoked("export", "observations", "--out", str(out)).exit_code == 0
    [row] = rows_of(out)
    assert (row["subject"], row["site_date"], row["mean"]) == ("PLEX1/CSQ1", str(DAY), "0.125")


def test_findings_are_those_of_the_day(engine: Engine, tmp_path: Path) -> None:
    replace_findings(engine, DAY, [finding()])
    out = tmp_path / "f.csv"
    assert invoked("export", "findings", "--day", str(DAY), "--out", str(out)).exit_code == 0
    [row] = rows_of(out)
    assert (row["rule"], row["crossing_expected"]) == ("LOG-FILL-30MIN", "")


def test_without_events_the_file_has_only_headings(tmp_path: Path) -> None:
    out = tmp_path / "e.csv"
    assert invoked("export", "events", "--out", str(out)).exit_code == 0
    assert out.read_text(encoding="utf-8") == "subject,time_utc,id\n"
