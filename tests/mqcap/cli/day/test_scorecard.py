"""Command ``scorecard``: as lines and as an object."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from sqlalchemy import Engine

from mqcap.domain.score import SiteCorrection
from mqcap.settings import Settings
from mqcap.store.console_states import replace_states
from mqcap.store.crossings import replace_site_correction
from mqcap.store.scores import save_scores
from tests.factories import DAY, console_state, crossing_score
from tests.mqcap.cli.command_line import invoked
from tests.mqcap.rulebook.builders import observe

LATER = DAY + timedelta(days=30)
ASKED = ("scorecard", "--day", str(LATER))


@pytest.fixture
def scored(settings: Settings, engine: Engine) -> None:
    """An event on the console, and a probability whose days are over."""
    replace_states(engine, [DAY], [console_state()])
    save_scores(engine, [], [crossing_score()])


@pytest.mark.usefixtures("scored")
def test_ledger_and_records_are_printed() -> None:
    result = invoked(*ASKED)
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "1 event on the console without an evaluated day 14 days before: not compared.",
        "Live: LOG-FILL-30MIN: no date was due; 1 probability of 70 % on average, 100 % came true.",
    ]


@pytest.mark.usefixtures("scored")
def test_the_object_has_events_forecasts_and_limits() -> None:
    document = json.loads(invoked(*ASKED, "--format", "json").stdout)
    assert (document["first"], document["day"]) == (str(LATER - timedelta(days=90)), str(LATER))
    assert [event["foreseen"] for event in document["events"]] == ["not compared"]
    assert document["forecasts"] == []
    assert [(one["rule_id"], one["stated_ratio"]) for one in document["limits"]] == [
        ("LOG-FILL-30MIN", 0.7)
    ]


@pytest.mark.usefixtures("scored")
def test_csv_has_a_row_for_each_limit() -> None:
    head, row = invoked(*ASKED, "--format", "csv").stdout.splitlines()
    assert head.startswith("rule_id,basis,due_count,came_count,error_days,probability_count")
    assert row.startswith("LOG-FILL-30MIN,live,0,0,,1,0.7,1")


@pytest.mark.usefixtures("scored")
def test_the_days_looked_back_can_be_chosen() -> None:
    result = invoked(*ASKED, "--days", "29")
    assert "nothing happened, was due, or can be scored yet" in result.output


def test_a_day_without_data_is_an_error_that_names_those_with_data(
    settings: Settings, engine: Engine
) -> None:
    observe(engine, "log_growth_mib_per_s", "PLEX1/CSQ1", {DAY: 1.0})
    on_its_day, a_day_later = (
        invoked("scorecard", "--day", str(DAY + timedelta(days=days))) for days in (0, 1)
    )
    assert (on_its_day.exit_code, "nothing happened" in on_its_day.output) == (0, True)
    assert str(a_day_later.exception).startswith(
        f"no data of {DAY + timedelta(days=1)}; found days {DAY} to {DAY}; expected a day with data"
    )


@pytest.mark.usefixtures("scored")
def test_the_correction_by_the_sites_own_outcomes_is_a_line_and_in_the_object(
    engine: Engine,
) -> None:
    assert json.loads(invoked(*ASKED, "--format", "json").stdout)["site_correction"] is None
    replace_site_correction(engine, SiteCorrection(cutoff_date=LATER, limit_count=3, case_count=7))
    assert invoked(*ASKED).output.splitlines()[-1] == (
        "Own outcomes: 3 limits with a probability whose days are over; 50 are needed to correct "
        "probabilities by them."
    )
    document = json.loads(invoked(*ASKED, "--format", "json").stdout)
    assert document["site_correction"]["case_count"] == 7
