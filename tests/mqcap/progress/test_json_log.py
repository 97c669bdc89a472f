"""Standard error as JSON lines: messages, facts of steps, errors."""

from __future__ import annotations

import json
import logging
from datetime import date, datetime, timedelta

import pytest

from mqcap.cli import common
from mqcap.domain.errors import ConfigurationError
from mqcap.progress.json_log import VARIABLE, json_line, json_wanted, records_on_stderr


@pytest.mark.parametrize(("value", "wanted"), [("json", True), ("text", False), ("", False)])
def test_only_json_asks_for_it(monkeypatch: pytest.MonkeyPatch, value: str, wanted: bool) -> None:
    monkeypatch.setenv(VARIABLE, value)
    assert json_wanted() is wanted


def test_a_line_has_an_instant_in_utc_and_no_line_break() -> None:
    line = json_line("info", "first\nsecond", day=date(2026, 3, 2))
    assert "\n" not in line
    document = json.loads(line)
    assert datetime.fromisoformat(document.pop("time")).utcoffset() == timedelta(0)
    assert document == {"level": "info", "message": "first\nsecond", "day": "2026-03-02"}


def test_steps_and_errors_have_their_facts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, "json")
    common.print_status("land: [1]", step="land", counts={"landed": 2})
    common.print_error(ConfigurationError("no such day \x1b[2J" + "x" * 300))
    common.print_error("sentence")
    step, error, plain = map(json.loads, capsys.readouterr().err.splitlines())
    assert (step["message"], step["step"], step["counts"]) == ("land: [1]", "land", {"landed": 2})
    assert (error["level"], error["error"]) == ("error", "ConfigurationError")
    assert "\x1b" not in error["message"]
    assert "error" not in plain


def test_facts_are_not_printed_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    common.print_status("land: {}", step="land", counts={"landed": 2})
    assert capsys.readouterr().err == "land: {}\n"


LOG = logging.getLogger("mqcap.steps.some_step")


def logged(capsys: pytest.CaptureFixture[str]) -> str:
    """What is printed of a record of each level."""
    with records_on_stderr():
        LOG.info("begins")
        LOG.warning("%s: line %d \x1b[2J", "SYS1.log", 7)
        LOG.error("not read")
        LOG.critical("no memory")
    LOG.warning("after the block")
    return capsys.readouterr().err


def test_warnings_and_errors_are_lines_with_their_level(capsys: pytest.CaptureFixture[str]) -> None:
    assert logged(capsys).splitlines() == [
        "warning: SYS1.log: line 7 ?[2J",
        "error: not read",
        "error: no memory",
    ]


def test_they_are_json_where_the_environment_asks_for_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, "json")
    first, *others = map(json.loads, logged(capsys).splitlines())
    assert (first["level"], first["logger"]) == ("warning", LOG.name)
    assert first["message"] == "SYS1.log: line 7 ?[2J"
    assert [each["level"] for each in others] == ["error", "error"]


def test_an_exception_has_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    with records_on_stderr():
        try:
            int("x")
        except ValueError:
            LOG.exception("failed")
    first, *lines = capsys.readouterr().err.splitlines()
    assert first == "error: failed"
    assert lines[-1].startswith("ValueError: ")
