"""Standard error as JSON lines: messages, facts of steps, errors."""

from __future__ import annotations

import json
from datetime import date, datetime, timedelta

import pytest

from mqcap.cli import common
from mqcap.domain.errors import ConfigurationError
from mqcap.progress.json_log import VARIABLE, json_line, json_wanted


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
