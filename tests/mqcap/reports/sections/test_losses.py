"""The section of losses in the monthly plan."""

from pathlib import Path

from mqcap.domain.finding import Severity
from mqcap.losses.text.sentences import NOTE
from mqcap.reports.sections.losses import losses
from mqcap.reports.xlsx import as_xlsx
from mqcap.store.plans import replace_losses
from tests.factories import DAY
from tests.mqcap.reports.builders import Workbook, basis, report
from tests.plan_factories import loss, loss_cell


def test_each_survivor_has_a_row_and_what_fails_is_below(tmp_path: Path) -> None:
    carried = loss(lost="PLEX1/CF03", survivors=("PLEX1/CF02",), cells=(), severity=Severity.ok)
    stopped = loss(cells=(loss_cell(minutes_to_failure=0.0),), assumptions=("Both peaks.",))
    with basis(tmp_path) as made:
        replace_losses(made.engine, DAY, [stopped, carried])
        section = losses(made)
    assert section.sentences == (NOTE, "Both peaks.")
    carried_rows, details = section.tables
    assert [[cell.text for cell in row] for row in carried_rows.rows] == [
        ["PLEX1/CF02", "◆ Watch", "CF03", "CF busy 73 % of 60 %; work stops at once"],
        ["PLEX1/CF03", "✓ OK", "CF02", "\N{EN DASH}"],
    ]
    [row] = details.rows
    assert [cell.text for cell in row][:3] == [
        "PLEX1/CF02",
        "CF03 takes its load: CF busy 73 % of 60 %, work stops at once.",
        "at once",
    ]


def test_the_names_of_both_sheets_are_accepted(tmp_path: Path) -> None:
    with basis(tmp_path) as made:
        replace_losses(made.engine, DAY, [loss()])
        section = losses(made)
    book = Workbook(as_xlsx(report(section)))
    assert book.sheets[1:] == ["Losses", "Losses what to change"]


def test_an_estate_without_facilities_and_groups_has_a_sentence(tmp_path: Path) -> None:
    with basis(tmp_path) as made:
        section = losses(made)
    assert section.tables == ()
    assert section.sentences[0].startswith("No coupling facility")
