"""Records of logging on standard error: their form, and what of them is shown."""

from __future__ import annotations

import json
import logging

import pytest

from mqcap.progress.json_log import VARIABLE
from mqcap.progress.log_records import records_on_stderr

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
