"""``mqcap findings``, ``runs`` and ``scorecard``: what is known of a day."""

import csv
import io
import json
from datetime import timedelta

import pytest
from sqlalchemy import Engine

from mqcap.domain.finding import Severity
from mqcap.domain.score import SiteCorrection
from mqcap.settings import Settings
from mqcap.store.console_states import replace_states
from mqcap.store.crossings import replace_site_correction
from mqcap.store.findings import replace_findings
from mqcap.store.scores import save_scores
from mqcap.store.series import upsert_series
from mqcap.store.step_runs import save_step_run
from tests.factories import DAY, console_state, crossing_score, finding, series_facts, step_run
from tests.mqcap.cli.command_line import invoked, output_of, refusal
from tests.mqcap.rulebook.builders import observe
from tests.mqcap.steps.notify.builders import fine


@pytest.fixture
def two(evaluated: Settings, engine: Engine) -> Settings:
    """One breach and one finding in order, of two queue managers with series."""
    upsert_series(engine, [series_facts(), series_facts("PLEX1/CSQ2")])
    replace_findings(engine, DAY, [finding(), fine("PLEX1/CSQ2")])
    return evaluated


def test_those_in_order_are_there_too(two: Settings) -> None:
    text = output_of("findings")
    assert text.startswith(f"Findings of {DAY}\n")
    assert "PLEX1/CSQ1" in text
    assert "PLEX1/CSQ2" in text


@pytest.mark.parametrize(
    ("arguments", "subjects"),
    [
        (["csq2"], ["PLEX1/CSQ2"]),
        (["PLEX1"], ["PLEX1/CSQ1", "PLEX1/CSQ2"]),
        (["--severity", "act"], ["PLEX1/CSQ1"]),
        (["CSQ2", "--severity", "act"], []),
    ],
)
def test_they_are_narrowed_by_subject_and_severity(
    two: Settings, arguments: list[str], subjects: list[str]
) -> None:
    rows = json.loads(output_of("findings", *arguments, "--format", "json"))
    assert [row["subject"] for row in rows] == subjects


def test_csv_has_the_columns_of_the_rest_api(two: Settings) -> None:
    [row, _] = csv.DictReader(io.StringIO(output_of("findings", "--format", "csv")))
    assert (row["rule_id"], row["severity"]) == ("LOG-FILL-30MIN", Severity.act)
    assert output_of("findings", "CSQ2", "--severity", "act", "--format", "csv").startswith(
        "subject,subject_kind,sysplex,rule_id,"
    )


def test_none_of_a_severity_is_no_error(two: Settings) -> None:
    result = invoked("findings", "CSQ2", "--severity", "act")
    assert result.exit_code == 0
    assert f"No act finding of PLEX1/CSQ2 on {DAY}." in result.output


def test_a_subject_or_day_without_findings_is_an_error(two: Settings) -> None:
    for arguments in (["CSQ7"], ["--day", "2020-01-01"]):
        refusal("findings", *arguments)


@pytest.fixture
def ran(settings: Settings, engine: Engine) -> Settings:
    save_step_run(engine, step_run(counts={"landed": 2, "rejected": [], "waiting": ["a", "b"]}))
    return settings


def test_a_step_has_its_end_and_its_counts(ran: Settings) -> None:
    text = output_of("runs", "--day", str(DAY))
    assert text.startswith(f"Steps that ran for {DAY}\n")
    assert "2 Mar 2026 12:00 UTC  2 new files, 2 files still being written\n" in text


def test_objects_are_the_stored_runs(ran: Settings) -> None:
    [run] = json.loads(output_of("runs", "--day", str(DAY), "--format", "json"))
    assert (run["site_date"], run["counts"]) == (
        str(DAY),
        {"landed": 2, "rejected": [], "waiting": ["a", "b"]},
    )
    heading = output_of("runs", "--day", str(DAY), "--format", "csv").splitlines()[0]
    assert heading == "step,ended_at_utc,site_date,versions,counts"


def test_a_day_without_a_run_is_an_error_that_names_those_with_runs(ran: Settings) -> None:
    error = refusal("runs", "--day", "2020-01-01")
    assert str(error).startswith(f"no step has run for 2020-01-01; found runs for days {DAY}")


def test_before_the_first_run_that_is_what_is_found(settings: Settings) -> None:
    error = refusal("runs", "--day", "2020-01-01")
    assert error.found == "no run at all"


LATER = DAY + timedelta(days=30)
ASKED = ("scorecard", "--day", str(LATER))


@pytest.fixture
def scored(settings: Settings, engine: Engine) -> None:
    """An event on the console, and a probability whose days are over."""
    replace_states(engine, [DAY], [console_state()])
    save_scores(engine, [], [crossing_score()])


def test_ledger_and_records_are_printed(scored: None) -> None:
    result = invoked(*ASKED)
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "1 event on the console without an evaluated day 14 days before: not compared.",
        "Live: LOG-FILL-30MIN: no date was due; 1 probability of 70 % on average, 100 % came true.",
    ]


def test_the_object_has_events_forecasts_and_limits(scored: None) -> None:
    document = json.loads(invoked(*ASKED, "--format", "json").stdout)
    assert (document["first"], document["day"]) == (str(LATER - timedelta(days=90)), str(LATER))
    assert [event["foreseen"] for event in document["events"]] == ["not compared"]
    assert document["forecasts"] == []
    assert [(one["rule_id"], one["stated_ratio"]) for one in document["limits"]] == [
        ("LOG-FILL-30MIN", 0.7)
    ]


def test_csv_has_a_row_for_each_limit(scored: None) -> None:
    head, row = invoked(*ASKED, "--format", "csv").stdout.splitlines()
    assert head.startswith("rule_id,basis,due_count,came_count,error_days,probability_count")
    assert row.startswith("LOG-FILL-30MIN,live,0,0,,1,0.7,1")


def test_the_days_looked_back_can_be_chosen(scored: None) -> None:
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


def test_the_correction_by_the_sites_own_outcomes_is_a_line_and_in_the_object(
    scored: None, engine: Engine
) -> None:
    assert json.loads(invoked(*ASKED, "--format", "json").stdout)["site_correction"] is None
    replace_site_correction(engine, SiteCorrection(cutoff_date=LATER, limit_count=3, case_count=7))
    assert invoked(*ASKED).output.splitlines()[-1] == (
        "Own outcomes: 3 limits with a probability whose days are over; 50 are needed to correct "
        "probabilities by them."
    )
    document = json.loads(invoked(*ASKED, "--format", "json").stdout)
    assert document["site_correction"]["case_count"] == 7
