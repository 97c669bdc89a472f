"""``mqcap findings``: all findings of a day."""

from __future__ import annotations

import csv
import io
import json

import pytest
from sqlalchemy import Engine

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.settings import Settings
from mqcap.store.findings import replace_findings
from mqcap.store.series import upsert_series
from tests.factories import DAY, finding, series_facts
from tests.mqcap.cli.command_line import invoked, output_of
from tests.mqcap.steps.notify.builders import fine


@pytest.fixture
def evaluated(settings: Settings, engine: Engine) -> Settings:
    """One breach and one finding in order, of two queue managers with series."""
    upsert_series(engine, [series_facts(), series_facts("PLEX1/CSQ2")])
    replace_findings(engine, DAY, [finding(), fine("PLEX1/CSQ2")])
    return settings


def test_those_in_order_are_there_too(evaluated: Settings) -> None:
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
    evaluated: Settings, arguments: list[str], subjects: list[str]
) -> None:
    rows = json.loads(output_of("findings", *arguments, "--format", "json"))
    assert [row["subject"] for row in rows] == subjects


def test_csv_has_the_columns_of_the_rest_api(evaluated: Settings) -> None:
    [row, _] = csv.DictReader(io.StringIO(output_of("findings", "--format", "csv")))
    assert (row["rule_id"], row["severity"]) == ("LOG-FILL-30MIN", Severity.act)
    assert output_of("findings", "CSQ2", "--severity", "act", "--format", "csv").startswith(
        "subject,subject_kind,sysplex,rule_id,"
    )


def test_none_of_a_severity_is_no_error(evaluated: Settings) -> None:
    result = invoked("findings", "CSQ2", "--severity", "act")
    assert result.exit_code == 0
    assert f"No act finding of PLEX1/CSQ2 on {DAY}." in result.output


def test_a_subject_or_day_without_findings_is_an_error(evaluated: Settings) -> None:
    for arguments in (["CSQ7"], ["--day", "2020-01-01"]):
        assert isinstance(invoked("findings", *arguments).exception, ConfigurationError)
