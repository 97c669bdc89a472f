"""Command ``plan``: as text, as objects, and as a scenario."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from sqlalchemy import Engine

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.domain.losses.loss import SurvivorChanges
from mqcap.domain.plan import PlanCost
from mqcap.presentation.losses.plan import needed_text, plan_of_loss
from mqcap.presentation.plans.text import plan_lines
from mqcap.settings import Settings
from mqcap.store.findings import replace_findings
from mqcap.store.losses import replace_losses
from mqcap.store.plans import replace_plans
from mqcap.store.problems import save_acknowledgements
from tests.factories import DAY, acknowledgement, finding
from tests.mqcap.cli.command_line import invoked, output_of
from tests.plan_factories import loss, plan, plan_change


@pytest.fixture
def planned(settings: Settings, engine: Engine) -> Settings:
    """A day with one breach and its plan."""
    replace_findings(engine, DAY, [finding()])
    replace_plans(engine, DAY, [plan()])
    return settings


def test_an_acknowledged_plan_says_so_and_is_the_last(planned: Settings, engine: Engine) -> None:
    other = plan(resource="PLEX1/CSQ2/active_log", worst_subject="PLEX1/CSQ2")
    replace_plans(engine, DAY, [plan(), other])
    key = f"{plan().worst_rule}/{plan().worst_subject}"
    save_acknowledgements(engine, [acknowledgement(key=key, who="anna")])
    first, second = output_of("plan").split("\n\n")
    assert "Acknowledged" not in first
    assert "Acknowledged by anna" in second


def test_objects_have_the_keys_that_programs_read(planned: Settings) -> None:
    [document] = json.loads(output_of("plan", "--format", "json"))
    keys = {
        "resource", "severity", "feasible", "summary", "changes", "cost", "due", "lasts_until",
        "rules",
    }  # fmt: skip
    assert keys <= document.keys()
    assert {"text", "typed", "settings"} <= document["changes"][0].keys()
    assert document["feasible"] is True
    assert document["due"] == str(plan().due_date)


def test_a_scenario_file_holds_the_changes_of_all_plans(planned: Settings, tmp_path: Path) -> None:
    file = tmp_path / "all.yaml"
    output_of("plan", "--scenario", str(file))
    assert yaml.safe_load(file.read_text())["configuration"] == plan().scenario_parts


def test_part_of_a_path_selects_a_resource(planned: Settings) -> None:
    assert "CSQ1 active logs" in output_of("plan", "CSQ1")
    error = invoked("plan", "CSQ9").exception
    assert isinstance(error, ConfigurationError)
    assert "PLEX1/CSQ1/active_log" in str(error)


def test_a_day_that_was_not_evaluated_is_an_error(settings: Settings) -> None:
    assert isinstance(invoked("plan").exception, ConfigurationError)


def test_a_day_on_which_every_resource_is_in_order_says_so(
    settings: Settings, engine: Engine
) -> None:
    replace_findings(engine, DAY, [finding(severity=Severity.ok)])
    assert output_of("plan", "--format", "json").strip() == "[]"
    result = invoked("plan")
    assert result.exit_code == 0
    assert f"No plan is due on {DAY}: nothing that is checked needs one." in result.output


def test_losses_come_after_the_plans_with_what_all_of_them_take(
    planned: Settings, engine: Engine
) -> None:
    needed = SurvivorChanges(
        resource="PLEX1/CF03", label="coupling facility CF03", cost=PlanCost(engines=1)
    )
    found = loss(due_date=DAY, by_resource=(needed,))
    replace_losses(engine, DAY, [found])
    lines = [line.strip() for line in output_of("plan").splitlines() if line.strip()]
    assert lines[:-1] == [
        *plan_lines(plan()),
        *plan_lines(plan_of_loss(found)),
        needed_text([found]),
    ]
    assert output_of("plan", "CF02/loss").startswith("loss of CF02: WATCH")
    assert len(json.loads(output_of("plan", "--format", "json"))) == 1


def test_a_scenario_of_one_plan_holds_what_it_counts_once(
    settings: Settings, engine: Engine, tmp_path: Path
) -> None:
    counted = plan_change(subject="PLEX1/CSQ1/CHINIT", settings={"adapters": 30})
    other = plan(resource="PLEX1/CSQ1/CHINIT/adapters", changes=(counted,))
    replace_findings(engine, DAY, [finding()])
    replace_plans(engine, DAY, [plan(counted=(counted,)), other])
    adapters = counted.scenario_parts
    for part, found in (("active_log", adapters + plan().scenario_parts), ("", None)):
        file = tmp_path / "some.yaml"
        output_of("plan", part, "--scenario", str(file))
        parts = yaml.safe_load(file.read_text())["configuration"]
        assert parts.count(adapters[0]) == 1
        assert found is None or parts == found
