"""What is known of a day; small commands: the store, drivers, estate, entry, width of pipes."""

import csv
import io
import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import Engine

from mqcap.domain.delivery import Stage
from mqcap.domain.errors import InputError
from mqcap.domain.finding import Severity
from mqcap.domain.score import SiteCorrection
from mqcap.estate import discover
from mqcap.settings import Settings
from mqcap.steps import runner
from mqcap.steps.notify import alert
from mqcap.store.console_states import replace_states
from mqcap.store.crossings import replace_site_correction
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.outbox import read_deliveries, save_delivery
from mqcap.store.scores import save_scores
from mqcap.store.series import upsert_series
from mqcap.store.step_runs import save_step_run
from tests.factories import (
    DAY,
    console_state,
    crossing_score,
    driver_effect,
    finding,
    forecast,
    series_facts,
    step_run,
)
from tests.mqcap.cli.command_line import COMMAND, invoked, output_of, refusal
from tests.mqcap.ingest.dumps import small_dump
from tests.mqcap.rulebook.builders import observe, settings_of, url_of
from tests.mqcap.steps.notify.builders import fine, judge, over
from tests.mqcap.whatif.builders import filled


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


TEN_YEARS_LATER = ("--today", "2036-01-01")
SLOW_TO_IMPORT = (
    "typer",
    "mqcap.settings",
    "pydantic",
    "rich",
    "sqlalchemy",
    "pandas",
    "pyarrow.compute",
    "pyarrow.fs",
    "mqcap.ingest.console.source",
)
CODE = """
import sys
from mqcap.cli.entry import main
try:
    main()
except SystemExit as end:
    print(end.code, *(name for name in {slow} if name in sys.modules))
"""
COLUMNS = 80
COMMANDS = (
    "findings", "scorecard", "lose", "unit-costs", "transports", "drivers",
    "runs", "rules list", "rules coverage", "rules show LOG-FILL-30MIN", "outbox list",
    "tickets list", "store check", "store prune --dry-run", "explain LOG-FILL-30MIN CSQ1",
)  # fmt: skip
GROWTH = "title: A title that is long\ngrowth:\n  - {subjects: ['PLEX1/*'], pct: 60}\n"


@pytest.mark.thorough
def test_a_store_is_checked_and_old_data_are_deleted(notified: Settings, engine: Engine) -> None:
    assert output_of("store", "check") == "The store is consistent.\n"
    counted = output_of("store", "prune", "--dry-run", *TEN_YEARS_LATER)
    assert "finding: 2 rows would be deleted" in counted
    assert "finding: 0 rows deleted" in output_of("store", "prune")
    assert "finding: 2 rows deleted" in output_of("store", "prune", *TEN_YEARS_LATER)
    assert output_of("store", "prune") == "The store is empty.\n"
    assert read_deliveries(engine) == []


@pytest.mark.thorough
def test_a_store_is_copied_into_a_new_file(notified: Settings, tmp_path: Path) -> None:
    assert output_of("store", "backup", str(tmp_path / "copy.db")).startswith(
        f"{tmp_path / 'copy.db'}: 0."
    )
    assert invoked("store", "backup", str(tmp_path / "copy.db")).exit_code == 1


@pytest.mark.thorough
def test_an_inconsistent_store_fails_the_check(settings: Settings, engine: Engine) -> None:
    judge(engine, DAY, [over()])
    alert(settings, engine, DAY)
    [mail] = [delivery for delivery in read_deliveries(engine) if delivery.channel == "mail"]
    save_delivery(engine, mail.model_copy(update={"stage": Stage.unconfirmed}))
    result = invoked("store", "check")
    assert result.exit_code == 1
    assert "mqcap outbox resend" in result.output
    with pytest.raises(InputError) as raised:
        runner.check_store(settings)
    assert "mqcap outbox resend" in str(raised.value)


@pytest.fixture
def driven(
    settings: Settings, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A forecast with a driver and one without, and a driver file with a bad line."""
    made = [forecast(driver=driver_effect()), forecast("PLEX1/CSQ2")]
    replace_forecasts(engine, DAY, made)
    file = tmp_path / "drivers.csv"
    file.write_text("driver,time,value\npayments,2026-03-01,many\n", encoding="utf-8")
    monkeypatch.setenv("MQCAP_DRIVERS__FILE", str(file))
    return file


def test_csv_has_the_same_headings_with_a_driver_and_without(driven: Path, engine: Engine) -> None:
    head, row = invoked("drivers", "--day", str(DAY), "--format", "csv").stdout.splitlines()
    assert row.startswith('"log_growth_mib_per_s/PLEX1/CSQ1, peak",payments,True,')
    replace_forecasts(engine, DAY, [forecast("PLEX1/CSQ2")])
    without = invoked("drivers", "--day", str(DAY), "--format", "csv").stdout
    assert without.splitlines() == [head]


def test_each_driver_is_printed_with_its_effect_and_bad_lines(driven: Path) -> None:
    result = invoked("drivers", "--day", str(DAY))
    assert result.exit_code == 0
    assert f"log_growth_mib_per_s/PLEX1/CSQ1, peak: {driver_effect().text}." in result.output
    assert "CSQ2" not in result.output
    assert f"{driven} line 2: 'many' is no number; the line is left out." in result.output


def test_the_object_has_effects_and_problems(driven: Path) -> None:
    result = invoked("drivers", "--day", str(DAY), "--format", "json")
    document = json.loads(result.stdout)
    [series] = document["series"]
    assert series["series"] == "log_growth_mib_per_s/PLEX1/CSQ1, peak"
    assert series["elasticity"] == pytest.approx(0.7147)
    assert len(document["problems"]) == 1


def test_without_a_driver_that_is_reported(settings: Settings, engine: Engine) -> None:
    replace_forecasts(engine, DAY, [forecast()])
    result = invoked("drivers", "--day", str(DAY))
    assert "has a driver" in result.output


def test_files_and_defaults_are_handed_on_and_the_section_is_printed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[discover.Pasted] = []

    def discovered(_settings: Settings, _engine: Any, pasted: discover.Pasted) -> str:
        asked.append(pasted)
        return "estate:\n  - sysplex: PLEX1  # [complete]"

    monkeypatch.setattr("mqcap.cli.site.discovered", discovered)
    text = output_of("estate", "discover", "a.txt", "b.txt", "--qmgr", "CSQ1", "--sysplex", "PLEX1")
    assert text == "estate:\n  - sysplex: PLEX1  # [complete]\n"
    assert asked == [discover.Pasted((Path("a.txt"), Path("b.txt")), "CSQ1", "PLEX1")]


def test_without_files_and_data_there_is_nothing_to_discover(settings: Settings) -> None:
    error = refusal("estate", "discover")
    assert "mqcap load" in str(error)


@pytest.mark.thorough
def test_rows_of_a_plain_dump_need_no_settings(tmp_path: Path) -> None:
    dump = small_dump(tmp_path)
    arguments = ["smf", "to-parquet", str(dump), "-o", str(tmp_path / "out")]
    code = CODE.format(slow=SLOW_TO_IMPORT)
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["0"]
    assert (tmp_path / "out" / "QJST.parquet").is_file()


@pytest.mark.thorough
def test_an_error_of_a_dump_is_one_line_and_exit_code_1(tmp_path: Path) -> None:
    arguments = ["smf", "check", str(tmp_path / "none.smf")]
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(slow=()), *arguments],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["1"]
    [line] = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert "does not exist" in line


def printed(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    """What a command prints when no terminal and no variable states a width."""
    monkeypatch.delenv("COLUMNS", raising=False)
    result = CliRunner().invoke(COMMAND, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def too_wide(text: str) -> list[str]:
    """The lines that end with a blank, or are too long although a word of them could be moved."""
    return [
        line
        for line in text.splitlines()
        if line != line.rstrip() or (len(line) > COLUMNS and " " in line.strip())
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_lines_of_a_command_are_at_most_80_columns(
    notified: Settings, engine: Engine, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(engine, DAY, [over(), over("PLEX1/A.STRUCTURE.OF.LONG"), fine("PLEX1/CSQ2")])
    assert too_wide(printed(monkeypatch, *command.split())) == []


def test_those_of_a_what_if_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(tmp_path)
    (scenario := tmp_path / "scenario.yaml").write_text(GROWTH, "utf-8")
    monkeypatch.setenv("MQCAP_LAKE", settings_of(tmp_path).lake)
    monkeypatch.setenv("MQCAP_STORE__URL", url_of(tmp_path))
    text = printed(monkeypatch, "whatif", str(scenario))
    assert "PS-DEPTH-FORECAST" in text
    assert too_wide(text) == []


def test_those_of_a_check_of_a_dump_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = printed(monkeypatch, "smf", "check", str(small_dump(tmp_path)))
    assert "Cross checks" in text
    assert too_wide(text) == []
