"""Command ``lose``: as text and as objects."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import Engine, update

from mqcap.domain.errors import ConfigurationError, InputError
from mqcap.domain.plan import PlanVariant
from mqcap.losses.text.sentences import NOTE, loss_lines
from mqcap.settings import Settings
from mqcap.store.findings import replace_findings
from mqcap.store.observations import replace_observations
from mqcap.store.plans import replace_losses
from mqcap.store.series import upsert_series
from mqcap.store.tables import LossRow
from mqcap.whatif.scenario import read_scenario
from tests.factories import DAY, finding, observation, series_facts
from tests.mqcap.cli.command_line import invoked, output_of
from tests.plan_factories import loss, plan_change


@pytest.fixture
def evaluated(settings: Settings, engine: Engine) -> Settings:
    """A day with two losses."""
    replace_findings(engine, DAY, [finding()])
    replace_losses(engine, DAY, [loss(), loss(lost="PLEX1/CSQ2")])
    return settings


def test_the_losses_of_the_newest_day_are_printed_with_a_note(evaluated: Settings) -> None:
    lines = [line.strip() for line in output_of("lose", "CF02").splitlines() if line.strip()]
    assert lines == [*loss_lines(loss()), NOTE]


def test_objects_have_the_keys_that_programs_read(evaluated: Settings) -> None:
    documents = json.loads(output_of("lose", "--format", "json"))
    assert [each["lost"] for each in documents] == ["PLEX1/CF02", "PLEX1/CSQ2"]
    keys = {"severity", "survivors", "nowhere_to_go", "cells", "changes", "assumptions"}
    assert keys <= documents[0].keys()
    cell = documents[0]["cells"][0]
    assert (cell["survivor"], cell["today"], cell["limit"]) == ("PLEX1/CF03", 72.93, 60.0)


def test_an_unknown_part_is_answered_with_the_known_ones(evaluated: Settings) -> None:
    result = invoked("lose", "CF09")
    assert isinstance(result.exception, ConfigurationError)
    assert result.exception.expected == "PLEX1/CF02"
    result = invoked("lose", "XY")
    assert isinstance(result.exception, ConfigurationError)
    assert "PLEX1/CF02, PLEX1/CSQ2" in str(result.exception)


@pytest.mark.parametrize("words", [("lose",), ("plan",), ("tickets", "list")])
def test_a_loss_that_another_release_wrote_is_named_with_its_day(
    evaluated: Settings, engine: Engine, words: tuple[str, ...]
) -> None:
    with engine.begin() as connection:
        connection.execute(update(LossRow).values(document={}))
    result = invoked(*words)
    assert isinstance(result.exception, InputError)
    assert str(result.exception) == (
        f"2 rows of loss cannot be read, on {DAY}. Run these days again."
    )


def test_a_queue_manager_without_a_loss_is_answered_with_the_reason(
    evaluated: Settings, engine: Engine
) -> None:
    facts = series_facts("PLEX1/CSQ8")
    upsert_series(engine, [facts])
    replace_observations(engine, [DAY], [observation("PLEX1/CSQ8")], {})
    result = invoked("lose", "CSQ8")
    assert isinstance(result.exception, ConfigurationError)
    assert str(result.exception).startswith(
        "no loss was evaluated of PLEX1/CSQ8: it is not in the estate"
    )
    result = invoked("lose", "CSQ8Z")
    assert isinstance(result.exception, ConfigurationError)
    assert result.exception.expected == "PLEX1/CSQ8 or PLEX1/CSQ2"


def test_a_day_without_anything_to_lose_says_so(settings: Settings, engine: Engine) -> None:
    replace_findings(engine, DAY, [finding()])
    assert invoked("lose").exit_code == 0
    assert json.loads(output_of("lose", "--format", "json")) == []


def test_a_scenario_of_one_loss_has_its_changes_beside_the_plans(
    evaluated: Settings, engine: Engine, tmp_path: Path
) -> None:
    change = plan_change(subject="PLEX1/CF03", settings={"engines": 3})
    found = loss(changes=PlanVariant(changes=(change,)))
    replace_losses(engine, DAY, [found, loss(lost="PLEX1/CSQ2")])
    file = tmp_path / "loss.yaml"
    output_of("lose", "CF02", "--scenario", str(file))
    scenario = read_scenario(file)
    assert scenario.lose == ("PLEX1/CF02",)
    assert [each.settings for each in scenario.configuration] == [{"engines": 3}]
    result = invoked("lose", "--scenario", str(file))
    assert isinstance(result.exception, ConfigurationError)
    assert "2 losses" in str(result.exception)
