"""The sample estate: made once, its history loaded, its last day delivered."""

import json
import os
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from devtools.local import sample
from devtools.local.folders import LocalFolders, local_folders
from devtools.local.processes import StartedPrograms
from mqcap.domain.errors import ConfigurationError


def made(folders: LocalFolders, days: int) -> None:
    for name in (
        "dumps/PLEX1.2026-10.smf",
        "dumps/PLEX1.2026-11-20.smf",
        "console/PLEX1.SYS1.2026-10.log",
        "console/PLEX1.SYS1.2026-11-20.log",
        "sites/EAST.QM1.qm.ini",
        "sites/EAST.2026-11-20.json",
    ):
        file = folders.sample / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x")
    marker = {"days": days, "last_day": "2026-11-20"}
    (folders.sample / sample.MADE).write_text(json.dumps(marker), encoding="utf-8")


def test_a_finished_estate_is_used_again(tmp_path: Path) -> None:
    folders = local_folders(tmp_path)
    made(folders, 400)
    estate = sample.simulate(folders, StartedPrograms(folders.logs), 400, {}, print)
    assert estate.last_day == date(2026, 11, 20)
    assert [file.name for file in estate.files(of_last_day=False)] == [
        "PLEX1.SYS1.2026-10.log",
        "PLEX1.2026-10.smf",
        "EAST.QM1.qm.ini",
    ]


def test_only_the_files_of_the_last_day_are_delivered(tmp_path: Path) -> None:
    folders = local_folders(tmp_path)
    made(folders, 400)
    estate = sample.simulate(folders, StartedPrograms(folders.logs), 400, {}, print)
    sample.deliver_last_day(folders, estate)
    assert {file.name for file in folders.inbox.iterdir()} == {
        "EAST.2026-11-20.json",
        "PLEX1.2026-11-20.smf",
        "PLEX1.SYS1.2026-11-20.log",
    }


def test_another_length_asks_for_a_clean_start(tmp_path: Path) -> None:
    folders = local_folders(tmp_path)
    made(folders, 400)
    with pytest.raises(ConfigurationError, match="make clean"):
        sample.simulate(folders, StartedPrograms(folders.logs), 60, {}, print)


@pytest.mark.thorough
def test_an_estate_is_made_up_to_yesterday(tmp_path: Path) -> None:
    folders = local_folders(tmp_path)
    estate = sample.simulate(folders, StartedPrograms(folders.logs), 30, os.environ, print)
    assert estate.last_day == datetime.now(tz=UTC).date() - timedelta(days=1)
    assert folders.settings_file.is_file()
    assert estate.files(of_last_day=True)
    assert estate.files(of_last_day=False)
