"""Command ``plan``: as text, as objects, and as a scenario."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
import yaml
from sqlalchemy import Engine

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.domain.plan import PlanCost, PlanVariant
from mqcap.presentation.summary_text import DETAIL_LINES
from mqcap.settings import Settings
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_losses, replace_plans
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


def test_each_resource_is_a_line_and_what_is_acknowledged_comes_last(
    planned: Settings, engine: Engine
) -> None:
    other = plan(resource="PLEX1/CSQ2/active_log", label="CSQ2 active logs", worst_subject="X")
    replace_plans(engine, DAY, [plan(), other])
    key = f"{plan().worst_rule}/{plan().worst_subject}"
    save_acknowledgements(engine, [acknowledgement(key=key, who="anna")])
    lines = [line for line in output_of("plan").splitlines() if "active logs" in line]
    assert [line.split()[1] for line in lines] == ["CSQ2", "CSQ1"]
    assert "acknowledged by anna" in output_of("plan", "CSQ1")


def test_one_resource_is_at_most_forty_lines(planned: Settings, engine: Engine) -> None:
    notes = tuple(f"Note {number} that is long. " * 20 for number in range(30))
    replace_plans(engine, DAY, [plan(notes=notes, tiers=(), options=(plan(),) * 9)])
    lines = output_of("plan", "CSQ1").splitlines()
    assert len(lines) <= DETAIL_LINES
    assert lines[0].startswith("CSQ1 active logs: ACT")


def test_a_spreadsheet_has_a_row_for_each_option_and_no_object_in_a_cell(
    planned: Settings, engine: Engine
) -> None:
    option = PlanVariant(changes=(plan_change(typed="COMPLOG(RLE)"),), cost=PlanCost(work_hours=2))
    replace_plans(engine, DAY, [plan(options=(option,))])
    text = output_of("plan", "--format", "csv")
    first, second = csv.DictReader(io.StringIO(text))
    assert (first["option"], first["change"], first["cylinders"]) == (
        "mandatory", "16 x CYL(5825)", "139792",
    )  # fmt: skip
    assert (second["option"], second["change"], second["work_hours"]) == (
        "instead", "COMPLOG(RLE)", "2.0",
    )  # fmt: skip
    assert text.startswith("severity,resource,title,problem,now,limit,unit,")
    assert "{" not in text


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


def test_losses_are_rows_too_and_no_plans_for_programs(planned: Settings, engine: Engine) -> None:
    replace_losses(engine, DAY, [loss(due_date=DAY)])
    assert "Loss of CF02" in output_of("plan")
    assert output_of("plan", "CF02/loss").startswith("Loss of CF02: WATCH")
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
