"""``mqcap report``: tables on the terminal and files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.cli.shared.exit_codes import UnknownValueError
from mqcap.domain.errors import ConfigurationError
from mqcap.settings import Settings
from mqcap.store.feeds import replace_feed_days
from mqcap.store.findings import replace_findings
from tests.factories import DAY, feed_day, finding
from tests.mqcap.cli.command_line import invoked, output_of


@pytest.fixture
def evaluated(settings: Settings, engine: Engine) -> Settings:
    """A day with one breach and one feed without records."""
    early = finding(subject="PLEX1/CSQ7", severity="unknown", breach=None, headroom_ratio=None)
    waiting = early.model_copy(update={"is_data_incomplete": True, "missing": ("records",)})
    replace_findings(engine, DAY, [finding(), waiting])
    replace_feed_days(engine, DAY, DAY, [feed_day("PLEX1/CSQ7")])
    return settings


def test_without_a_kind_a_table_of_resources_and_of_missing_data_is_printed(
    evaluated: Settings,
) -> None:
    text = invoked("report", "--day", str(DAY)).output
    assert "CSQ1 active logs" in text
    assert "PLEX1/CSQ7" in text
    assert "1 check without the records of the day" in text
    assert len(text.splitlines()) <= 60


def test_an_empty_store_says_what_to_load(settings: Settings) -> None:
    error = invoked("report").exception
    assert isinstance(error, ConfigurationError)
    assert "mqcap load" in str(error)


def test_a_day_without_findings_and_feeds_is_an_error_with_the_days_that_have_some(
    evaluated: Settings,
) -> None:
    result = invoked("report", "--day", "2026-03-09")
    assert result.exit_code != 0
    assert isinstance(result.exception, ConfigurationError)
    assert result.exception.problem == "no rule was evaluated on 2026-03-09"
    assert result.exception.found == f"findings of {DAY}"
    assert "mqcap run --day 2026-03-09" in result.exception.remedy


def test_of_a_day_with_missing_feeds_that_no_rule_was_evaluated_on_nothing_is_said_to_be_in_order(
    settings: Settings, engine: Engine
) -> None:
    replace_feed_days(engine, DAY, DAY, [feed_day("PLEX1/CSQ7")])
    printed = output_of("report", "--day", str(DAY))
    assert "PLEX1/CSQ7" in printed
    assert "checks in order" not in printed
    assert f"No rule was evaluated on {DAY}: mqcap run --day {DAY}" in printed


def test_a_report_is_written_to_the_folder_in_the_formats_asked_for(
    evaluated: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    text = output_of(
        "report", "daily", "--day", str(DAY), "--out", str(folder),
        "--format", "html", "--format", "xlsx",
    )  # fmt: skip
    names = [f"mqcap-daily-{DAY}.{form}" for form in ("html", "xlsx")]
    *_, first, second = text.splitlines()  # after what a slow machine says of its progress
    assert [first, second] == [str(folder / name) for name in names]
    assert sorted(path.name for path in folder.iterdir()) == names


def test_as_objects_it_has_the_findings_of_its_rows(evaluated: Settings) -> None:
    row, _ = json.loads(output_of("report", "--day", str(DAY), "--format", "json"))
    assert (row["subject"], row["rule_id"]) == ("PLEX1/CSQ1", "LOG-FILL-30MIN")
    lines = output_of("report", "--day", str(DAY), "--format", "csv").splitlines()
    assert lines[0].startswith("subject,subject_kind,sysplex,rule_id,")
    assert len(lines) == 3
    table = output_of("report", "--day", str(DAY), "--format", "table")
    assert table == output_of("report", "--day", str(DAY))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "pdf"], "unknown format of a list; found pdf; expected table or json"),
        (["--format", "csv", "--format", "json"], "in one format; found csv, json"),
        (["yearly"], "unknown kind of a report; found yearly; expected daily or weekly"),
        (["daily", "--format", "docx"], "unknown format of a report; found docx; expected html"),
    ],
)
def test_an_unknown_kind_or_format_names_those_that_exist(
    evaluated: Settings, arguments: list[str], message: str
) -> None:
    error = invoked("report", *arguments, "--day", str(DAY)).exception
    assert isinstance(error, UnknownValueError)
    assert message in str(error)
