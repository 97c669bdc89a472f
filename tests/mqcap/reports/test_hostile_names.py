"""Names that are markup, pictures or commands of a terminal are shown as they are."""

import io
from pathlib import Path

import pytest

from mqcap.cli.common import print_lines
from mqcap.domain.errors import InputError
from mqcap.presentation.listing import terminal
from mqcap.reports.terminal_table import data_lines, table
from mqcap.settings import Settings
from mqcap.store.crossings import replace_crossings
from mqcap.store.feeds import replace_feed_days
from mqcap.store.findings import replace_findings
from tests.factories import DAY, feed_day, finding
from tests.mqcap.notifications.builders import breached
from tests.stores import new_store

HOSTILE = "PLEX1/[/red]\x1b[2J:bomb:<script>"
SHOWN = "PLEX1/[/red]?[2J:bomb:<script>"


def test_a_table_shows_hostile_names_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = new_store(tmp_path / "store.db")
    shown = finding(HOSTILE, title=HOSTILE, summary=HOSTILE, advice=HOSTILE, changes=())
    replace_findings(engine, DAY, [shown])
    replace_crossings(engine, DAY, [breached(shown)])
    replace_feed_days(engine, DAY, DAY, [feed_day(HOSTILE, summary=HOSTILE, remedy=HOSTILE)])
    console = terminal()
    console.file, console.width = io.StringIO(), 400
    console.print(table(Settings(), engine, DAY))
    print_lines("\n".join(data_lines(engine, DAY)))
    engine.dispose()
    text = console.file.getvalue()
    printed = capsys.readouterr().out
    assert SHOWN in printed
    assert "\x1b" not in printed
    assert "\x1b" not in text


def test_an_error_repeats_no_command_of_a_terminal() -> None:
    error = InputError("odd", file=f"{HOSTILE}.smf", found=HOSTILE)
    file = HOSTILE.replace("\x1b", "\\x1b")
    assert str(error) == f"{file}.smf: odd; found {SHOWN}."
