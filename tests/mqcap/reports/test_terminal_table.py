"""The table of what is, or will be, over its limit, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import Final

import pytest
from rich.console import Console
from sqlalchemy import Engine

from mqcap.domain.finding import Finding, Severity
from mqcap.domain.plan import PlanVariant
from mqcap.presentation.listing import Listing
from mqcap.reports.terminal_table import SUGGESTIONS_MAX, table
from mqcap.settings import Settings
from mqcap.store.findings import replace_findings
from mqcap.store.losses import replace_losses
from mqcap.store.plans import replace_plans
from tests.factories import DAY, finding
from tests.plan_factories import loss, loss_cell, loss_finding, plan, plan_change, plan_rule
from tests.stores import new_store


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    opened = new_store(tmp_path / "store.db")
    yield opened
    opened.dispose()


UNKNOWN: Final = Severity.unknown
NOTHING_URGENT: Final = "0 Act, 0 Watch findings in 0 plans (production); all: 0 / 0 in 0 plans."


def made(engine: Engine, findings: Iterable[Finding]) -> Listing:
    replace_findings(engine, DAY, list(findings))
    return table(Settings(), engine, DAY)


def rows(listing: Listing) -> list[tuple[str, ...]]:
    return list(listing.rows)


def of(severity: Severity, count: int = 1) -> list[Finding]:
    return [
        finding(f"PLEX1/CSQ{number}", severity=severity, breach=False)
        for number in range(1, count + 1)
    ]


def test_a_row_has_the_figures_of_the_finding_with_their_units(engine: Engine) -> None:
    [row] = rows(made(engine, [finding()]))
    assert row[:3] == ("act", "PLEX1/CSQ1", "LOG-FILL-30MIN")
    now, limit = (
        row[3].replace("\N{NO-BREAK SPACE}", " "),
        row[4].replace("\N{NO-BREAK SPACE}", " "),
    )
    assert (now, limit) == ("4,320 MB/hour (1.2 MiB/s)", "2,001.6 MB/hour (0.556 MiB/s)")
    assert "CYL(3073)" in row[6]


def test_the_change_of_a_finding_is_that_of_its_resources_plan(engine: Engine) -> None:
    judged = (plan_rule("LOG-FILL-30MIN", "PLEX1/CSQ1"),)
    replace_plans(engine, DAY, [plan(rules=judged)])
    other = finding("PLEX1/CSQ2")
    first, second = sorted(rows(made(engine, [finding(), other])), key=lambda row: row[1])
    assert first[6] == "16 x CYL(5825)"
    assert "CYL(3073)" in second[6]
    assert "16 x" not in second[6]


@pytest.mark.parametrize(
    ("severity", "shown"),
    [
        (Severity.act, "red"),
        (Severity.watch, "yellow"),
        (Severity.unknown, "cyan"),
    ],
)
def test_a_severity_that_is_not_in_order_has_its_colour(
    engine: Engine, severity: Severity, shown: str
) -> None:
    listing = made(engine, of(severity))
    assert listing.styles[rows(listing)[0][0]] == shown


def test_what_is_in_order_is_counted_below_the_table(engine: Engine) -> None:
    shown = made(engine, of(Severity.ok, 3))
    assert rows(shown) == []
    assert str(shown.caption) == f"{NOTHING_URGENT} 3 checks in order (production); all: 3."


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (0, ""),
        (1, "\n1 check waits for records that have not arrived"),
        (2, "\n2 checks wait for records that have not arrived"),
    ],
)
def test_checks_that_only_lack_records_are_counted_and_others_keep_their_row(
    engine: Engine, count: int, words: str
) -> None:
    waiting = [each.model_copy(update={"is_data_incomplete": True}) for each in of(UNKNOWN, count)]
    shown = made(engine, [*waiting, finding("PLEX1/CSQ9", severity=UNKNOWN, breach=None)])
    assert [row[1] for row in rows(shown)] == ["PLEX1/CSQ9"]
    see = " (see Data, below; `mqcap findings` lists them)." if count else ""
    assert str(shown.caption).endswith(
        f"not checked (production); all: 0 / {count + 1}.{words}{see}"
    )


@pytest.mark.parametrize(
    ("count", "more"),
    [(SUGGESTIONS_MAX, ""), (SUGGESTIONS_MAX + 1, " and 1 more"), (SUGGESTIONS_MAX - 1, "")],
)
def test_the_first_suggestions_are_named_and_the_others_counted(
    engine: Engine, count: int, more: str
) -> None:
    shown = made(engine, of(Severity.suggestion, count))
    caption = str(shown.caption)
    assert rows(shown) == []
    assert caption.startswith(
        f"{NOTHING_URGENT} 0 checks in order, {count} suggestions (production); all: 0 / {count}."
        "\nSuggestions"
    )
    assert caption.count("LOG-FILL-30MIN PLEX1/CSQ") == min(count, SUGGESTIONS_MAX)
    assert caption.endswith(f"{more}.")
    assert (" more." in caption) is bool(more)


@pytest.mark.parametrize(("sysplex", "explained"), [("UNKNOWN", True), ("PLEX1", False)])
def test_records_of_an_unknown_sysplex_are_explained(
    engine: Engine, sysplex: str, explained: bool
) -> None:
    caption = str(made(engine, [finding(f"{sysplex}/CSQ1")]).caption)
    assert ("list the SMF ids of its systems under estate, smfids" in caption) is explained


def test_the_title_names_the_day_and_the_zone_of_the_site(engine: Engine) -> None:
    assert str(made(engine, []).title) == f"Over the limit now, or soon: {DAY} (UTC)"


def test_no_name_is_broken_on_80_columns(engine: Engine) -> None:
    names = ("PLEX1/CSQ3/CHINIT", "PLEX1/CF01/QSG1CSQ_ADMIN")
    shown = made(engine, [finding(name, rule_id="LOG-RUNWAY-12H") for name in names])
    console = Console(file=StringIO(), width=80)
    console.print(shown)
    assert isinstance(console.file, StringIO)
    text = console.file.getvalue()
    assert {*names, "LOG-RUNWAY-12H", "CYL(3073)."} <= set(text.split())
    assert max(map(len, text.splitlines())) <= 80


def test_a_loss_is_one_row_with_the_change_of_its_plan(engine: Engine) -> None:
    change = plan_change(subject="PLEX1/CF03", typed="ICF engines: 3")
    cells = (loss_cell(), loss_cell(fails_before=True))
    found = loss(changes=PlanVariant(changes=(change,)), due_date=DAY, cells=cells)
    replace_losses(engine, DAY, [found])
    names = ("LOSS-CF-BUSY", "LOSS-CF-STORAGE")
    findings = [loss_finding(name) for name in names]
    [row] = rows(made(engine, findings))
    assert row[1:3] == ("PLEX1/CF02", "LOSS-CF-BUSY; 2 limits passed, 1 of them over already")
    assert row[6] == "ICF engines: 3"
