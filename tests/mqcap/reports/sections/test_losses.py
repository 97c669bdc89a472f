"""The section of losses in the monthly plan."""

from __future__ import annotations

from pathlib import Path

from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.losses.text.sentences import NOTE
from mqcap.reports.document import ReportKind
from mqcap.reports.registry import sections_of
from mqcap.reports.sections.losses import SECTION, losses
from mqcap.reports.xlsx import as_xlsx
from mqcap.store.plans import replace_losses
from tests.factories import DAY
from tests.mqcap.reports.builders import Workbook, basis, report
from tests.plan_factories import loss, loss_cell


def test_the_matrix_has_survivors_as_columns_and_what_fails_below(tmp_path: Path) -> None:
    carried = loss(lost="PLEX1/CF03", survivors=("PLEX1/CF02",), cells=(), severity=Severity.ok)
    stopped = loss(cells=(loss_cell(minutes_to_failure=0.0),), assumptions=("Both peaks.",))
    with basis(tmp_path) as made:
        replace_losses(made.engine, DAY, [stopped, carried])
        section = losses(made)
    assert section.sentences == (NOTE, "Both peaks.")
    matrix, details = section.tables
    assert [column.heading for column in matrix.columns] == ["Lost", "Severity", "CF02", "CF03"]
    assert [[cell.text for cell in row] for row in matrix.rows] == [
        ["PLEX1/CF02", "◆ Watch", "lost", "CF busy 72.93 %, limit 60 %; work stops at once"],
        ["PLEX1/CF03", "✓ OK", "\N{EN DASH}", "lost"],
    ]
    [row] = details.rows
    assert [cell.text for cell in row][:3] == [
        "PLEX1/CF02",
        "CF03 takes its load: CF busy 72.93 %, limit 60 %, work stops at once.",
        "at once",
    ]


def test_two_groups_of_a_sysplex_have_sheets_of_their_own(tmp_path: Path) -> None:
    lost = [
        loss(lost=f"PLEX1/{first}", kind=SubjectKind.queue_manager, survivors=(f"PLEX1/{second}",))
        for first, second in (("CSQ1", "CSQ2"), ("CSQ3", "CSQ4"))
    ]
    with basis(tmp_path) as made:
        replace_losses(made.engine, DAY, lost)
        section = losses(made)
    book = Workbook(as_xlsx(report(section)))
    assert book.sheets[1:] == [
        "Members of PLEX1 lost",
        "Members of PLEX1 what to change",
        "Members of PLEX1 lost 2",
        "Members of PLEX1 what to 2",
    ]


def test_an_estate_without_facilities_and_groups_has_a_sentence(tmp_path: Path) -> None:
    with basis(tmp_path) as made:
        section = losses(made)
    assert section.tables == ()
    assert section.sentences[0].startswith("No coupling facility")


def test_only_the_monthly_plan_has_the_section() -> None:
    assert [kind for kind in ReportKind if SECTION in sections_of(kind)] == [ReportKind.monthly]
