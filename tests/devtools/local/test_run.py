"""Stopping, the lock, the sample's files and the phases of the local run."""

from __future__ import annotations

import io
import json
import os
import signal
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from rich.console import Console

from devtools.local import run as local_run
from devtools.local import sample
from devtools.local.phases import Phases
from devtools.local.places import Places, local_places
from devtools.local.processes import Programs
from mqcap.domain.errors import ConfigurationError


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_us_once_and_handlers_come_back(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with local_run._asked_to_stop():
        with pytest.raises(local_run.Stopped):
            os.kill(os.getpid(), number)
        os.kill(os.getpid(), number)  # the second one must not disturb the clearing up
    assert signal.getsignal(number) == before


def test_a_second_run_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    places = local_places(tmp_path)
    with (
        local_run._only_one(places),
        pytest.raises(ConfigurationError, match="make run"),
        local_run._only_one(places),
    ):
        pass
    with local_run._only_one(places):
        pass


def test_an_error_stops_the_programs_first(tmp_path: Path) -> None:
    programs = Programs(tmp_path)
    with pytest.raises(ConfigurationError), local_run._stop_first(programs):
        raise ConfigurationError("no")
    assert programs.stopping


def made(places: Places, days: int) -> None:
    for name in (
        "dumps/PLEX1.2026-10.smf",
        "dumps/PLEX1.2026-11-20.smf",
        "console/PLEX1.SYS1.2026-10.log",
        "console/PLEX1.SYS1.2026-11-20.log",
    ):
        file = places.sample / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x")
    marker = {"days": days, "last_day": "2026-11-20"}
    (places.sample / sample.MADE).write_text(json.dumps(marker), encoding="utf-8")


def test_a_finished_estate_is_used_again(tmp_path: Path) -> None:
    places = local_places(tmp_path)
    made(places, 400)
    estate = sample.simulate(places, Programs(places.logs), 400, {})
    assert estate.last_day == date(2026, 11, 20)
    assert [file.name for file in estate.history()] == [
        "PLEX1.SYS1.2026-10.log",
        "PLEX1.2026-10.smf",
    ]


def test_only_the_files_of_the_last_day_are_delivered(tmp_path: Path) -> None:
    places = local_places(tmp_path)
    made(places, 400)
    estate = sample.simulate(places, Programs(places.logs), 400, {})
    assert sample.deliver_last_day(places, estate) == 2
    assert {file.name for file in places.inbox.iterdir()} == {
        "PLEX1.2026-11-20.smf",
        "PLEX1.SYS1.2026-11-20.log",
    }


def test_another_length_asks_for_a_clean_start(tmp_path: Path) -> None:
    places = local_places(tmp_path)
    made(places, 400)
    with pytest.raises(ConfigurationError, match="make clean"):
        sample.simulate(places, Programs(places.logs), 60, {})


@pytest.mark.thorough
def test_an_estate_is_made_up_to_yesterday(tmp_path: Path) -> None:
    places = local_places(tmp_path)
    estate = sample.simulate(places, Programs(places.logs), 30, os.environ)
    assert estate.last_day == datetime.now(tz=UTC).date() - timedelta(days=1)
    assert places.settings_file.is_file()
    assert estate.files_of_last_day()
    assert estate.history()


def test_phases_may_overlap_and_are_timed() -> None:
    text = io.StringIO()
    with Phases(Console(file=text, width=80)) as phases, phases.phase("outer"):
        with phases.phase("inner"):
            phases.detail("inner", "at work")
        phases.say("in between")
    assert list(phases.seconds) == ["inner", "outer"]
    lines = text.getvalue().splitlines()
    assert [line.partition(" (")[0] for line in lines] == ["done inner", "in between", "done outer"]


def test_a_phase_that_fails_is_not_called_done() -> None:
    text = io.StringIO()
    with (
        pytest.raises(ConfigurationError),
        Phases(Console(file=text)) as phases,
        phases.phase("broken"),
    ):
        raise ConfigurationError("no")
    assert "broken" not in text.getvalue()
