"""Commands about plans, losses and unit costs."""

import csv
import io
import json
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from sqlalchemy import Engine, update

from mqcap.domain.errors import InputError
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.plan import PlanCost, PlanVariant
from mqcap.losses.text.sentences import NOTE, loss_lines
from mqcap.presentation.summary_text import DETAIL_LINES
from mqcap.settings import Settings
from mqcap.store.findings import replace_findings
from mqcap.store.observations import replace_observations
from mqcap.store.plans import replace_losses, replace_plans
from mqcap.store.problems import save_acknowledgements
from mqcap.store.series import upsert_series
from mqcap.store.tables import LossRow
from mqcap.whatif.scenario import read_scenario
from tests.factories import DAY, acknowledgement, finding, observation, series_facts
from tests.mqcap.cli.command_line import invoked, output_of, refusal
from tests.mqcap.rulebook.builders import DAY as RECORDED
from tests.mqcap.rulebook.builders import observe
from tests.mqcap.transports.builders import channel, control, machines, sysplex
from tests.mqcap.unit_costs.builders import write_rows
from tests.plan_factories import loss, plan, plan_change


@pytest.fixture
def planned(evaluated: Settings, engine: Engine) -> Settings:
    """A day with one breach and its plan."""
    replace_plans(engine, DAY, [plan()])
    return evaluated


def test_each_resource_is_a_line_and_what_is_acknowledged_comes_last(
    planned: Settings, engine: Engine
) -> None:
    other = plan(resource="PLEX1/CSQ2/active_log", label="CSQ2 active logs", worst_subject="X")
    replace_plans(engine, DAY, [plan(), other])
    key = f"{plan().reason.rule_id}/{plan().reason.subject}"
    save_acknowledgements(engine, [acknowledgement(key=key, who="anna")])
    lines = [line for line in output_of("plan").splitlines() if "active logs" in line]
    assert [line.split()[1] for line in lines] == ["CSQ2", "CSQ1"]
    assert "Acknowledged by anna" in output_of("plan", "CSQ1")


def test_one_resource_is_at_most_forty_lines(planned: Settings, engine: Engine) -> None:
    notes = tuple(f"Note {number} that is long. " * 20 for number in range(30))
    replace_plans(engine, DAY, [plan(notes=notes, tiers=(), options=(plan().base,) * 9)])
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
    keys = {"form", "about", "dates", "reason", "evidence", "base", "tiers", "options"}
    assert keys <= document.keys()
    assert {"text", "typed", "settings"} <= document["base"]["changes"][0].keys()
    assert document["form"] == "changes"
    assert document["dates"]["due_date"] == str(plan().due_date)


def test_a_scenario_file_holds_the_changes_of_all_plans(planned: Settings, tmp_path: Path) -> None:
    file = tmp_path / "new" / "all.yaml"
    output_of("plan", "--scenario", str(file))
    assert yaml.safe_load(file.read_text())["configuration"] == plan().scenario_parts


def test_a_scenario_without_a_change_is_refused(
    planned: Settings, engine: Engine, tmp_path: Path
) -> None:
    replace_plans(engine, DAY, [])
    error = refusal("plan", "--scenario", str(tmp_path / "none.yaml"))
    assert "no plan has a change that what-if can try" in str(error)
    assert not (tmp_path / "none.yaml").exists()


def test_part_of_a_path_selects_a_resource(planned: Settings) -> None:
    assert "CSQ1 active logs" in output_of("plan", "CSQ1")
    error = refusal("plan", "CSQ9")
    assert "PLEX1/CSQ1/active_log" in str(error)


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
    evaluated: Settings, engine: Engine, tmp_path: Path
) -> None:
    counted = plan_change(subject="PLEX1/CSQ1/CHINIT", settings={"adapters": 30})
    other = plan(resource="PLEX1/CSQ1/CHINIT/adapters", changes=(counted,))
    replace_plans(engine, DAY, [plan(counted=(counted,)), other])
    adapters = counted.scenario_parts
    for part, found in (("active_log", adapters + plan().scenario_parts), ("", None)):
        file = tmp_path / "some.yaml"
        output_of("plan", part, "--scenario", str(file))
        parts = yaml.safe_load(file.read_text())["configuration"]
        assert parts.count(adapters[0]) == 1
        assert found is None or parts == found


@pytest.fixture
def losing(evaluated: Settings, engine: Engine) -> Settings:
    """A day with two losses."""
    replace_losses(engine, DAY, [loss(), loss(lost="PLEX1/CSQ2")])
    return evaluated


def test_the_losses_of_the_newest_day_are_printed_with_a_note(losing: Settings) -> None:
    lines = [line.strip() for line in output_of("lose", "CF02").splitlines() if line.strip()]
    assert lines == [*loss_lines(loss()), NOTE]


def test_objects_have_the_keys_that_programs_read_of_loss(losing: Settings) -> None:
    documents = json.loads(output_of("lose", "--format", "json"))
    assert [document["lost"] for document in documents] == ["PLEX1/CF02", "PLEX1/CSQ2"]
    keys = {"severity", "survivors", "nowhere_to_go", "cells", "changes", "assumptions"}
    assert keys <= documents[0].keys()
    cell = documents[0]["cells"][0]
    assert (cell["survivor"], cell["today"], cell["limit"]) == ("PLEX1/CF03", 72.93, 60.0)


def test_an_unknown_part_is_answered_with_the_known_ones(losing: Settings) -> None:
    error = refusal("lose", "CF09")
    assert error.expected == "PLEX1/CF02"
    error = refusal("lose", "XY")
    assert "PLEX1/CF02, PLEX1/CSQ2" in str(error)


@pytest.mark.parametrize("words", [("lose",), ("plan",), ("tickets", "list")])
def test_a_loss_that_another_release_wrote_is_named_with_its_day(
    losing: Settings, engine: Engine, words: tuple[str, ...]
) -> None:
    with engine.begin() as connection:
        connection.execute(update(LossRow).values(document={}))
    result = invoked(*words)
    assert isinstance(result.exception, InputError)
    assert str(result.exception) == (
        f"2 rows of loss cannot be read, on {DAY}. Run these days again."
    )


def test_a_queue_manager_without_a_loss_is_answered_with_the_reason(
    losing: Settings, engine: Engine
) -> None:
    facts = series_facts("PLEX1/CSQ8")
    upsert_series(engine, [facts])
    replace_observations(engine, [DAY], [observation("PLEX1/CSQ8")], {})
    error = refusal("lose", "CSQ8")
    assert str(error).startswith("no loss was evaluated of PLEX1/CSQ8: it is not in the estate")
    error = refusal("lose", "CSQ8Z")
    assert error.expected == "PLEX1/CSQ8 or PLEX1/CSQ2"


def test_a_day_without_anything_to_lose_says_so(evaluated: Settings) -> None:
    assert invoked("lose").exit_code == 0
    assert json.loads(output_of("lose", "--format", "json")) == []


def test_a_scenario_of_one_loss_has_its_changes_beside_the_plans(
    losing: Settings, engine: Engine, tmp_path: Path
) -> None:
    change = plan_change(subject="PLEX1/CF03", settings={"engines": 3})
    found = loss(changes=PlanVariant(changes=(change,)))
    replace_losses(engine, DAY, [found, loss(lost="PLEX1/CSQ2")])
    file = tmp_path / "loss.yaml"
    output_of("lose", "CF02", "--scenario", str(file))
    scenario = read_scenario(file)
    assert scenario.lose == ("PLEX1/CF02",)
    assert [each.settings for each in scenario.configuration] == [{"engines": 3}]
    error = refusal("lose", "--scenario", str(file))
    assert "2 losses" in str(error)


CHINIT = "PLEX1/CSQ1/CHINIT"


@pytest.fixture
def learnt(settings: Settings, engine: Engine) -> Settings:
    """Half a year of channels and of the storage that follows them."""
    days = {DAY - timedelta(days=back): 2_000.0 - 5 * back for back in range(182)}
    used = {day: 500 + count / 10 for day, count in days.items()}
    kind = SubjectKind.channel_initiator
    observe(engine, "channels_current_count", CHINIT, days, kind=kind, unit="count")
    observe(engine, "chinit_31bit_used_mib", CHINIT, used, kind=kind, unit="MiB")
    return settings


def test_the_table_shows_the_learnt_figure_and_that_of_the_book(learnt: Settings) -> None:
    lines = output_of("unit-costs").splitlines()
    assert lines[0] == f"Unit costs learnt up to {DAY}"
    row, note, _ = (line for line in lines if CHINIT in line)
    assert row.startswith("learnt")
    assert "102.4 KiB (101.2 to 103.6 at 80 %)" in row
    assert note.startswith(f"31-bit storage per channel, {CHINIT}: Storage is a sawtooth")
    assert "90 KiB (CHI-FOOTPRINT-MCA" in row


def test_objects_are_those_of_the_subject_and_its_parts(learnt: Settings) -> None:
    [cost] = json.loads(output_of("unit-costs", "PLEX1/CSQ1", "--format", "json"))
    assert (cost["subject"], cost["used"]) == (CHINIT, "learnt")
    assert cost["value"] == pytest.approx(102.4)
    assert cost["base"] == pytest.approx(500)


def test_an_earlier_day_has_the_figures_of_that_day(learnt: Settings) -> None:
    day = DAY - timedelta(days=31)
    [cost] = json.loads(output_of("unit-costs", "--day", str(day), "--format", "json"))
    assert (cost["sample_count"], cost["used"]) == (5, "book")


def test_a_subject_without_costs_is_an_error(learnt: Settings) -> None:
    result = invoked("unit-costs", "PLEX1/CSQ9")
    assert result.exit_code == 1
    assert "PLEX1/CSQ9" in str(result.exception)


@pytest.fixture
def site(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A sysplex with one channel between members of a group."""
    plex = sysplex(*machines("CPC1", "CPC1")).model_dump(mode="json", by_alias=True)
    monkeypatch.setenv("MQCAP_ESTATE", json.dumps([plex]))
    lake = tmp_path / "lake"
    write_rows(lake, "section_qcst", [channel()])
    write_rows(lake, "section_qcct", [control("CSQ2")])
    return settings


def test_the_tables_have_the_channel_and_its_candidates(site: Settings) -> None:
    printed = output_of("transports", "--day", str(RECORDED))
    assert printed.startswith(
        f"Channels by transport, {site.transports.days} days up to {RECORDED}"
    )
    [row] = [line for line in printed.splitlines() if line.startswith("Shared queue")]
    assert "PLEX1/CSQ1 > CSQ2" in row
    assert printed.count("CSQ1.TO.CSQ2") == 6
    assert "To be set in the estate of PLEX1: systems: SYS1: roce" in printed


@pytest.mark.parametrize("subject", ["PLEX1", "PLEX1/CSQ2"])
def test_objects_are_those_of_the_subject(site: Settings, subject: str) -> None:
    printed = output_of("transports", subject, "--day", str(RECORDED), "--format", "json")
    assert len(json.loads(printed)) == 1


@pytest.mark.parametrize("subject", ["PLEX9", "PLEX1/CSQ3", "plex1"])
def test_a_subject_without_channels_is_an_error(site: Settings, subject: str) -> None:
    result = invoked("transports", subject, "--day", str(RECORDED))
    assert result.exit_code == 1
    assert str(result.exception).startswith(
        f"{subject} has no channel between two queue managers of one sysplex with measured "
        "messages; found such channels of PLEX1."
    )


def test_a_subject_that_does_not_exist_is_another_error(engine: Engine, site: Settings) -> None:
    observe(engine, "log_growth_mib_per_s", "PLEX1/CSQ1", {RECORDED: 1.0})
    result = invoked("transports", "PLEX9", "--day", str(RECORDED))
    assert str(result.exception) == ("no such subject; found PLEX9; expected PLEX1.")


def test_a_subject_where_no_channel_has_records_is_an_error_that_names_them(
    settings: Settings,
) -> None:
    result = invoked("transports", "PLEX1", "--day", str(RECORDED))
    assert result.exit_code == 1
    assert "START TRACE(ACCTG) CLASS(4)" in str(result.exception)


@pytest.mark.parametrize("command", ["unit-costs", "transports"])
def test_a_day_without_data_is_an_error_that_names_those_with_data(
    engine: Engine, settings: Settings, command: str
) -> None:
    observe(engine, "log_growth_mib_per_s", "PLEX1/CSQ1", {RECORDED: 1.0})
    earlier = RECORDED - timedelta(days=1)
    result = invoked(command, "--day", str(earlier))
    assert str(result.exception).startswith(
        f"no data of {earlier}; found days {RECORDED} to {RECORDED}; expected a day with data."
    )
