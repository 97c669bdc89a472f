"""``mqcap rules``: list, show, verify."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.domain.errors import ConfigurationError
from mqcap.settings import Settings
from tests.factories import DAY
from tests.mqcap.cli.command_line import invoked, output_of
from tests.mqcap.steps.notify.builders import judge, over

VECTOR = {
    "rule": "LOG-FILL-30MIN",
    "inputs": {"log_size_mib": 4096, "log_rate_mib_per_s": 2.5},
    "expected": {"fill_time_s": 1638.4, "breach": True},
    "tolerance": {"rel": 1e-9},
}


def test_a_topic_narrows_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    text = invoked("rules", "list", "--topic", "log_fill").output
    assert "LOG-FILL-30MIN" in text
    assert "CF-BUSY-1" not in text


def test_an_entry_is_shown_with_its_inputs_and_limit() -> None:
    text = output_of("rules", "show", "LOG-FILL-30MIN")
    assert text.startswith("LOG-FILL-30MIN")
    assert "log_size_mib [MiB]" in text


def test_an_unknown_entry_says_where_all_are_listed() -> None:
    error = invoked("rules", "show", "LOG-FILL").exception
    assert isinstance(error, ConfigurationError)
    assert "mqcap rules list" in str(error)
    assert error.expected.startswith("LOG-FILL-30MIN")


def test_an_id_like_no_other_names_some() -> None:
    error = invoked("rules", "show", "QQQQQQ").exception
    assert isinstance(error, ConfigurationError)
    assert error.expected.startswith("APP-COMBINE, APP-EXPIRY")


@pytest.mark.parametrize(("seconds", "code"), [(1638.4, 0), (1638.5, 1)])
def test_the_exit_code_says_whether_all_worked_examples_pass(
    tmp_path: Path, seconds: float, code: int
) -> None:
    file = tmp_path / "vectors.json"
    expected = {"fill_time_s": seconds, "breach": True}
    file.write_text(json.dumps([VECTOR | {"expected": expected}]), encoding="utf-8")
    result = invoked("rules", "verify", str(file))
    assert result.exit_code == code
    assert f"passed: {1 - code}" in result.output
    assert f"failed: {code}" in result.output


def test_live_rules_are_those_with_a_finding_on_the_newest_day(
    settings: Settings, engine: Engine
) -> None:
    judge(engine, DAY, [over(), over("PLEX1/CSQ2")])
    listed = json.loads(output_of("rules", "list", "--live", "--format", "json"))
    assert [item["id"] for item in listed] == ["LOG-FILL-30MIN"]
    text = output_of("rules", "list", "--live")
    assert text.startswith("1 in the list\nLOG-FILL-30MIN: ")
    assert (
        json.loads(output_of("rules", "list", "--live", "--kind", "structure", "--format", "json"))
        == []
    )


def test_the_coverage_counts_the_findings_of_the_newest_day(
    settings: Settings, engine: Engine
) -> None:
    judge(engine, DAY, [over(), over("PLEX1/CSQ2")])
    covered = json.loads(output_of("rules", "coverage", "--format", "json"))
    assert len(covered) == 74
    assert {item["rule"]: item["subjects_with_data"] for item in covered}["LOG-FILL-30MIN"] == 2
    text = output_of("rules", "coverage")
    assert text.startswith("74 time-series rules\n")
    assert "1 with data on the day, 0 with a missing input only" in text


def test_the_coverage_of_an_empty_store_has_the_rules_without_data(
    settings: Settings, engine: Engine
) -> None:
    assert "0 with data on the day" in output_of("rules", "coverage")
    assert isinstance(invoked("rules", "list", "--live").exception, ConfigurationError)


def test_no_line_is_wrapped_in_a_pipe() -> None:
    lines = output_of("rules", "list", "--kind", "queue_manager").splitlines()
    assert len(lines) % 2 == 1
    assert all(line.startswith("    rule for a queue manager; ") for line in lines[2::2])
