"""``mqcap runs``: the steps of a day."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import Engine

from mqcap.domain.errors import ConfigurationError
from mqcap.settings import Settings
from mqcap.store.step_runs import save_step_run
from tests.factories import DAY, step_run
from tests.mqcap.cli.command_line import invoked, output_of


@pytest.fixture
def ran(settings: Settings, engine: Engine) -> Settings:
    save_step_run(engine, step_run(counts={"landed": 2, "rejected": [], "waiting": ["a", "b"]}))
    return settings


def test_a_step_has_its_end_and_its_counts(ran: Settings) -> None:
    text = output_of("runs", "--day", str(DAY))
    assert text.startswith(f"Steps that ran for {DAY}\n")
    assert "2026-03-02 12:00 UTC  2 new files, 2 files still being written\n" in text


def test_objects_are_the_stored_runs(ran: Settings) -> None:
    [run] = json.loads(output_of("runs", "--day", str(DAY), "--format", "json"))
    assert (run["site_date"], run["counts"]) == (
        str(DAY),
        {"landed": 2, "rejected": [], "waiting": ["a", "b"]},
    )
    heading = output_of("runs", "--day", str(DAY), "--format", "csv").splitlines()[0]
    assert heading == "step,ended_at_utc,site_date,versions,counts"


def test_a_day_without_a_run_is_an_error_that_names_those_with_runs(ran: Settings) -> None:
    error = invoked("runs", "--day", "2020-01-01").exception
    assert isinstance(error, ConfigurationError)
    assert str(error).startswith(f"no step has run for 2020-01-01; found runs for days {DAY}")


def test_before_the_first_run_that_is_what_is_found(settings: Settings) -> None:
    error = invoked("runs", "--day", "2020-01-01").exception
    assert isinstance(error, ConfigurationError)
    assert error.found == "no run at all"
