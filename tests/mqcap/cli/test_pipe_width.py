"""What commands print into a pipe: 80 columns, no blanks at the end of a line, no word cut.

Tables of one line per resource (plan, report) are as wide as their figures and operands.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import Engine

from mqcap.settings import Settings
from tests.factories import DAY
from tests.mqcap.cli.command_line import COMMAND
from tests.mqcap.ingest.dumps import small_dump
from tests.mqcap.rulebook.builders import settings_of, url_of
from tests.mqcap.steps.notify.builders import fine, judge, over
from tests.mqcap.whatif.builders import filled

COLUMNS = 80
COMMANDS = (
    "findings", "scorecard", "lose", "unit-costs", "transports", "drivers",
    "runs", "rules list", "rules coverage", "rules show LOG-FILL-30MIN", "outbox list",
    "tickets list", "store check", "store prune --dry-run", "explain LOG-FILL-30MIN CSQ1",
)  # fmt: skip
GROWTH = "title: A title that is long\ngrowth:\n  - {subjects: ['PLEX1/*'], pct: 60}\n"


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
