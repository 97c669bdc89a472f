"""The table of what is, or will be, over its limit, for a terminal."""

import io
from collections.abc import Iterable
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from sqlalchemy import Engine

from mqcap.cli.common import print_lines
from mqcap.domain.errors import InputError
from mqcap.domain.finding import Finding, Severity
from mqcap.presentation.listing import Listing, terminal
from mqcap.reports.terminal_table import ROWS_MAX, data_lines, findings_table, shown_lines, table
from mqcap.settings import Settings
from mqcap.store.crossings import replace_crossings
from mqcap.store.feeds import replace_feed_days
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_losses, replace_plans
from tests.factories import DAY, feed_day, finding
from tests.mqcap.notifications.builders import breached
from tests.plan_factories import loss, loss_cell, loss_finding, plan, plan_rule
from tests.stores import new_store


def made(engine: Engine, findings: Iterable[Finding]) -> Listing:
    replace_findings(engine, DAY, list(findings))
    return table(Settings(), engine, DAY)


def test_a_resource_is_one_line_with_its_plan(engine: Engine) -> None:
    replace_plans(engine, DAY, [plan(rules=(plan_rule("LOG-FILL-30MIN"),))])
    others = [finding("PLEX1/CSQ2"), finding("PLEX1/CSQ2", rule_id="LOG-RUNWAY-12H")]
    shown = made(engine, [finding(), *others])
    assert shown.rows == (
        (
            "Act",
            "CSQ1 active logs",
            "4,320 of 2,002 MB/hour",
            "16 x CYL(5825)",
            "16 Mar 2026",
            "Payments MQ team",
        ),
        ("Act", "CSQ2 active logs", "4,320 of 2,002 MB/hour", "CYL(3073)", "now", ""),
    )
    assert shown.title.startswith("My site, 2 Mar 2026: 2 over ")


def test_checks_are_counted_below_the_table(engine: Engine) -> None:
    fine = [finding(f"PLEX1/CSQ{n}", severity=Severity.ok, breach=False) for n in range(3)]
    waiting = finding("PLEX1/CSQ9", severity=Severity.unknown, breach=None)
    assert made(engine, [*fine, waiting]).caption == (
        "3 checks in order, 1 not made (mqcap findings --severity unknown)."
    )


def test_of_a_large_estate_the_first_resources_are_listed(engine: Engine) -> None:
    shown = made(engine, [finding(f"PLEX1/Q{n:03}") for n in range(ROWS_MAX + 5)])
    assert len(shown.rows) == ROWS_MAX
    assert "and 5 more: mqcap plan" in shown.caption


@pytest.mark.parametrize(("sysplex", "explained"), [("UNKNOWN", True), ("PLEX1", False)])
def test_records_of_an_unknown_sysplex_are_explained(
    engine: Engine, sysplex: str, explained: bool
) -> None:
    caption = made(engine, [finding(f"{sysplex}/CSQ1")]).caption
    assert ("list the SMF ids of its systems under estate, smfids" in caption) is explained


@pytest.mark.parametrize(
    ("width", "end"),
    [(118, "A team with a v\N{HORIZONTAL ELLIPSIS}"), (40, "A team with a very long name")],
)
def test_names_are_cut_where_rows_then_fit_and_no_figure_or_operand_is(
    engine: Engine, width: int, end: str
) -> None:
    long = {"owner": "A team with a very long name", "label": "CSQ1 logs with a long, long name"}
    replace_plans(engine, DAY, [plan(due_rule="", **long)])
    console = Console(file=StringIO(), width=width)
    console.print(made(engine, []), crop=False)
    assert isinstance(console.file, StringIO)
    [line] = [each for each in console.file.getvalue().splitlines() if "CSQ1" in each]
    assert {"16 x CYL(5825)", "16 Mar 2026"} == {
        each for each in ("16 x CYL(5825)", "16 Mar 2026") if each in line
    }
    assert line.endswith(end)


def test_findings_are_listed_with_their_colours(engine: Engine) -> None:
    replace_findings(engine, DAY, [finding()])
    listing = findings_table(shown_lines(Settings(), engine, DAY), "All")
    [row] = listing.rows
    assert row[:3] == ("act", "PLEX1/CSQ1", "LOG-FILL-30MIN")
    assert listing.styles[row[0]] == "red"


def test_a_loss_is_one_line_of_findings_and_one_row(engine: Engine) -> None:
    cells = (loss_cell(), loss_cell(fails_before=True))
    replace_losses(engine, DAY, [loss(due_date=DAY, cells=cells)])
    shown = made(engine, [loss_finding(name) for name in ("LOSS-CF-BUSY", "LOSS-CF-STORAGE")])
    assert [row[1] for row in shown.rows] == ["Loss of CF02"]
    [line] = shown_lines(Settings(), engine, DAY)
    assert line.rule_words == "LOSS-CF-BUSY; 2 limits passed, 1 of them over already"


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
